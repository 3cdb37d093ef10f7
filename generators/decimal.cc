#include "generators/decimal.h"

#include <bit>
#include <cmath>
#include <vector>

#include "conformance/facts/facts.h"

namespace hurray::generators {
namespace {

/// A natural number of any size, 32 bits a limb, lowest first; just what one rounding needs.
class Natural {
 public:
  void multiply_add(std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  }
  void shift_left(std::size_t count) {
    for (; count >= 16; count -= 16) multiply_add(1u << 16, 0);
    if (count > 0) multiply_add(1u << count, 0);
  }
  void subtract(const Natural& other) {  // other <= *this
    std::uint64_t borrow = 0;
    for (std::size_t k = 0; k < limbs_.size(); ++k) {
      const std::uint64_t take = borrow + (k < other.limbs_.size() ? other.limbs_[k] : 0);
      borrow = limbs_[k] < take ? 1 : 0;
      limbs_[k] = static_cast<std::uint32_t>(limbs_[k] - take);
    }
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }
  int compare(const Natural& other) const {
    if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size() ? -1 : 1;
    for (std::size_t k = limbs_.size(); k > 0; --k)
      if (limbs_[k - 1] != other.limbs_[k - 1]) return limbs_[k - 1] < other.limbs_[k - 1] ? -1 : 1;
    return 0;
  }
  int bit_length() const {
    if (limbs_.empty()) return 0;
    return static_cast<int>(32 * limbs_.size()) - std::countl_zero(limbs_.back());
  }
  bool is_zero() const { return limbs_.empty(); }

 private:
  std::vector<std::uint32_t> limbs_;
};

/// numerator / denominator * 2^exponent with denominator <= numerator < 2 * denominator, or zero.
struct Fraction {
  bool negative = false, zero = false;
  int exponent = 0;
  Natural numerator, denominator;
};

// No format here reaches beyond 10^4932 or below 10^-4966; longer exponents and digit strings only cost time.
constexpr int exponent_cap = 6000;
constexpr std::size_t digits_cap = 1000;

bool scan_exponent(std::string_view text, int& exponent) {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (text.empty()) return false;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    value = value < exponent_cap * 2 ? value * 10 + (c - '0') : value;
  }
  exponent += negative ? -value : value;
  return true;
}

/// Reads sign, digits, point and exponent; the digits go to the numerator, the power of ten to `power`.
bool scan(std::string_view text, Fraction& out, int& power) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    out.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  bool point = false, any = false;
  if (text.size() > digits_cap) return false;
  std::size_t k = 0;
  for (; k < text.size(); ++k) {
    if (text[k] == '.' && !point) {
      point = true;
    } else if (text[k] >= '0' && text[k] <= '9') {
      any = true;
      out.numerator.multiply_add(10, static_cast<std::uint32_t>(text[k] - '0'));
      power -= point ? 1 : 0;
    } else {
      break;
    }
  }
  if (!any) return false;
  if (k == text.size()) return true;
  return (text[k] == 'e' || text[k] == 'E') && scan_exponent(text.substr(k + 1), power);
}

void normalise(Fraction& value) {
  value.exponent = value.numerator.bit_length() - value.denominator.bit_length();
  if (value.exponent > 0) value.denominator.shift_left(static_cast<std::size_t>(value.exponent));
  if (value.exponent < 0) value.numerator.shift_left(static_cast<std::size_t>(-value.exponent));
  if (value.numerator.compare(value.denominator) < 0) {
    value.numerator.shift_left(1);
    --value.exponent;
  }
}

std::optional<Fraction> parse_fraction(std::string_view literal) {
  Fraction out;
  int power = 0;
  if (!scan(literal, out, power)) return std::nullopt;
  out.zero = out.numerator.is_zero();
  if (out.zero) return out;
  power = power > exponent_cap ? exponent_cap : power < -exponent_cap ? -exponent_cap : power;
  out.denominator.multiply_add(0, 1);
  Natural& scaled = power > 0 ? out.numerator : out.denominator;
  for (int k = power < 0 ? -power : power; k > 0; --k) scaled.multiply_add(10, 0);
  normalise(out);
  return out;
}

Bits shifted(std::uint64_t value, unsigned count) {
  if (count >= 128) return {};
  if (count >= 64) return {0, value << (count - 64)};
  return {value << count, count == 0 ? 0 : value >> (64 - count)};
}

Bits sum(const Bits& a, const Bits& b) {
  const std::uint64_t low = a.low + b.low;
  return {low, a.high + b.high + (low < a.low ? 1 : 0)};
}

bool less(const Bits& a, const Bits& b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }

Bits with_sign(const FloatFormat& format, Bits magnitude, bool negative) {
  return negative ? sum(magnitude, shifted(1, format.exponent_bits + format.mantissa_bits)) : magnitude;
}

/// The pattern of the smallest magnitude that is not a finite number.
Bits beyond_largest(const FloatFormat& format) {
  switch (format.specials) {
    case FloatFormat::Specials::infinities:
      return shifted((std::uint64_t{1} << format.exponent_bits) - 1, format.mantissa_bits);
    case FloatFormat::Specials::nan_only:
      return {(std::uint64_t{1} << (format.exponent_bits + format.mantissa_bits)) - 1, 0};
    case FloatFormat::Specials::none:
      break;
  }
  return shifted(1, format.exponent_bits + format.mantissa_bits);
}

