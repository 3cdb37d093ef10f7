#include "generators/corpus/reading_view.h"

#include <array>
#include <charconv>

namespace hurray::generators {
namespace {

using reference::Descriptor;
using reference::Reading;
using reference::Tensor;

/// Writes the keys and values of one entry after the other.
class ViewText {
 public:
  explicit ViewText(std::string& out) : out_(out) {}

  void tree(const Reading& reading, std::size_t position, bool with_members) {
    const Tensor& tensor = reading.tensors[position];
    described(tensor.descriptor);
    if (!tensor.name.empty()) {
      out_ += R"(,"name":)";
      out_ += nlohmann::json(tensor.name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
    if (tensor.descriptor.is_head()) composition(reading, position, with_members);
    out_ += '}';
  }

 private:
  void text(std::string_view key, std::string_view value) {
    out_ += ",\"";
    out_ += key;
    out_ += "\":\"";
    out_ += value;
    out_ += '"';
  }

  /// A tag that no table knows is named by its byte: 0xf3.
  void byte(std::string_view key, std::uint8_t value) {
    constexpr std::string_view digits = "0123456789abcdef";
    const char name[] = {'0', 'x', digits[value >> 4], digits[value & 15u]};
    text(key, {name, sizeof name});
  }

  template <typename Row>
  void name(std::string_view key, const Row* row, std::uint8_t tag) {
    if (row != nullptr) text(key, row->name);
    else byte(key, tag);
  }

  template <std::size_t N>
  void spelled(std::string_view key, const std::string_view (&names)[N], std::uint8_t value) {
    if (value < N && !names[value].empty()) text(key, names[value]);
    else byte(key, value);
  }

  void number(std::uint64_t value) {
    std::array<char, 20> digits;
    out_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  }

  void numbers(std::string_view key, const reference::U64Array& values) {
    constexpr std::uint64_t largest_exact = (std::uint64_t{1} << 53) - 1;  // beyond it a JSON number may lose digits
    out_ += ",\"";
    out_ += key;
    out_ += "\":[";
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i != 0) out_ += ',';
      const char* quote = values[i] > largest_exact ? "\"" : "";
      out_ += quote;
      number(values[i]);
      out_ += quote;
    }
    out_ += ']';
  }

  void described(const Descriptor& d) {
    out_ += d.is_head() ? R"({"kind":"composite")" : R"({"kind":"tensor")";
    name("type", facts::element_type(d.type_tag), d.type_tag);
    numbers("shape", d.shape);
    name("layout", facts::layout(d.layout_tag), d.layout_tag);
    if (d.at.shard != 0) {  // the flag alone does not say that the section was read
      numbers("offset", d.shard_offset);
      numbers("parent", d.parent_shape);
    }
    if (d.at.composite_member != 0) spelled("role", facts::member_roles, d.member_role);
    const std::uint8_t scheme = d.quantization.scheme_tag;
    if (scheme != 0) name("scheme", facts::scheme(scheme), scheme);
  }

  void composition(const Reading& reading, std::size_t position, bool with_members) {
    const Tensor& tensor = reading.tensors[position];
    const reference::LayoutFields& layout = tensor.descriptor.layout;
    spelled("rule", facts::composition_rules, layout.composition_rule);
    spelled("combine", facts::combine_ops, layout.combine_op);
    out_ += tensor.complete ? R"(,"complete":true,"members":[)" : R"(,"complete":false,"members":[)";
    const std::size_t first = position + 1;
    for (std::size_t next = first; with_members && next < position + tensor.skip; next += reading.tensors[next].skip) {
      if (next != first) out_ += ',';
      tree(reading, next, true);
    }
    out_ += ']';
  }

  std::string& out_;
};

}  // namespace

void append_view(std::string& out, const Reading& reading, facts::Surface surface) {
  out += '[';
  for (std::size_t next = 0; next < reading.tensors.size(); next += reading.tensors[next].skip) {
    if (next != 0) out += ',';
    ViewText(out).tree(reading, next, surface != facts::Surface::descriptor);
  }
  out += ']';
}

nlohmann::json view_of(const Reading& reading, facts::Surface surface) {
  std::string text;
  append_view(text, reading, surface);
  return nlohmann::json::parse(text);
}

}  // namespace hurray::generators
