#include "harness/reference_view.h"

#include <fmt/format.h>

namespace hurray::harness {
namespace {

using nlohmann::json;
using reference::Descriptor;
using reference::Reading;
using reference::Tensor;

std::string byte_name(std::uint8_t tag) { return fmt::format("0x{:02x}", tag); }

template <typename Row>
std::string name_or_byte(const Row* row, std::uint8_t tag) {
  return row != nullptr ? std::string(row->name) : byte_name(tag);
}

template <std::size_t N>
std::string spelled_or_byte(const std::string_view (&names)[N], std::uint8_t value) {
  return value < N && !names[value].empty() ? std::string(names[value]) : byte_name(value);
}

json numbers(const reference::U64Array& values) {
  constexpr std::uint64_t largest_exact = (std::uint64_t{1} << 53) - 1;  // beyond it a JSON number may lose digits
  json list = json::array();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] > largest_exact) list.push_back(std::to_string(values[i]));
    else list.push_back(values[i]);
  }
  return list;
}

json described(const Descriptor& d) {
  json item{{"kind", d.is_head() ? "composite" : "tensor"},
            {"type", name_or_byte(facts::element_type(d.type_tag), d.type_tag)},
            {"shape", numbers(d.shape)},
            {"layout", name_or_byte(facts::layout(d.layout_tag), d.layout_tag)}};
  if (d.at.shard != 0) {
    item["offset"] = numbers(d.shard_offset);
    item["parent"] = numbers(d.parent_shape);
  }
  if (d.at.composite_member != 0) item["role"] = spelled_or_byte(facts::member_roles, d.member_role);
  const std::uint8_t scheme = d.quantization.scheme_tag;
  if (scheme != 0) item["scheme"] = name_or_byte(facts::scheme(scheme), scheme);
  return item;
}

json tree(const Reading& reading, std::size_t position, bool with_members) {
  const Tensor& tensor = reading.tensors[position];
  json item = described(tensor.descriptor);
  if (!tensor.name.empty()) item["name"] = tensor.name;
  if (!tensor.descriptor.is_head()) return item;
  const reference::LayoutFields& layout = tensor.descriptor.layout;
  item["rule"] = spelled_or_byte(facts::composition_rules, layout.composition_rule);
  item["combine"] = spelled_or_byte(facts::combine_ops, layout.combine_op);
  item["complete"] = with_members ? tensor.complete : layout.member_count == 0;
  json members = json::array();
  for (std::size_t next = position + 1; with_members && next < position + tensor.skip; next += reading.tensors[next].skip)
    members.push_back(tree(reading, next, true));
  item["members"] = std::move(members);
  return item;
}

}  // namespace

json reference_view(const Reading& reading, facts::Surface surface) {
  json items = json::array();
  for (std::size_t next = 0; next < reading.tensors.size(); next += reading.tensors[next].skip)
    items.push_back(tree(reading, next, surface != facts::Surface::descriptor));
  return items;
}

}  // namespace hurray::harness