/// The magnitude's pattern: significand bits by long division, then one rounding, whose carry may move the exponent.
Bits round_magnitude(const FloatFormat& format, Fraction value) {
  const int precision = static_cast<int>(format.mantissa_bits) + 1;
  const int smallest = 1 - format.bias;
  const bool normal = value.exponent >= smallest;
  const int count = normal ? precision : precision - (smallest - value.exponent);
  if (count < 0) return {};
  Bits significand;
  for (int k = 0; k < count; ++k) {
    const bool bit = value.numerator.compare(value.denominator) >= 0;
    if (bit) value.numerator.subtract(value.denominator);
    significand = sum(sum(significand, significand), {bit ? 1u : 0u, 0});
    value.numerator.shift_left(1);
  }
  const int half = value.numerator.compare(value.denominator);
  if (half > 0 || (half == 0 && (significand.low & 1) != 0)) significand = sum(significand, {1, 0});
  if (!normal) return significand;
  // The hidden bit of the significand counts as one unit of the exponent field.
  const auto field = static_cast<std::uint64_t>(value.exponent + format.bias - 1);
  return sum(shifted(field, format.mantissa_bits), significand);
}

}  // namespace

std::optional<FloatFormat> float_format(std::uint8_t type) {
  using S = FloatFormat::Specials;
  switch (type) {
    case facts::tag::float16: return FloatFormat{5, 10, 15, S::infinities};
    case facts::tag::bfloat16: return FloatFormat{8, 7, 127, S::infinities};
    case facts::tag::float32: return FloatFormat{8, 23, 127, S::infinities};
    case facts::tag::float64: return FloatFormat{11, 52, 1023, S::infinities};
    case facts::tag::float128: return FloatFormat{15, 112, 16383, S::infinities};
    case facts::tag::float8_e4m3: return FloatFormat{4, 3, 7, S::nan_only};
    case facts::tag::float8_e5m2: return FloatFormat{5, 2, 15, S::infinities};
    case facts::tag::float4_e2m1: return FloatFormat{2, 1, 1, S::none};
    case facts::tag::float6_e2m3: return FloatFormat{2, 3, 1, S::none};
    case facts::tag::float6_e3m2: return FloatFormat{3, 2, 3, S::none};
    default: return std::nullopt;  // a type tag is any byte
  }
}

RoundedDecimal round_decimal(const FloatFormat& format, std::string_view literal) {
  const std::optional<Fraction> value = parse_fraction(literal);
  if (!value) return {{}, Rounding::not_a_number};
  if (value->zero) return {with_sign(format, {}, value->negative), Rounding::fits};
  if (value->exponent > format.bias + 1) return {{}, Rounding::too_large};
  const Bits magnitude = round_magnitude(format, *value);
  if (!less(magnitude, beyond_largest(format))) return {{}, Rounding::too_large};
  return {with_sign(format, magnitude, value->negative), Rounding::fits};
}

Bits exact_integer(const FloatFormat& format, std::int64_t value) {
  if (value == 0) return {};
  const std::uint64_t magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  const auto exponent = static_cast<unsigned>(std::bit_width(magnitude)) - 1;
  // As in round_magnitude: the leading one counts as one unit of the exponent field.
  const std::uint64_t field = exponent + static_cast<unsigned>(format.bias) - 1;
  return with_sign(format, sum(shifted(field, format.mantissa_bits), shifted(magnitude, format.mantissa_bits - exponent)), value < 0);
}

std::optional<int> exact_power_of_two(std::string_view literal) {
  const std::optional<Fraction> value = parse_fraction(literal);
  if (!value || value->zero || value->negative || value->numerator.compare(value->denominator) != 0) return std::nullopt;
  return value->exponent;
}

Bits infinity_pattern(const FloatFormat& format, bool negative) {
  return with_sign(format, beyond_largest(format), negative);
}

Bits nan_pattern(const FloatFormat& format, bool negative) {
  const Bits quiet = format.specials == FloatFormat::Specials::nan_only ? Bits{} : shifted(1, format.mantissa_bits - 1);
  return with_sign(format, sum(beyond_largest(format), quiet), negative);
}

std::optional<double> finite_value(const FloatFormat& format, const Bits& bits) {
  const unsigned width = format.exponent_bits + format.mantissa_bits;
  if (width > 63 || bits.high != 0) return std::nullopt;
  const std::uint64_t magnitude = bits.low & ((std::uint64_t{1} << width) - 1);
  if (!less({magnitude, 0}, beyond_largest(format))) return std::nullopt;
  const std::uint64_t field = magnitude >> format.mantissa_bits;
  const std::uint64_t hidden = field == 0 ? 0 : std::uint64_t{1} << format.mantissa_bits;
  const std::uint64_t mantissa = magnitude & ((std::uint64_t{1} << format.mantissa_bits) - 1);
  const int exponent = static_cast<int>(field == 0 ? 1 : field) - format.bias - static_cast<int>(format.mantissa_bits);
  const double value = std::ldexp(static_cast<double>(hidden + mantissa), exponent);
  return (bits.low >> width & 1) != 0 ? -value : value;
}

}  // namespace hurray::generators
