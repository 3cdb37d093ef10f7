#include "generators/document.h"

#include <bit>
#include <cstring>

namespace hurray::generators {
namespace {

void place(const Node& node, const std::string& path, std::vector<PlacedNode>& out) {
  if (!node.head) {
    out.push_back({&node, path});
    return;
  }
  // A composite at the top of a single-item base has its head and members at the root of the path.
  const std::string below = path.empty() ? path : path + ".";
  out.push_back({&node, below + "head"});
  for (std::size_t k = 0; k < node.members.size(); ++k)
    place(node.members[k], below + "members[" + std::to_string(k) + "]", out);
}

}  // namespace

std::vector<PlacedNode> place_nodes(const Model& model) {
  std::vector<PlacedNode> out;
  const bool single = model.items.size() == 1;
  for (std::size_t k = 0; k < model.items.size(); ++k) {
    const std::string item = single ? "" : "items[" + std::to_string(k) + "]";
    const Node& node = model.items[k];
    place(node, node.head ? item : single ? "tensor" : item + ".tensor", out);
  }
  return out;
}

Document::Scope::Scope(Document& document, std::string_view name)
    : document_(document), length_(document.prefix.size()) {
  if (!document.prefix.empty() && name.front() != '[') document.prefix += '.';
  document.prefix += name;
}

Field& Document::add(std::string_view name, Bytes value, FieldKind kind) {
  Field& field = fields.emplace_back();
  if (labelled_) {
    field.label.reserve(prefix.size() + 1 + name.size());
    field.label = prefix;
    if (!prefix.empty()) field.label += '.';
    field.label += name;
  }
  field.bytes = std::move(value);
  field.kind = kind;
  field.part = part;
  field.node = node;
  field.message = message;
  return field;
}

void Document::number(std::string_view name, std::uint64_t value, std::size_t width, Derived derived) {
  add(name, little_endian(value, width), FieldKind::number).derived = derived;
}

void Document::number_at(std::string_view name, std::size_t k, std::uint64_t value, std::size_t width) {
  Field& field = add(name, little_endian(value, width), FieldKind::number);
  if (labelled_) field.label += '[' + std::to_string(k) + ']';
}

void Document::real(std::string_view name, double value) {
  add(name, little_endian(std::bit_cast<std::uint64_t>(value), 8), FieldKind::real);
}

void Document::real32(std::string_view name, float value) {
  add(name, little_endian(std::bit_cast<std::uint32_t>(value), 4), FieldKind::real);
}

void Document::bytes(std::string_view name, Bytes value, FieldKind kind) { add(name, std::move(value), kind); }

}  // namespace hurray::generators
