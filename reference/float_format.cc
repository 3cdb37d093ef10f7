#include "reference/float_format.h"

#include <algorithm>
#include <utility>

#include "conformance/facts/facts.h"

namespace hurray::reference {
namespace {

constexpr int payload_bits = 112;  // the fraction of float128, the widest

constexpr Unsigned128 one = 1;

Unsigned128 low_mask(int bits) { return (one << bits) - 1; }

int bit_length(Unsigned128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
}

Unsigned128 exponent_ones(FloatFormat format) { return low_mask(format.exponent_bits) << format.mantissa_bits; }

/// The code, sign aside, of the largest finite number.
Unsigned128 largest(FloatFormat format) {
  switch (format.specials) {
    case Specials::infinity_and_nan: return exponent_ones(format) - 1;
    case Specials::nan_only: return low_mask(format.exponent_bits + format.mantissa_bits) - 1;
    case Specials::none: return low_mask(format.exponent_bits + format.mantissa_bits);
  }
  return 0;
}

Unsigned128 overflowed(FloatFormat format) {
  switch (format.specials) {
    case Specials::infinity_and_nan: return exponent_ones(format);
    case Specials::nan_only: return low_mask(format.exponent_bits + format.mantissa_bits);
    case Specials::none: return largest(format);
  }
  return 0;
}

Unsigned128 nan_code(FloatFormat format, Unsigned128 payload) {
  switch (format.specials) {
    case Specials::infinity_and_nan:
      return exponent_ones(format) | (one << (format.mantissa_bits - 1)) | (payload >> (payload_bits - format.mantissa_bits));
    case Specials::nan_only: return low_mask(format.exponent_bits + format.mantissa_bits);
    case Specials::none: return largest(format);
  }
  return 0;
}

/// value / 2^shift rounded to nearest, ties to even.
Unsigned128 rounded_shift(Unsigned128 value, int shift) {
  const int length = bit_length(value);
  if (shift > length) return 0;  // below half a unit
  const Unsigned128 half = one << (shift - 1);
  const Unsigned128 kept = shift < 128 ? value >> shift : 0;
  const Unsigned128 rest = shift < 128 ? value & low_mask(shift) : value;
  const bool up = rest > half || (rest == half && (kept & 1) != 0);
  return kept + (up ? 1 : 0);
}

/// The code, sign aside, of significand * 2^exponent.
Unsigned128 finite_code(FloatFormat format, int exponent, Unsigned128 significand) {
  if (significand == 0) return 0;
  const int leading = exponent + bit_length(significand) - 1;
  const int smallest_normal = 1 - format.bias();
  const int unit = std::max(leading, smallest_normal) - format.mantissa_bits;  // the exponent of the last place
  const int field = unit + format.mantissa_bits + format.bias();
  if (field >= (1 << format.exponent_bits)) return overflowed(format);
  const int shift = unit - exponent;
  const Unsigned128 kept = shift > 0 ? rounded_shift(significand, shift) : significand << -shift;
  // A subnormal lacks the leading bit and has field 1, a carry out of the fraction moves to the next exponent: both
  // come out right because the leading bit is added, not set.
  const Unsigned128 code = (static_cast<Unsigned128>(field - 1) << format.mantissa_bits) + kept;
  return code > largest(format) ? overflowed(format) : code;
}

/// value / 2^shift with every bit that falls off collected in the last one.
Unsigned128 jammed_shift(Unsigned128 value, int shift) {
  if (shift == 0) return value;
  if (shift >= 128) return value != 0 ? 1 : 0;
  return (value >> shift) | ((value & low_mask(shift)) != 0 ? 1 : 0);
}

Unpacked finite_sum(Unpacked left, Unpacked right) {
  if (left.exponent < right.exponent) std::swap(left, right);
  // Three bits below the last place, one of them sticky, decide every rounding: a shift of two or more leaves at most
  // one leading bit to cancel.
  constexpr int guard_bits = 3;
  const Unsigned128 high = left.significand << guard_bits;
  const Unsigned128 low = jammed_shift(right.significand << guard_bits, left.exponent - right.exponent);
  Unpacked sum;
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

Unpacked unpack(FloatFormat format, Pattern pattern) {
  const Unsigned128 fraction = pattern & low_mask(format.mantissa_bits);
  const auto field = static_cast<int>((pattern >> format.mantissa_bits) & low_mask(format.exponent_bits));
  const Unsigned128 magnitude = pattern & low_mask(format.exponent_bits + format.mantissa_bits);
  Unpacked value;
  value.negative = ((pattern >> (format.bits() - 1)) & 1) != 0;
  if (magnitude > largest(format)) {
    const bool infinite = format.specials == Specials::infinity_and_nan && fraction == 0;
    value.kind = infinite ? Unpacked::Kind::infinite : Unpacked::Kind::nan;
    // float8_e4m3 has one NaN: its fraction carries no payload.
    if (format.specials == Specials::infinity_and_nan) value.significand = fraction << (payload_bits - format.mantissa_bits);
    return value;
  }
  value.exponent = std::max(field, 1) - format.bias() - format.mantissa_bits;
  value.significand = fraction | (field > 0 ? one << format.mantissa_bits : 0);
  return value;
}

Pattern pack(FloatFormat format, const Unpacked& value) {
  const Unsigned128 sign = one << (format.bits() - 1);
  switch (value.kind) {
    case Unpacked::Kind::finite:
      return finite_code(format, value.exponent, value.significand) | (value.negative ? sign : 0);
    case Unpacked::Kind::infinite: return overflowed(format) | (value.negative ? sign : 0);
    case Unpacked::Kind::nan:
      return nan_code(format, value.significand) | (value.negative && format.specials != Specials::none ? sign : 0);
  }
  return 0;
}

Pattern convert(FloatFormat from, Pattern pattern, FloatFormat to) { return pack(to, unpack(from, pattern)); }

Pattern add(FloatFormat format, Pattern left, Pattern right) {
  const Unpacked a = unpack(format, left), b = unpack(format, right);
  if (a.kind == Unpacked::Kind::nan) return pack(format, a);
  if (b.kind == Unpacked::Kind::nan) return pack(format, b);
  if (a.kind == Unpacked::Kind::infinite && b.kind == Unpacked::Kind::infinite && a.negative != b.negative)
    return pack(format, {Unpacked::Kind::nan, false, 0, 0});
  if (a.kind == Unpacked::Kind::infinite) return pack(format, a);
  if (b.kind == Unpacked::Kind::infinite) return pack(format, b);
  return pack(format, finite_sum(a, b));
}

}  // namespace hurray::reference
