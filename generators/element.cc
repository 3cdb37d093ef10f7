#include "generators/element.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "generators/decimal.h"

namespace hurray::generators {
namespace {

constexpr std::uint64_t ones(std::uint32_t bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

bool fits(const Bits& value, std::uint32_t bits) {
  if (bits >= 128) return true;
  if (bits > 64) return (value.high & ~ones(bits - 64)) == 0;
  return value.high == 0 && (value.low & ~ones(bits)) == 0;
}

EncodedElement failed(std::string message) { return {{}, std::move(message)}; }

EncodedElement encode_pattern(std::string_view digits, std::uint32_t bits) {
  Bits value;
  if (digits.empty() || digits.size() > 32) return failed("a bit pattern has 1 to 32 hexadecimal digits after 0x");
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) return failed("0x" + std::string(digits) + " is not hexadecimal");
    value.high = value.high << 4 | value.low >> 60;
    value.low = value.low << 4 | static_cast<std::uint64_t>(digit);
  }
  if (!fits(value, bits)) return failed("0x" + std::string(digits) + " is wider than " + std::to_string(bits) + " bits");
  return {value, {}};
}

template <typename Integer>
std::optional<Integer> whole(std::string_view text) {
  Integer value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

EncodedElement encode_signed(std::string_view literal, std::uint32_t bits) {
  const std::optional<std::int64_t> value = whole<std::int64_t>(literal);
  const std::int64_t limit = static_cast<std::int64_t>(ones(bits - 1));
  if (!value || *value > limit || *value < -limit - 1)
    return failed(std::string(literal) + " is not an integer from " + std::to_string(-limit - 1) + " to " + std::to_string(limit));
  return {{static_cast<std::uint64_t>(*value) & ones(bits), 0}, {}};
}

EncodedElement encode_unsigned(std::string_view literal, std::uint32_t bits) {
  const std::optional<std::uint64_t> value = whole<std::uint64_t>(literal);
  if (!value || *value > ones(bits))
    return failed(std::string(literal) + " is not an integer from 0 to " + std::to_string(ones(bits)));
  return {{*value, 0}, {}};
}

EncodedElement encode_float(std::uint8_t type, const FloatFormat& format, std::string_view literal) {
  const std::string name(facts::element_type(type)->name);
  if (literal == "nan" || literal == "-nan") {
    if (format.specials == FloatFormat::Specials::none) return failed(name + " has no NaN");
    return {nan_pattern(format, literal.front() == '-'), {}};
  }
  if (literal == "inf" || literal == "-inf") {
    if (format.specials != FloatFormat::Specials::infinities) return failed(name + " has no infinity");
    return {infinity_pattern(format, literal.front() == '-'), {}};
  }
  const RoundedDecimal rounded = round_decimal(format, literal);
  switch (rounded.outcome) {
    case Rounding::fits: return {rounded.bits, {}};
    case Rounding::too_large: return failed(std::string(literal) + " is beyond the largest " + name);
    case Rounding::not_a_number: break;
  }
  return failed("\"" + std::string(literal) + R"(" is no number, "nan", "-nan", "inf", "-inf" or "0x…")");
}

EncodedElement encode_exponent(std::string_view literal) {
  const std::optional<int> power = exact_power_of_two(literal);
  if (!power || *power < -126 || *power > 127)
    return failed(std::string(literal) + " is not a power of two from 2^-126 to 2^127 (or write its code as 0x…)");
  return {{static_cast<std::uint64_t>(*power + 127), 0}, {}};
}

std::uint8_t component_type(std::uint8_t type) {
  return type == facts::tag::complex64 ? facts::tag::float32 : facts::tag::float64;
}

Bits joined(std::uint8_t type, const Bits& real, const Bits& imaginary) {
  return type == facts::tag::complex64 ? Bits{real.low | imaginary.low << 32, 0} : Bits{real.low, imaginary.low};
}

std::uint64_t iota_period(const FloatFormat& format) {
  const std::uint64_t exact = std::uint64_t{1} << (format.mantissa_bits + 1 > 53 ? 53 : format.mantissa_bits + 1);
  // float6_e2m3 counts to 7, float4_e2m1 to 3: both stop below their largest value.
  const std::uint64_t largest = format.specials == FloatFormat::Specials::none
                                    ? std::uint64_t{1} << ((1u << format.exponent_bits) - static_cast<unsigned>(format.bias))
                                    : exact;
  return exact < largest ? exact : largest;
}

std::string hexadecimal(const Bits& bits) {
  std::array<char, 17> text{};
  std::string out = "0x";
  if (bits.high != 0) {
    const auto high = std::to_chars(text.data(), text.data() + 16, bits.high, 16);
    out.append(text.data(), high.ptr);
    const auto low = std::to_chars(text.data(), text.data() + 16, bits.low, 16);
    out.append(16 - static_cast<std::size_t>(low.ptr - text.data()), '0');
    return out.append(text.data(), low.ptr);
  }
  const auto low = std::to_chars(text.data(), text.data() + 16, bits.low, 16);
  return out.append(text.data(), low.ptr);
}

std::string float_literal(const FloatFormat& format, const Bits& bits) {
  const std::optional<double> value = finite_value(format, bits);
  if (value) {
    if (*value == 0 && std::signbit(*value)) return "-0.0";
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), *value);
    return {text.data(), end.ptr};
  }
  const unsigned width = format.exponent_bits + format.mantissa_bits;
  if (width > 63 || format.specials != FloatFormat::Specials::infinities) return hexadecimal(bits);
  if (bits == infinity_pattern(format, false)) return "inf";
  if (bits == infinity_pattern(format, true)) return "-inf";
  return hexadecimal(bits);
}

}  // namespace

