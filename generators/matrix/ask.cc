#include "generators/matrix/ask.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <optional>

#include "generators/matrix/data.h"
#include "generators/matrix/names.h"
#include "generators/oracle.h"

namespace hurray::generators {
namespace {

using nlohmann::json;

std::optional<std::uint64_t> integer(const json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (!value.is_string()) return std::nullopt;
  const std::string digits = value.get<std::string>();
  std::uint64_t out = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (failed != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return out;
}

/// The number that a bit pattern of a real type stands for; exact for every type of at most 64 bits.
std::optional<double> number_of(const facts::ElementType& type, Bits bits) {
  switch (type.kind) {
    case facts::Kind::boolean:
    case facts::Kind::unsigned_integer: return static_cast<double>(bits.low);
    case facts::Kind::signed_integer: {
      const unsigned shift = 64u - type.bits;
      return static_cast<double>(static_cast<std::int64_t>(bits.low << shift) >> shift);
    }
    case facts::Kind::binary_float: {
      if (type.tag == facts::tag::float32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits.low));
      if (type.tag == facts::tag::bfloat16) return std::bit_cast<float>(static_cast<std::uint32_t>(bits.low << 16));
      if (type.tag == facts::tag::float64) return std::bit_cast<double>(bits.low);
      if (type.tag != facts::tag::float16) return std::nullopt;
      const int exponent = static_cast<int>(bits.low >> 10 & 31u);
      const double mantissa = static_cast<double>(bits.low & 1023u);
      if (exponent == 31) return std::nullopt;
      const double size = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024, exponent - 25);
      return (bits.low >> 15) != 0 ? -size : size;
    }
    case facts::Kind::small_float:
    case facts::Kind::exponent:
    case facts::Kind::complex: return std::nullopt;
  }
  return std::nullopt;
}

/// Whether `pattern` is what the case wrote as type:value; nothing where that text cannot be read.
std::optional<bool> is_value(std::uint8_t type_tag, Bits pattern, std::string_view text) {
  if (text.substr(0, 2) == "0x") {
    Bits wanted;
    for (const char digit : text.substr(2)) {
      std::uint8_t nibble = 0;
      if (std::from_chars(&digit, &digit + 1, nibble, 16).ec != std::errc()) return std::nullopt;
      wanted = {wanted.low << 4 | nibble, wanted.high << 4 | wanted.low >> 60};
    }
    return wanted == pattern;
  }
  const facts::ElementType* type = facts::element_type(type_tag);
  double wanted = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), wanted);
  if (failed != std::errc() || end != text.data() + text.size() || type == nullptr) return std::nullopt;
  const std::optional<double> got = number_of(*type, pattern);
  if (!got) return std::nullopt;
  return *got == wanted && std::signbit(*got) == std::signbit(wanted);
}

std::string check_value(const std::string& written, std::uint8_t type, const AdmissibleElement& admitted) {
  const std::size_t colon = written.find(':');
  const std::string name = written.substr(0, colon), text = colon == std::string::npos ? "" : written.substr(colon + 1);
  if (name != type_name(type)) return "expects a value of type " + name + ", but the view's type is " + type_name(type);
  if (!admitted.exact()) return "expects one value, but " + admitted.reading + " admits several; leave `value` out";
  const std::optional<bool> same = is_value(type, admitted.patterns[0], text);
  if (!same) return "expects '" + text + "', which cannot be compared as " + name + "; write the bits as 0x…";
  return *same ? "" : "expects " + written + ", but the oracle computes another value";
}

std::string ask_lookup(ValueQuestion& question, const json& index, const json& expect, const Node& node) {
  question.kind = ValueQuestion::Kind::lookup;
  for (const json& axis : index) {
    const std::optional<std::uint64_t> at = integer(axis);
    if (!at) return "`lookup` must be a list of indices";
    question.index.push_back(*at);
  }
  if (question.index.size() != node.shape.size()) return "`lookup` needs one index a dimension of the item";
  for (std::size_t axis = 0; axis < question.index.size(); ++axis)
    if (question.index[axis] >= node.shape[axis]) return "`lookup` lies outside the item's shape";
  if (!question.claims) return "";
  std::optional<AdmissibleElement> admitted = oracle_element(node, question.index);
  if (!admitted) return "the element has no value to ask for";
  question.elements.push_back(std::move(*admitted));
  return expect.contains("value") ? check_value(text_of(expect, "value"), question.type, question.elements[0]) : "";
}

std::string ask_merge(ValueQuestion& question, const Node& node) {
  question.kind = ValueQuestion::Kind::merge;
  if (!question.claims) return "";
  std::optional<std::vector<AdmissibleElement>> view = oracle_view(node);
  if (!view) return "the item has no view to ask for, or one of more than a million elements; use `lookup`";
  question.elements = std::move(*view);
  return "";
}

}  // namespace

AskedQuestion ask(const json& entry, const Model& model, bool claims) {
  AskedQuestion asked;
  asked.question.claims = claims;
  const json expect = entry.value("expect", json::object());
  const bool lookup = entry.contains("lookup"), merge = entry.contains("merge");
  if (!lookup && !merge) {
    if (expect.contains("value")) asked.error = "expects a value without asking for one; add `lookup`";
    return asked;
  }
  asked.question.item = entry.value("item", std::uint64_t{0});
  if (asked.question.item >= model.items.size()) {
    asked.error = "`item` lies beyond the last item";
    return asked;
  }
  const Node& node = model.items[asked.question.item];
  asked.question.type = view_type(node);
  asked.error = lookup ? ask_lookup(asked.question, entry.at("lookup"), expect, node) : ask_merge(asked.question, node);
  return asked;
}

}  // namespace hurray::generators
