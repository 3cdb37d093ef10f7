#include "reference/float_format.h"

#include <algorithm>
#include <utility>

#include "conformance/facts/facts.h"

namespace hurray::reference {
namespace {

/// Formats of at most 64 bits are computed in 64, which is several times faster; float128 needs them all.
template <typename Word>
constexpr int word_bits = static_cast<int>(sizeof(Word)) * 8;

/// The fraction of the widest format that a word serves: payloads of NaN are aligned to its top.
template <typename Word>
constexpr int payload_bits = sizeof(Word) == 8 ? 52 : 112;

/// A value taken apart. A finite one is significand * 2^exponent; of a NaN, significand is the aligned payload.
template <typename Word>
struct Unpacked {
  enum class Kind : std::uint8_t { finite, infinite, nan };
  Kind kind = Kind::finite;
  bool negative = false;
  int exponent = 0;
  Word significand = 0;
};

template <typename Word>
Word low_mask(int bits) {
  return (Word{1} << bits) - 1;
}

int bit_length(std::uint64_t value) { return 64 - std::countl_zero(value); }
int bit_length(Unsigned128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 64 + bit_length(high) : bit_length(static_cast<std::uint64_t>(value));
}

template <typename Word>
Word exponent_ones(FloatFormat format) {
  return low_mask<Word>(format.exponent_bits) << format.mantissa_bits;
}

template <typename Word>
Word all_ones(FloatFormat format) {
  return low_mask<Word>(format.exponent_bits + format.mantissa_bits);
}

/// The code, sign aside, of the largest finite number.
template <typename Word>
Word largest(FloatFormat format) {
  switch (format.specials) {
    case Specials::infinity_and_nan: return exponent_ones<Word>(format) - 1;
    case Specials::nan_only: return all_ones<Word>(format) - 1;
    case Specials::none: return all_ones<Word>(format);
  }
  return 0;
}

template <typename Word>
Word overflowed(FloatFormat format) {
  return format.specials == Specials::none ? largest<Word>(format) : largest<Word>(format) + 1;
}

template <typename Word>
Word nan_code(FloatFormat format, Word payload) {
  if (format.specials != Specials::infinity_and_nan) return all_ones<Word>(format);
  const Word quiet = Word{1} << (format.mantissa_bits - 1);
  return exponent_ones<Word>(format) | quiet | (payload >> (payload_bits<Word> - format.mantissa_bits));
}

/// value / 2^shift rounded to nearest, ties to even; shift is at least 1.
template <typename Word>
Word rounded_shift(Word value, int shift) {
  if (shift > bit_length(value)) return 0;  // below half a unit
  const Word half = Word{1} << (shift - 1);
  const Word kept = shift < word_bits<Word> ? value >> shift : 0;
  const Word rest = shift < word_bits<Word> ? value & low_mask<Word>(shift) : value;
  const bool up = rest > half || (rest == half && (kept & 1) != 0);
  return kept + (up ? 1 : 0);
}

/// The code, sign aside, of significand * 2^exponent.
template <typename Word>
Word finite_code(FloatFormat format, int exponent, Word significand) {
  if (significand == 0) return 0;
  const int leading = exponent + bit_length(significand) - 1;
  const int smallest_normal = 1 - format.bias();
  const int unit = std::max(leading, smallest_normal) - format.mantissa_bits;  // the exponent of the last place
  const int field = unit + format.mantissa_bits + format.bias();
  if (field >= (1 << format.exponent_bits)) return overflowed<Word>(format);
  const int shift = unit - exponent;
  const Word kept = shift > 0 ? rounded_shift(significand, shift) : significand << -shift;
  // A subnormal lacks the leading bit and has field 1, a carry out of the fraction moves to the next exponent: both
  // come out right because the leading bit is added, not set.
  const Word code = (static_cast<Word>(field - 1) << format.mantissa_bits) + kept;
  return code > largest<Word>(format) ? overflowed<Word>(format) : code;
}

/// value / 2^shift with every bit that falls off collected in the last one.
template <typename Word>
Word jammed_shift(Word value, int shift) {
  if (shift == 0) return value;
  if (shift >= word_bits<Word>) return value != 0 ? 1 : 0;
  return (value >> shift) | ((value & low_mask<Word>(shift)) != 0 ? 1 : 0);
}

template <typename Word>
Unpacked<Word> finite_sum(Unpacked<Word> left, Unpacked<Word> right) {
  if (left.exponent < right.exponent) std::swap(left, right);
  // Three bits below the last place, one of them sticky, decide every rounding: a shift of two or more leaves at most
  // one leading bit to cancel.
  constexpr int guard_bits = 3;
  const Word high = left.significand << guard_bits;
  const Word low = jammed_shift<Word>(right.significand << guard_bits, left.exponent - right.exponent);
  Unpacked<Word> sum;
  sum.exponent = left.exponent - guard_bits;
  if (left.negative == right.negative) {
    sum.negative = left.negative;
    sum.significand = high + low;
  } else if (high != low) {
    sum.negative = high > low ? left.negative : right.negative;
    sum.significand = high > low ? high - low : low - high;
  }
  return sum;
}

template <typename Word>
Unpacked<Word> unpack(FloatFormat format, Word pattern) {
  using Kind = typename Unpacked<Word>::Kind;
  const Word fraction = pattern & low_mask<Word>(format.mantissa_bits);
  const auto field = static_cast<int>((pattern >> format.mantissa_bits) & low_mask<Word>(format.exponent_bits));
  Unpacked<Word> value;
  value.negative = ((pattern >> (format.bits() - 1)) & 1) != 0;
  if ((pattern & all_ones<Word>(format)) > largest<Word>(format)) {
    const bool has_payload = format.specials == Specials::infinity_and_nan;  // float8_e4m3's only NaN has none
    value.kind = has_payload && fraction == 0 ? Kind::infinite : Kind::nan;
    if (has_payload) value.significand = fraction << (payload_bits<Word> - format.mantissa_bits);
    return value;
  }
  value.exponent = std::max(field, 1) - format.bias() - format.mantissa_bits;
  value.significand = fraction | (field > 0 ? Word{1} << format.mantissa_bits : 0);
  return value;
}

template <typename Word>
Word pack(FloatFormat format, const Unpacked<Word>& value) {
  using Kind = typename Unpacked<Word>::Kind;
  const Word sign = value.negative ? Word{1} << (format.bits() - 1) : 0;
  switch (value.kind) {
    case Kind::finite: return finite_code(format, value.exponent, value.significand) | sign;
    case Kind::infinite: return overflowed<Word>(format) | sign;
    case Kind::nan: return nan_code(format, value.significand) | (format.specials != Specials::none ? sign : 0);
  }
  return 0;
}

template <typename Word>
Word sum_of(FloatFormat format, Word left, Word right) {
  using Kind = typename Unpacked<Word>::Kind;
  const Unpacked<Word> a = unpack(format, left), b = unpack(format, right);
  if (a.kind == Kind::nan) return pack(format, a);
  if (b.kind == Kind::nan) return pack(format, b);
  if (a.kind == Kind::infinite && b.kind == Kind::infinite && a.negative != b.negative) return nan_code<Word>(format, 0);
  if (a.kind == Kind::infinite) return pack(format, a);
  if (b.kind == Kind::infinite) return pack(format, b);
  return pack(format, finite_sum(a, b));
}

}  // namespace

std::optional<FloatFormat> float_format(std::uint8_t type_tag) {
  namespace tag = facts::tag;
  switch (type_tag) {
    case tag::float16: return FloatFormat{5, 10, Specials::infinity_and_nan};
    case tag::bfloat16: return FloatFormat{8, 7, Specials::infinity_and_nan};
    case tag::float32: return float32_format;
    case tag::float64: return float64_format;
    case tag::float128: return FloatFormat{15, 112, Specials::infinity_and_nan};
    case tag::float8_e5m2: return FloatFormat{5, 2, Specials::infinity_and_nan};
    case tag::float8_e4m3: return FloatFormat{4, 3, Specials::nan_only};
    case tag::float6_e3m2: return FloatFormat{3, 2, Specials::none};
    case tag::float6_e2m3: return FloatFormat{2, 3, Specials::none};
    case tag::float4_e2m1: return FloatFormat{2, 1, Specials::none};
  }
  return std::nullopt;
}

Pattern convert(FloatFormat from, Pattern pattern, FloatFormat to) {
  if (from.bits() > 64 || to.bits() > 64) return pack(to, unpack(from, pattern));
  return pack(to, unpack(from, static_cast<std::uint64_t>(pattern)));
}

Pattern add(FloatFormat format, Pattern left, Pattern right) {
  if (format.bits() > 64) return sum_of(format, left, right);
  return sum_of(format, static_cast<std::uint64_t>(left), static_cast<std::uint64_t>(right));
}

}  // namespace hurray::reference
