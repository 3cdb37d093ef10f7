#include "harness/minimize/plain.h"

#include <algorithm>

#include "conformance/facts/limits.h"

namespace hurray::harness {
namespace {

constexpr std::uint64_t largest_dense = 1u << 20;

std::string_view name_in(const Tree& tree, const Field& field) {
  const std::string& path = tree.nodes()[field.node].path;
  return field.label.size() > path.size() ? std::string_view(field.label).substr(path.size() + 1) : std::string_view{};
}

bool starts(std::string_view text, std::string_view with) { return text.compare(0, with.size(), with) == 0; }

/// Buffers from `first` on, in the table and their data.
void remove_buffers(Tree& tree, std::uint32_t node, std::uint64_t first) {
  const std::uint64_t count = tree.number(node, "buffer_count").value_or(0);
  for (std::uint64_t k = first; k < count; ++k) {
    const std::string number = "[" + std::to_string(k) + "]";
    tree.resize_buffer(node, static_cast<std::size_t>(k), 0);
    tree.remove([&](const Field& field) {
      if (field.node != node) return false;
      const std::string_view name = name_in(tree, field);
      return starts(name, "buffers" + number) || name == "data" + number || name == "padding" + number;
    });
  }
  tree.set(node, "buffer_count", std::min(count, first));
}

/// Fields between byte_offset and buffer_count.
void remove_layout_fields(Tree& tree, std::uint32_t node) {
  bool within = false;
  tree.remove([&](const Field& field) {
    if (field.node != node) return false;
    const std::string_view name = name_in(tree, field);
    if (name == "buffer_count") within = false;
    const bool of_layout = within;
    if (name == "byte_offset") within = true;
    return of_layout;
  });
}

}  // namespace

void remove_fields(Tree& tree, std::uint32_t node, std::string_view prefix) {
  tree.remove([&](const Field& field) { return field.node == node && starts(name_in(tree, field), prefix); });
}

void zero_buffer(Tree& tree, std::uint32_t node, std::size_t index) {
  const std::string name = "data[" + std::to_string(index) + "]";
  tree.change([&](Field& field) {
    if (field.node == node && field.part == generators::Part::data && field.buffer == name) std::fill(field.bytes.begin(), field.bytes.end(), std::uint8_t{0});
  });
}

void close_up_before_nothing(Tree& tree) {
  std::vector<bool> holds(tree.nodes().size(), false);
  for (const Field& field : tree.fields())
    if (field.part == generators::Part::data && !field.bytes.empty()) holds[field.node] = true;
  tree.change([&](Field& field) {
    if (field.derived == generators::Derived::padding_before_data && !holds[field.node]) field.derived = generators::Derived::padding_before_section;
  });
}

void drop_scheme(Tree& tree, std::uint32_t node) {
  const std::uint64_t flags = tree.number(node, "flags").value_or(0);
  if ((flags & facts::flag::quantization) == 0) return;
  std::uint64_t first = facts::limit::no_buffer;
  for (const char* reference : {"quantization.scale_buffer_index", "quantization.zero_point_buffer_index"})
    if (const auto index = tree.number(node, reference); index && *index != 0) first = std::min(first, *index);
  if (first != facts::limit::no_buffer) remove_buffers(tree, node, first);
  remove_fields(tree, node, "quantization.");
  tree.set(node, "flags", flags & ~std::uint64_t{facts::flag::quantization});
}

std::optional<std::uint64_t> dense_size(const Tree& tree, std::uint32_t node) {
  const facts::ElementType* type = facts::element_type(static_cast<std::uint8_t>(tree.number(node, "type_tag").value_or(0)));
  const std::uint64_t rank = tree.number(node, "rank").value_or(0);
  if (type == nullptr || rank > facts::limit::rank) return std::nullopt;
  std::uint64_t count = 1;
  for (std::uint64_t k = 0; k < rank; ++k) {
    const std::uint64_t size = tree.number(node, "shape[" + std::to_string(k) + "]").value_or(0);
    if (size == 0) return 0;
    if (count > largest_dense / size) return std::nullopt;
    count *= size;
  }
  const std::uint64_t groups = (count + type->packing - 1) / type->packing;
  return groups * type->group_bytes;
}

void make_plain(Tree& tree, std::uint32_t node) {
  if (tree.number(node, "buffer_count").value_or(0) == 0) return;
  const std::uint64_t flags = tree.number(node, "flags").value_or(0);
  const std::uint32_t parent = tree.nodes()[node].parent;
  if ((flags & facts::flag::quantization) != 0 && parent != TreeNode::none)
    tree.set(node, "type_tag", tree.number(parent, "type_tag").value_or(0));
  drop_scheme(tree, node);
  const std::optional<std::uint64_t> size = dense_size(tree, node);
  if (!size) return;
  remove_buffers(tree, node, 1);
  remove_layout_fields(tree, node);
  tree.set(node, "layout_tag", facts::layout_tag::row_major);
  tree.set(node, "byte_offset", 0);
  tree.resize_buffer(node, 0, *size);
  zero_buffer(tree, node, 0);
  tree.set(node, "buffers[0].alignment", facts::limit::buffer_alignment);
}

void make_all_bytes(Tree& tree) {
  for (const std::uint32_t node : tree.present()) {
    const bool plain = tree.number(node, "layout_tag") == facts::layout_tag::row_major && tree.number(node, "buffer_count") == 1;
    if (!tree.nodes()[node].is_head && !plain) continue;
    tree.set(node, "type_tag", facts::tag::uint8);
    const std::optional<std::uint64_t> size = dense_size(tree, node);
    if (plain && size) tree.resize_buffer(node, 0, *size);
  }
}

}  // namespace hurray::harness
