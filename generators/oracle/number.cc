#include "generators/oracle/number.h"

namespace hurray::generators {
namespace {

enum class Specials : std::uint8_t { ieee, nan_only, none };

struct Format {
  std::uint8_t type;
  int exponent_bits, mantissa_bits, bias;
  Specials specials;
  bool open_overflow;  // saturation and overflow are both in use
};

namespace tag = facts::tag;
constexpr Format formats[] = {
    {tag::float16, 5, 10, 15, Specials::ieee, false},        {tag::bfloat16, 8, 7, 127, Specials::ieee, false},
    {tag::float32, 8, 23, 127, Specials::ieee, false},       {tag::float64, 11, 52, 1023, Specials::ieee, false},
    {tag::float128, 15, 112, 16383, Specials::ieee, false},  {tag::float8_e4m3, 4, 3, 7, Specials::nan_only, true},
    {tag::float8_e5m2, 5, 2, 15, Specials::ieee, true},      {tag::float4_e2m1, 2, 1, 1, Specials::none, false},
    {tag::float6_e2m3, 2, 3, 1, Specials::none, false},      {tag::float6_e3m2, 3, 2, 3, Specials::none, false},
};

const Format* format_of(std::uint8_t type) {
  for (const Format& format : formats)
    if (format.type == type) return &format;
  return nullptr;
}

struct Wide {  // up to 128 bits
  std::uint64_t high = 0, low = 0;
};

Wide shift_left(Wide value, int bits) {
  for (; bits > 0; --bits) {
    value.high = (value.high << 1) | (value.low >> 63);
    value.low <<= 1;
  }
  return value;
}

Wide shift_right(Wide value, int bits) {
  for (; bits > 0; --bits) {
    value.low = (value.low >> 1) | (value.high << 63);
    value.high >>= 1;
  }
  return value;
}

Wide low_bits(Wide value, int bits) { return shift_right(shift_left(value, 128 - bits), 128 - bits); }

Wide increment(Wide value) {
  if (++value.low == 0) ++value.high;
  return value;
}

bool equal(Wide left, Wide right) { return left.high == right.high && left.low == right.low; }

struct Parts {
  bool negative;
  std::uint64_t exponent;
  Wide mantissa;
};

Parts parts_of(const Format& format, const Bits& pattern) {
  const Wide whole{pattern.high, pattern.low};
  const Wide above = shift_right(whole, format.mantissa_bits);
  return {(shift_right(whole, format.mantissa_bits + format.exponent_bits).low & 1u) != 0,
          low_bits(above, format.exponent_bits).low, low_bits(whole, format.mantissa_bits)};
}

std::uint64_t exponent_mask(const Format& format) { return (std::uint64_t{1} << format.exponent_bits) - 1; }

Bits compose(const Format& format, bool negative, std::uint64_t exponent, Wide mantissa) {
  Wide whole = shift_left({0, negative ? 1u : 0u}, format.exponent_bits);
  whole.low |= exponent;
  whole = shift_left(whole, format.mantissa_bits);
  return {whole.low | mantissa.low, whole.high | mantissa.high};
}

Wide all_ones(int bits) { return low_bits({~std::uint64_t{0}, ~std::uint64_t{0}}, bits); }

Bits largest(const Format& format, bool negative) {
  const std::uint64_t top = exponent_mask(format);
  switch (format.specials) {
    case Specials::ieee: return compose(format, negative, top - 1, all_ones(format.mantissa_bits));
    case Specials::nan_only: return compose(format, negative, top, {0, all_ones(format.mantissa_bits).low - 1});
    case Specials::none: return compose(format, negative, top, all_ones(format.mantissa_bits));
  }
  return {};
}

std::vector<Bits> overflowed(const Format& format, bool negative) {
  std::vector<Bits> patterns;
  if (format.specials == Specials::ieee) patterns.push_back(compose(format, negative, exponent_mask(format), {}));
  if (format.specials == Specials::nan_only) patterns.push_back(compose(format, negative, exponent_mask(format), all_ones(format.mantissa_bits)));
  if (format.specials == Specials::none || format.open_overflow) patterns.push_back(largest(format, negative));
  return patterns;
}

Dyadic e8m0(const Bits& pattern) { return Dyadic::of(false, 0, 1, static_cast<std::int64_t>(pattern.low) - 127); }

/// A power of two is itself; a sum half way between two powers may be either, and one beyond the greatest that or NaN.
std::vector<Bits> encode_exponent(const Dyadic& value) {
  constexpr std::int64_t bias = 127;
  const std::int64_t leading = value.leading();
  const Dyadic::Quotient above = value.divided_by_power(leading);
  const auto low = static_cast<std::uint64_t>(leading + bias);
  std::vector<Bits> patterns;
  if (above.remainder <= 2) patterns.push_back({low, 0});
  if (above.remainder >= 2) patterns.push_back({low + 1, 0});
  if (patterns.back().low > 0xFE) patterns = {{0xFF, 0}, {0xFE, 0}};
  return patterns;
}

}  // namespace

bool is_float(std::uint8_t type) { return format_of(type) != nullptr; }

bool is_integer(std::uint8_t type) {
  const facts::ElementType* facts = facts::element_type(type);
  return facts != nullptr && (facts->kind == facts::Kind::signed_integer || facts->kind == facts::Kind::unsigned_integer);
}

bool is_real(std::uint8_t type) { return is_float(type) || is_integer(type); }

bool is_nan(std::uint8_t type, const Bits& pattern) {
  return is_float(type) && decode(type, pattern).kind == Number::Kind::nan;
}

Number decode(std::uint8_t type, const Bits& pattern) {
  if (type == tag::float8_e8m0) return Number::of(e8m0(pattern));
  const Format* format = format_of(type);
  if (format == nullptr) {
    const facts::ElementType& integer = *facts::element_type(type);
    const Dyadic value = Dyadic::of(false, pattern.high, pattern.low, 0);
    const bool sign = integer.kind == facts::Kind::signed_integer && ((pattern.low >> (integer.bits - 1)) & 1u) != 0;
    return Number::of(sign ? value + Dyadic::of(true, 0, 1, integer.bits) : value);
  }
  const Parts parts = parts_of(*format, pattern);
  const bool top = parts.exponent == exponent_mask(*format);
  if (format->specials == Specials::ieee && top)
    return {equal(parts.mantissa, {}) ? Number::Kind::infinite : Number::Kind::nan, parts.negative, {}};
  if (format->specials == Specials::nan_only && top && equal(parts.mantissa, all_ones(format->mantissa_bits)))
    return {Number::Kind::nan, parts.negative, {}};
  Wide significand = parts.mantissa;
  if (parts.exponent != 0) {
    const Wide hidden = shift_left({0, 1}, format->mantissa_bits);
    significand = {significand.high | hidden.high, significand.low | hidden.low};
  }
  const std::int64_t exponent = static_cast<std::int64_t>(parts.exponent == 0 ? 1 : parts.exponent) - format->bias - format->mantissa_bits;
  Number number{Number::Kind::finite, parts.negative, Dyadic::of(parts.negative, significand.high, significand.low, exponent)};
  return number;
}

std::vector<Bits> encode_float(std::uint8_t type, const Number& number) {
  if (type == tag::float8_e8m0) return encode_exponent(number.value);
  const Format& format = *format_of(type);
  if (number.kind == Number::Kind::infinite) return overflowed(format, number.negative);
  if (number.kind == Number::Kind::nan) {
    if (format.specials == Specials::none) return {};
    return {compose(format, number.negative, exponent_mask(format), all_ones(format.mantissa_bits))};
  }
  if (number.value.is_zero()) return {compose(format, number.negative, 0, {})};
  const std::int64_t least = 1 - format.bias;
  std::int64_t exponent = std::max(number.value.leading(), least);
  const Dyadic::Quotient quotient = number.value.divided_by_power(exponent - format.mantissa_bits);
  Wide significand{quotient.high, quotient.low};
  if (quotient.remainder == 3 || (quotient.remainder == 2 && (significand.low & 1u) != 0)) significand = increment(significand);
  if (equal(significand, shift_left({0, 1}, format.mantissa_bits + 1))) {
    significand = shift_right(significand, 1);
    ++exponent;
  }
  const bool subnormal = equal(shift_right(significand, format.mantissa_bits), {});
  const std::uint64_t field = subnormal ? 0 : static_cast<std::uint64_t>(exponent + format.bias);
  const Bits pattern = compose(format, number.value.negative(), field, low_bits(significand, format.mantissa_bits));
  const bool beyond = field > exponent_mask(format) || (format.specials == Specials::ieee && field == exponent_mask(format)) ||
                      (format.specials == Specials::nan_only && is_nan(type, pattern));
  return beyond ? overflowed(format, number.value.negative()) : std::vector<Bits>{pattern};
}

std::vector<Bits> encode_integer(std::uint8_t type, const Dyadic& value) {
  const facts::ElementType& integer = *facts::element_type(type);
  const bool is_signed = integer.kind == facts::Kind::signed_integer;
  const Dyadic low = is_signed ? Dyadic::of(true, 0, 1, integer.bits - 1) : Dyadic{};
  const Dyadic high = Dyadic::of(false, 0, 1, is_signed ? integer.bits - 1 : integer.bits);
  const Dyadic above_low = value + low.negated();
  const Dyadic below_high = high + value.negated();
  if (above_low.negative() || below_high.negative() || below_high.is_zero()) return {};
  const Dyadic wrapped = value.negative() ? value + Dyadic::of(false, 0, 1, integer.bits) : value;
  return {{wrapped.divided_by_power(0).low, 0}};
}

}  // namespace hurray::generators
