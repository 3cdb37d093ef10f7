#include "generators/matrix/names.h"

#include <array>

namespace hurray::generators {
namespace {

namespace layouts = facts::layout_tag;

// In the order of the variant Layout; a private layout brings its own tag.
constexpr std::array<std::uint8_t, std::variant_size_v<Layout> - 1> layout_tags{
    layouts::row_major, layouts::column_major, layouts::strided, layouts::tiled, layouts::morton, layouts::coo,
    layouts::csr,       layouts::csc,          layouts::csf,     layouts::block_paged, layouts::hilbert};

// In the order of the variant Scheme.
constexpr std::array<std::string_view, std::variant_size_v<Scheme>> scheme_names{
    "none", "per-tensor-affine", "per-channel-affine", "per-block-affine", "nf4", "mxfp"};

}  // namespace

std::string byte_name(std::uint8_t tag) {
  constexpr std::string_view digits = "0123456789abcdef";
  return std::string("0x") + digits[tag >> 4] + digits[tag & 15u];
}

std::string type_name(std::uint8_t tag) {
  const facts::ElementType* type = facts::element_type(tag);
  return type == nullptr ? byte_name(tag) : std::string(type->name);
}

std::string device_name(std::uint8_t tag) {
  const facts::Device* device = facts::device(tag);
  return device == nullptr ? byte_name(tag) : std::string(device->name);
}

std::uint8_t layout_tag_of(const Node& node) {
  if (node.head) return layouts::composite;
  if (const auto* own = std::get_if<PrivateLayout>(&node.layout)) return own->tag;
  return layout_tags[node.layout.index()];
}

std::string layout_name(const Node& node) {
  const std::uint8_t tag = layout_tag_of(node);
  const facts::Layout* layout = facts::layout(tag);
  return layout == nullptr ? byte_name(tag) : std::string(layout->name);
}

std::string scheme_name(const Node& node) { return std::string(scheme_names[node.scheme.index()]); }

}  // namespace hurray::generators
