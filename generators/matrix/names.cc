#include "generators/matrix/names.h"

#include "generators/descriptor_writer.h"

namespace hurray::generators {

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

std::string layout_name(const Node& node) {
  const std::uint8_t tag = layout_tag_of(node);
  const facts::Layout* layout = facts::layout(tag);
  return layout == nullptr ? byte_name(tag) : std::string(layout->name);
}

std::string scheme_name(const Node& node) {
  const facts::Scheme* scheme = facts::scheme(scheme_tag_of(node.scheme));
  return scheme == nullptr ? "none" : std::string(scheme->name);
}

}  // namespace hurray::generators
