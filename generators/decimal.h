// Decimal literals to binary floating point of any width, rounded once (nearest, ties to even), in exact integers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "generators/model.h"

namespace hurray::generators {

/// A sign, exponent, mantissa format of at most 128 bits.
struct FloatFormat {
  unsigned exponent_bits, mantissa_bits;
  int bias;
  enum class Specials : std::uint8_t { none, nan_only, infinities } specials;
};

/// The format behind a type tag, if it is a floating-point type with a sign.
[[nodiscard]] std::optional<FloatFormat> float_format(std::uint8_t type);

enum class Rounding : std::uint8_t { fits, too_large, not_a_number };

struct RoundedDecimal {
  Bits bits;
  Rounding outcome = Rounding::fits;
};

[[nodiscard]] RoundedDecimal round_decimal(const FloatFormat& format, std::string_view literal);

/// The pattern of an integer that the format holds exactly: below 2^(mantissa bits + 1) in magnitude, and in range.
[[nodiscard]] Bits exact_integer(const FloatFormat& format, std::int64_t value);

/// The exponent e of a literal that is exactly 2^e.
[[nodiscard]] std::optional<int> exact_power_of_two(std::string_view literal);

[[nodiscard]] Bits infinity_pattern(const FloatFormat& format, bool negative);
[[nodiscard]] Bits nan_pattern(const FloatFormat& format, bool negative);

/// The value of a pattern of at most 64 bits that is neither infinite nor NaN; nothing otherwise.
[[nodiscard]] std::optional<double> finite_value(const FloatFormat& format, const Bits& bits);

}  // namespace hurray::generators
