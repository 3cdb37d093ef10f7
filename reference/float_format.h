// Binary floating-point formats in software (element-types.md): exact widening, one rounding to nearest, ties to even.
// Nothing here depends on the host's floating-point environment, so results are the same bits everywhere.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

#include "reference/integer128.h"

namespace hurray::reference {

/// What the largest exponent codes stand for.
enum class Specials : std::uint8_t {
  infinity_and_nan,  // IEEE 754: float16, bfloat16, float32, float64, float128, float8_e5m2
  nan_only,          // float8_e4m3: all ones is NaN, the codes below it are numbers
  none,              // float4_e2m1, float6_e2m3, float6_e3m2: every code is a number
};

/// One sign bit, then exponent_bits, then mantissa_bits; the bias is always 2^(exponent_bits-1) - 1.
struct FloatFormat {
  std::uint8_t exponent_bits, mantissa_bits;
  Specials specials;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int bits() const { return 1 + exponent_bits + mantissa_bits; }
};

/// The format of a real floating-point element type; none for every other type and for float8_e8m0, which has no sign.
[[nodiscard]] std::optional<FloatFormat> float_format(std::uint8_t type_tag);

inline constexpr FloatFormat float32_format{8, 23, Specials::infinity_and_nan};
inline constexpr FloatFormat float64_format{11, 52, Specials::infinity_and_nan};

/// `pattern` of format `from` as a value of format `to`, rounded to nearest, ties to even. A magnitude above the largest
/// becomes infinity, or NaN in float8_e4m3, or the largest number in a format that has neither. A NaN keeps its sign and
/// the leading bits of its payload and becomes quiet; a format without NaN gives its largest positive number instead.
[[nodiscard]] Pattern convert(FloatFormat from, Pattern pattern, FloatFormat to);

/// The sum of two values of one format, rounded once, as by convert. The first NaN operand is the result's NaN; infinities of
/// opposite signs give the positive quiet NaN with an empty payload; an exact zero from unlike signs is +0.
[[nodiscard]] Pattern add(FloatFormat format, Pattern left, Pattern right);

}  // namespace hurray::reference
