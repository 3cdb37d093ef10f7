#include "generators/matrix/properties.h"

#include <algorithm>

#include "generators/descriptor_writer.h"
#include "generators/matrix/names.h"

namespace hurray::generators {
namespace {

using nlohmann::json;

json absent() { return json(nullptr); }

template <typename List>
json list_of(const List& list) {
  json out = json::array();
  for (const auto& value : list) out.push_back(value);
  return out;
}

std::uint64_t element_count(const Shape& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : shape) {
    if (size == 0) return 0;
    count = count > ~std::uint64_t{0} / size ? ~std::uint64_t{0} : count * size;
  }
  return count;
}

std::size_t buffer_count(const Node& node) {
  if (node.head) return 0;
  const std::string layout = layout_name(node);
  std::size_t count = layout == "coo" ? 2 : layout == "csr" || layout == "csc" || layout == "block-paged" ? 3 : 1;
  if (layout == "csf") count = 2 * node.shape.size() + 1;
  if (const auto* channel = std::get_if<PerChannelAffine>(&node.scheme)) return count + (channel->symmetric ? 1 : 2);
  if (const auto* block = std::get_if<PerBlockAffine>(&node.scheme)) return count + (block->symmetric ? 1 : 2);
  return count + (std::holds_alternative<Nf4>(node.scheme) || std::holds_alternative<Mxfp>(node.scheme) ? 1 : 0);
}

bool is_of(const Node& node, std::initializer_list<facts::Kind> kinds) {
  const facts::ElementType* type = facts::element_type(node.type);
  return type != nullptr && std::find(kinds.begin(), kinds.end(), type->kind) != kinds.end();
}

bool has_addressing(const Node& node, facts::Addressing addressing) {
  const facts::Layout* layout = facts::layout(layout_tag_of(node));
  return layout != nullptr && layout->addressing == addressing;
}

/// Heads on the longest way down, the node itself included; 0 of a plain tensor.
std::uint64_t height(const Node& node) {
  std::uint64_t below = 0;
  for (const Node& member : node.members) below = std::max(below, height(member));
  return node.head ? below + 1 : 0;
}

Property computed(const BoundBase& base, const BoundNode& bound, std::string_view name) {
  const Node& node = *bound.node;
  const facts::ElementType* type = facts::element_type(node.type);
  if (name == "rank") return {true, node.shape.size()};
  if (name == "index") return {true, bound.index};
  if (name == "last") return {true, bound.index + 1 == bound.siblings};
  if (name == "depth") return {true, bound.depth};
  if (name == "height") return {true, height(node)};
  if (name == "count") return {true, node.members.size()};
  if (name == "siblings") return {true, bound.siblings};
  if (name == "composite") return {true, node.head.has_value()};
  if (name == "top") return {true, bound.parent == BoundNode::none};
  if (name == "dense") return {true, has_addressing(node, facts::Addressing::dense)};
  if (name == "sparse") return {true, has_addressing(node, facts::Addressing::sparse)};
  if (name == "quantized") return {true, scheme_name(node) != "none"};
  if (name == "subbyte") return {true, type != nullptr && type->bits < 8};
  if (name == "bits") return {true, type == nullptr ? absent() : json(type->bits)};
  if (name == "tier") return {true, type == nullptr ? absent() : json(type->tier)};
  if (name == "empty") return {true, element_count(node.shape) == 0};
  if (name == "dynamic") return {true, std::count(node.shape.begin(), node.shape.end(), ~std::uint64_t{0}) > 0};
  if (name == "private") return {true, facts::is_private(node.type)};
  if (name == "float") return {true, is_of(node, {facts::Kind::binary_float, facts::Kind::small_float})};
  if (name == "integer") return {true, is_of(node, {facts::Kind::signed_integer, facts::Kind::unsigned_integer})};
  if (name == "signed") return {true, is_of(node, {facts::Kind::signed_integer})};
  if (name == "buffers") return {true, buffer_count(node)};
  if (name == "elements") return {true, element_count(node.shape)};
  if (name == "stored") return {true, node.elements.size()};
  (void)base;
  return {};
}

Property modelled(const Node& node, std::string_view name) {
  if (name == "type") return {true, type_name(node.type)};
  if (name == "layout") return {true, node.head ? json("composite") : json(layout_name(node))};
  if (name == "scheme") return {true, scheme_name(node) == "none" ? absent() : json(scheme_name(node))};
  if (name == "shape") return {true, list_of(node.shape)};
  if (name == "rule") return {true, node.head ? json(facts::composition_rules[node.head->rule % 4]) : absent()};
  if (name == "combine") return {true, node.head ? json(facts::combine_ops[node.head->combine % 3]) : absent()};
  if (name == "shard") return {true, node.shard.has_value()};
  if (name == "offset") return {true, node.shard ? list_of(node.shard->offset) : absent()};
  if (name == "parent") return {true, node.shard ? list_of(node.shard->parent) : absent()};
  if (name == "role") return {true, node.role ? json(facts::member_roles[*node.role % 2]) : absent()};
  if (name == "statistics") return {true, node.statistics.has_value()};
  if (name == "extension") return {true, node.extension.has_value()};
  if (name == "byte_offset") return {true, node.byte_offset ? json(*node.byte_offset) : absent()};
  if (name == "spare_bytes") return {true, node.spare_bytes};
  if (name == "padding") return {true, node.padding};
  if (name == "device") return {true, device_name(node.device)};
  if (name == "sync") return {true, node.sync};
  if (name == "memory") return {true, node.memory < 4 ? json(facts::memory_classes[node.memory]) : json(node.memory)};
  if (name == "alignment") return {true, node.alignment};
  if (name == "version_minor") return {true, node.version_minor};
  if (name == "trailing") return {true, node.trailing.empty() ? absent() : json(true)};
  if (name == "name") return {true, node.name.empty() ? absent() : json(node.name)};
  return {};
}

Property of_scheme(const Node& node, std::string_view name) {
  const bool symmetric = name == "symmetric", axis = name == "axis", block = name == "block", scale = name == "scale";
  if (!symmetric && !axis && !block && !scale) return {};
  if (const auto* scheme = std::get_if<PerChannelAffine>(&node.scheme))
    return {true, symmetric ? json(scheme->symmetric) : axis ? json(scheme->axis) : absent()};
  if (const auto* scheme = std::get_if<PerBlockAffine>(&node.scheme))
    return {true, symmetric ? json(scheme->symmetric) : axis ? json(scheme->axis) : block ? json(scheme->block)
                                                                                           : json(type_name(scheme->scale_type))};
  if (const auto* scheme = std::get_if<Nf4>(&node.scheme))
    return {true, axis ? json(scheme->axis) : block ? json(scheme->block) : absent()};
  if (const auto* scheme = std::get_if<Mxfp>(&node.scheme))
    return {true, axis ? json(scheme->axis) : block ? json(scheme->block) : absent()};
  return {true, absent()};
}

Property of_extension(const Node& node, std::string_view name) {
  if (!node.extension) return {true, absent()};
  const ExtensionType& type = *node.extension;
  if (name == "bit_width") return {true, type.bit_width};
  if (name == "is_float") return {true, type.is_float};
  if (name == "is_signed") return {true, type.is_signed};
  if (name == "sign_bits") return {true, type.sign_bits};
  if (name == "exponent_bits") return {true, type.exponent_bits};
  if (name == "mantissa_bits") return {true, type.mantissa_bits};
  if (name == "exponent_bias") return {true, type.exponent_bias};
  if (name == "has_nan") return {true, type.has_nan};
  if (name == "has_inf") return {true, type.has_inf};
  return {};
}

/// What the base says under a dotted name (layout.coo.sorted); absent where it says nothing. The first word is a key.
Property as_written(const json& written, std::string_view name) {
  const json* at = &written;
  while (!name.empty()) {
    const std::size_t dot = name.find('.');
    const std::string word(name.substr(0, dot));
    if (!at->is_object() || !at->contains(word)) return {true, absent()};
    at = &at->at(word);
    name = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
  }
  return {true, *at};
}

Property element_of(Property list, std::size_t index) {
  if (list.value.is_array()) return {true, index < list.value.size() ? list.value[index] : absent()};
  return list;
}

}  // namespace

