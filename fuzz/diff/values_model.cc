#include "fuzz/diff/values_model.h"

#include "generators/oracle.h"
#include "reference/merge.h"

namespace hurray::fuzz {
namespace {

using generators::Node;
using reference::Descriptor;
using reference::Reading;

/// Beyond this width the difference of code and zero-point need not fit a float32, and two roundings are admissible.
constexpr unsigned widest_code = 16;

std::optional<std::uint64_t> count_of(const Descriptor& d, std::uint64_t most) {
  std::uint64_t count = 1;
  bool fits = true;
  for (std::size_t k = 0; k < d.shape.size(); ++k) {
    if (d.shape[k] == 0) return 0;
    fits = fits && d.shape[k] <= most / count;
    if (fits) count *= d.shape[k];
  }
  return fits ? std::optional(count) : std::nullopt;
}

bool is_float_nan(const generators::Bits& bits) { return (bits.low & 0x7f800000u) == 0x7f800000u && (bits.low & 0x007fffffu) != 0; }

/// Under a head of another type decoded values are rounded once more, and how is left to AMB-01.
bool keeps_float32(const Reading& reading, const reference::Tensor& tensor) {
  return tensor.enclosing == reference::Tensor::none || reading.tensors[tensor.enclosing].descriptor.type_tag == facts::tag::float32;
}

bool is_sparse(const Descriptor& d) {
  const facts::Layout* layout = facts::layout(d.layout_tag);
  return layout != nullptr && layout->addressing == facts::Addressing::sparse;
}

std::optional<Node> leaf(const Reading& reading, std::uint32_t number, std::uint64_t most) {
  const Descriptor& d = reading.tensors[number].descriptor;
  const facts::ElementType* type = facts::element_type(d.type_tag);
  const std::optional<std::uint64_t> count = count_of(d, most);
  const bool quantized = d.quantization.scheme_tag != 0;
  if (!count || d.opaque || type == nullptr || (quantized && type->bits > widest_code)) return std::nullopt;
  if (!quantized && is_sparse(d) && type->tag == facts::tag::float8_e8m0) return std::nullopt;  // OPEN-23
  const std::optional<std::uint64_t> size = reference::merged_size(reading, number);
  if (!size || *size > 16 * most) return std::nullopt;
  std::vector<std::uint8_t> merged(static_cast<std::size_t>(*size));
  if (reference::merge(reading, number, merged) != reference::ValueStatus::ok) return std::nullopt;
  Node node;
  node.type = quantized ? facts::tag::float32 : d.type_tag;
  node.elements = generators::unpack(node.type, merged, *count);
  if (!quantized) return node;
  for (const generators::Bits& bits : node.elements)
    if (is_float_nan(bits)) return std::nullopt;
  return keeps_float32(reading, reading.tensors[number]) ? std::optional(std::move(node)) : std::nullopt;
}

/// Merging the member by itself rounds to float32, which is the one rounding only where the head is of that type.
bool rounds_twice(const Reading& reading, std::uint32_t number) {
  const reference::Tensor& tensor = reading.tensors[number];
  return tensor.descriptor.quantization.scheme_tag != 0 && tensor.enclosing != reference::Tensor::none &&
         reading.tensors[tensor.enclosing].descriptor.type_tag != facts::tag::float32;
}

}  // namespace

std::optional<Node> model_of_values(const Reading& reading, std::uint32_t number, std::uint64_t most) {
  const reference::Tensor& tensor = reading.tensors[number];
  const Descriptor& d = tensor.descriptor;
  if (rounds_twice(reading, number)) return std::nullopt;
  std::optional<Node> node = d.is_head() ? std::optional(Node{}) : leaf(reading, number, most);
  if (!node) return std::nullopt;
  for (std::size_t k = 0; k < d.shape.size(); ++k) node->shape.push_back(d.shape[k]);
  if (d.at.shard != 0) {
    node->shard.emplace();
    for (std::size_t k = 0; k < d.shape.size(); ++k) {
      node->shard->parent.push_back(d.parent_shape[k]);
      node->shard->offset.push_back(d.shard_offset[k]);
    }
  }
  if (!d.is_head()) return node;
  const bool overlay = d.layout.composition_rule == facts::composition_rule::overlay;
  if (d.layout.composition_rule == facts::composition_rule::group || !count_of(d, most)) return std::nullopt;
  node->type = d.type_tag;
  node->head = generators::Head{d.layout.composition_rule, d.layout.combine_op};
  for (std::uint32_t at = number + 1; at < number + tensor.skip; at += reading.tensors[at].skip) {
    if (overlay && at != number + 1 && is_sparse(reading.tensors[at].descriptor)) return std::nullopt;
    std::optional<Node> member = model_of_values(reading, at, most);
    if (!member) return std::nullopt;
    node->members.push_back(std::move(*member));
  }
  return node;
}

}  // namespace hurray::fuzz