bool is_complex(std::uint8_t type) { return type == facts::tag::complex64 || type == facts::tag::complex128; }

Packing packing_of(const ElementFormat& format) {
  if (const facts::ElementType* known = facts::element_type(format.type))
    return {known->bits, known->packing, known->group_bytes};
  if (format.extension == nullptr || format.extension->bit_width == 0) return {0, 1, 1};
  const std::uint32_t bits = format.extension->bit_width;
  if (bits < 8) return {bits, 8 / bits, 1};
  return {bits, 1, bits / 8 + (bits % 8 != 0 ? 1 : 0)};
}

EncodedElement encode_element(const ElementFormat& format, std::string_view literal) {
  const std::uint32_t bits = packing_of(format).bits;
  if (literal.substr(0, 2) == "0x") return encode_pattern(literal.substr(2), bits);
  const facts::ElementType* known = facts::element_type(format.type);
  if (known == nullptr) return encode_unsigned(literal, bits < 64 ? bits : 64);
  switch (known->kind) {
    case facts::Kind::binary_float:
    case facts::Kind::small_float: return encode_float(format.type, *float_format(format.type), literal);
    case facts::Kind::exponent: return encode_exponent(literal);
    case facts::Kind::signed_integer: return encode_signed(literal, bits);
    case facts::Kind::unsigned_integer:
    case facts::Kind::boolean: return encode_unsigned(literal, bits);
    case facts::Kind::complex: break;
  }
  return encode_complex(format.type, literal, "0");
}

EncodedElement encode_complex(std::uint8_t type, std::string_view real, std::string_view imaginary) {
  const ElementFormat component{component_type(type), nullptr};
  const EncodedElement a = encode_element(component, real), b = encode_element(component, imaginary);
  if (!a.error.empty() || !b.error.empty()) return failed(a.error.empty() ? b.error : a.error);
  return {joined(type, a.bits, b.bits), {}};
}

Bits iota_element(const ElementFormat& format, std::int64_t position) {
  if (is_complex(format.type)) {
    const ElementFormat component{component_type(format.type), nullptr};
    return joined(format.type, iota_element(component, position), iota_element(component, position + 1));
  }
  if (format.type == facts::tag::float8_e8m0) return {1 + static_cast<std::uint64_t>(position % 254 + 254) % 254, 0};
  if (const std::optional<FloatFormat> floating = float_format(format.type))
    return exact_integer(*floating, position % static_cast<std::int64_t>(iota_period(*floating)));
  return {static_cast<std::uint64_t>(position) & ones(packing_of(format).bits), 0};
}

std::string element_literal(const ElementFormat& format, const Bits& bits) {
  const facts::ElementType* known = facts::element_type(format.type);
  if (known != nullptr && known->kind == facts::Kind::signed_integer) {
    const std::uint64_t sign = std::uint64_t{1} << (known->bits - 1);
    return std::to_string(static_cast<std::int64_t>((bits.low ^ sign) - sign));
  }
  if (known != nullptr && (known->kind == facts::Kind::unsigned_integer || known->kind == facts::Kind::boolean))
    return std::to_string(bits.low);
  const std::optional<FloatFormat> floating = float_format(format.type);
  return floating ? float_literal(*floating, bits) : hexadecimal(bits);
}

}  // namespace hurray::generators