Property node_property(const BoundBase& base, std::size_t node, std::string_view name) {
  const BoundNode& bound = base.nodes[node];
  if (const std::size_t open = name.find('['); open != std::string_view::npos && name.back() == ']') {
    const std::string digits(name.substr(open + 1, name.size() - open - 2));
    return element_of(node_property(base, node, name.substr(0, open)), std::stoul("0" + digits));
  }
  if (Property found = modelled(*bound.node, name); found.known) return found;
  if (Property found = computed(base, bound, name); found.known) return found;
  if (Property found = of_scheme(*bound.node, name); found.known) return found;
  const std::string_view key = name.substr(0, name.find('.'));
  if (key == "extension") return of_extension(*bound.node, name.substr(key.size() + 1));
  const bool nested = key != name && (key == "layout" || key == "scheme" || key == "statistics");
  if (nested || key == "values") return as_written(*bound.written, name);
  return {};
}

Property base_property(const BoundBase& base, std::string_view name) {
  const FileOptions& file = base.model.file;
  if (name == "base") return {true, base.name};
  if (name == "items") return {true, base.model.items.size()};
  if (name == "nodes") return {true, base.nodes.size()};
  if (name == "framed.stream_id") return {true, base.model.framed.stream_id};
  if (name == "framed.frame_bytes") return {true, base.model.framed.frame_bytes};
  if (name == "file.alignment") return {true, file.alignment};
  if (name == "file.sorted") return {true, file.sorted};
  if (name == "file.checksum") return {true, file.checksum};
  if (name == "file.kv") return {true, file.kv.empty() ? absent() : json(file.kv.size())};
  if (name == "file.index_order") return {true, file.index_order.empty() ? absent() : list_of(file.index_order)};
  if (name == "file.count_hint") return {true, file.count_hint ? json(*file.count_hint) : absent()};
  if (name == "file.version_minor") return {true, file.version_minor};
  return {};
}

bool satisfies(const json& value, const json& condition, std::string& error) {
  if (condition.is_boolean()) {
    if (value.is_boolean()) return value == condition;
    return !value.is_null() == condition.get<bool>();
  }
  if (condition.is_array())
    return value == condition ||
           std::any_of(condition.begin(), condition.end(), [&](const json& one) { return satisfies(value, one, error); });
  if (!condition.is_object()) return value == condition;
  bool all = true;
  for (const auto& bound : condition.items()) {
    if (bound.key() == "min") {
      all = all && value.is_number() && value >= bound.value();
    } else if (bound.key() == "max") {
      all = all && value.is_number() && value <= bound.value();
    } else if (bound.key() == "not") {
      all = all && !satisfies(value, bound.value(), error);
    } else {
      error = "`when` knows min, max and not, no '" + bound.key() + "'";
      return false;
    }
  }
  return all;
}

}  // namespace hurray::generators
