#include "generators/corpus/reading_view.h"


namespace hurray::generators {
namespace {

using nlohmann::json;
using reference::Descriptor;
using reference::Reading;
using reference::Tensor;

json integer(std::uint64_t value) {
  constexpr std::uint64_t most = (std::uint64_t{1} << 53) - 1;
  return value > most ? json(std::to_string(value)) : json(value);
}

json integers(const reference::U64Array& list) {
  json out = json::array();
  for (std::size_t i = 0; i < list.size(); ++i) out.push_back(integer(list[i]));
  return out;
}

/// A tag that no table knows is named by its byte: 0xf3.
std::string byte_name(std::uint8_t tag) {
  constexpr std::string_view digits = "0123456789abcdef";
  return std::string("0x") + digits[tag >> 4] + digits[tag & 15u];
}

template <std::size_t N>
std::string spelled(const std::string_view (&names)[N], std::uint8_t value) {
  return value < N && !names[value].empty() ? std::string(names[value]) : byte_name(value);
}

template <typename Row, std::size_t N>
std::string named(const Row (&table)[N], std::uint8_t tag) {
  const Row* row = facts::by_tag(table, tag);
  return row == nullptr ? byte_name(tag) : std::string(row->name);
}

json tensor_view(const Reading& reading, std::uint32_t at, facts::Surface surface);

void add_head(json& view, const Reading& reading, std::uint32_t at, facts::Surface surface) {
  const Tensor& head = reading.tensors[at];
  const reference::LayoutFields& fields = head.descriptor.layout;
  view["kind"] = "composite";
  view["rule"] = spelled(facts::composition_rules, fields.composition_rule);
  view["combine"] = spelled(facts::combine_ops, fields.combine_op);
  view["complete"] = surface == facts::Surface::descriptor ? fields.member_count == 0 : head.complete;
  json members = json::array();
  for (std::uint32_t member = at + 1; member < at + head.skip; member += reading.tensors[member].skip)
    members.push_back(tensor_view(reading, member, surface));
  view["members"] = std::move(members);
}

json tensor_view(const Reading& reading, std::uint32_t at, facts::Surface surface) {
  const Tensor& tensor = reading.tensors[at];
  const Descriptor& descriptor = tensor.descriptor;
  json view{{"kind", "tensor"},
            {"type", named(facts::element_types, descriptor.type_tag)},
            {"shape", integers(descriptor.shape)},
            {"layout", named(facts::layouts, descriptor.layout_tag)}};
  if (descriptor.at.shard != 0) {  // the flag alone does not say that the section was read
    view["offset"] = integers(descriptor.shard_offset);
    view["parent"] = integers(descriptor.parent_shape);
  }
  if (descriptor.at.composite_member != 0) view["role"] = spelled(facts::member_roles, descriptor.member_role);
  if (descriptor.quantization.scheme_tag != 0) view["scheme"] = named(facts::schemes, descriptor.quantization.scheme_tag);
  if (!tensor.name.empty()) view["name"] = tensor.name;
  if (descriptor.is_head()) add_head(view, reading, at, surface);
  return view;
}

}  // namespace

json view_of(const Reading& reading, facts::Surface surface) {
  json items = json::array();
  for (std::uint32_t at = 0; at < reading.tensors.size(); at += reading.tensors[at].skip)
    items.push_back(tensor_view(reading, at, surface));
  return items;
}

}  // namespace hurray::generators
