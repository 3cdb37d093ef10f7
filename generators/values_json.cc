#include <algorithm>

#include "generators/addressing.h"
#include "generators/node_json.h"
#include "generators/storage.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;

Bits read_element(JsonReader& reader, const ElementFormat& format, const Json& value, const std::string& path) {
  EncodedElement element;
  if (value.is_array() && is_complex(format.type) && value.size() == 2) {
    const std::optional<std::string> real = literal_of(value[0]), imaginary = literal_of(value[1]);
    if (real && imaginary) element = encode_complex(format.type, *real, *imaginary);
    else element.error = "expected two numbers, found " + value.dump();
  } else if (const std::optional<std::string> literal = literal_of(value)) {
    element = encode_element(format, *literal);
  } else {
    element.error = "expected a number or a string, found " + value.dump();
  }
  if (!element.error.empty()) reader.fail(path, element.error);
  return element.bits;
}

/// Elements of a private layout are bytes.
ElementFormat stored_format(const Node& node) {
  if (std::holds_alternative<PrivateLayout>(node.layout)) return {facts::tag::uint8, nullptr};
  return format_of(node);
}

bool read_pattern(JsonReader& reader, const std::string& name, const std::string& path, std::uint64_t count, Node& node) {
  const ElementFormat format = stored_format(node);
  if (name == "zeros" || name == "ones") {
    const Bits zero = format.type == facts::tag::float8_e8m0 ? Bits{1, 0} : Bits{};
    node.elements.assign(count, name == "ones" ? encode_element(format, "1").bits : zero);
    return true;
  }
  if (name.substr(0, 4) != "iota") return false;
  std::int64_t start = 0;
  if (name.size() > 4) {
    const std::string_view digits = std::string_view(name).substr(5);
    const std::optional<WholeNumber> number = whole_number(digits);
    const bool signed_start = name[4] == '+' || name[4] == '-';
    if (!signed_start || !number || number->negative || number->magnitude > INT32_MAX)
      return reader.fail(path, "expected \"iota+N\" or \"iota-N\", found \"" + name + "\""), true;
    start = static_cast<std::int64_t>(number->magnitude) * (name[4] == '-' ? -1 : 1);
  }
  node.elements.clear();
  node.elements.reserve(count);
  for (std::uint64_t k = 0; k < count; ++k) node.elements.push_back(iota_element(format, start + static_cast<std::int64_t>(k)));
  return true;
}

bool is_open(const Node& node) {
  return std::holds_alternative<PrivateLayout>(node.layout) ||
         std::find(node.shape.begin(), node.shape.end(), facts::limit::dynamic) != node.shape.end();
}

void adapt(std::vector<Bits>& elements, std::uint64_t count) {
  const std::size_t given = elements.size();
  if (given == 0) return elements.assign(count, Bits{});
  elements.resize(std::min<std::uint64_t>(given, count));
  for (std::size_t k = given; k < count; ++k) elements.push_back(elements[k - given]);
}

Json print_element(const ElementFormat& format, const Bits& bits) {
  const auto print = [](const std::string& literal) {
    const Json number = Json::parse(literal, nullptr, false);
    return number.is_number() && literal != "-0.0" ? number : Json(literal);
  };
  if (format.type == facts::tag::complex64) {
    const ElementFormat part{facts::tag::float32, nullptr};
    return {print(element_literal(part, {bits.low & 0xFFFFFFFF, 0})), print(element_literal(part, {bits.low >> 32, 0}))};
  }
  if (format.type == facts::tag::complex128) {
    const ElementFormat part{facts::tag::float64, nullptr};
    return {print(element_literal(part, {bits.low, 0})), print(element_literal(part, {bits.high, 0}))};
  }
  return print(element_literal(format, bits));
}

}  // namespace

void read_values(JsonReader& reader, const Json& value, const std::string& path, Lengths lengths, Node& node) {
  const ElementCount expected = count_elements(node);
  if (packing_of(stored_format(node)).bits == 0) return reader.fail(path, "the type has no element width to write values in");
  if (!expected.error.empty()) return reader.fail(path, expected.error);
  if (value.is_null()) return void(read_pattern(reader, "iota", path, expected.count, node));
  if (value.is_string() && read_pattern(reader, value.get<std::string>(), path, expected.count, node)) return;
  if (!value.is_array()) return reader.fail(path, "expected a list, \"iota\", \"iota+N\", \"zeros\" or \"ones\", found " + value.dump());
  if (value.size() > most_elements) return reader.fail(path, "more values than this writer gives");
  node.elements = reader.list(value, path, [&](const Json& each, const std::string& at) {
    return read_element(reader, stored_format(node), each, at);
  });
  // Elements that share storage may also be listed in full.
  if (node.elements.size() == expected.count || node.elements.size() == count_elements(node).count || is_open(node)) return;
  if (lengths == Lengths::adapted) return adapt(node.elements, expected.count);
  reader.fail(path, "expected " + std::to_string(expected.count) + " values, found " + std::to_string(value.size()));
}

Json print_values(const Node& node, Detail detail) {
  if (detail == Detail::brief) {
    Node other = node;
    JsonReader reader;
    for (const char* pattern : {"iota", "zeros", "ones"}) {
      const ElementCount expected = count_elements(node);
      if (!expected.error.empty()) break;
      read_pattern(reader, pattern, {}, expected.count, other);
      if (other.elements == node.elements) return pattern;
    }
  }
  const ElementFormat format = stored_format(node);
  Json out = Json::array();
  for (const Bits& bits : node.elements) out.push_back(print_element(format, bits));
  return out;
}

}  // namespace hurray::generators
