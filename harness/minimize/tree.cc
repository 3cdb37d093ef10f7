#include "harness/minimize/tree.h"

#include <algorithm>
#include <utility>

#include "conformance/facts/limits.h"
#include "generators/link.h"

namespace hurray::harness {
namespace {

using generators::Derived;
using generators::Document;
using generators::from_little_endian;
using generators::little_endian;
using generators::no_node;
using generators::Part;

std::uint64_t alignment_of(const Document& document) {
  for (const Field& field : document.fields)
    if (field.label == "file.data_buffer_alignment") {
      const std::uint64_t alignment = from_little_endian(field.bytes);
      return alignment > facts::limit::file_alignment_max ? 1 : alignment;  // nonsense, which the padding then shows
    }
  return 1;
}

std::vector<std::uint8_t> joined(const Document& document) {
  std::vector<std::uint8_t> bytes;
  for (const Field& field : document.fields) bytes.insert(bytes.end(), field.bytes.begin(), field.bytes.end());
  return bytes;
}

}  // namespace

/// Holds what the fields would be against what they are: padding that is not what it should be stays as it is, a number
/// stays off by as much.
bool Tree::settle(std::span<const std::uint8_t> input) {
  Document linked = document_;
  for (const bool padding : {true, false}) {
    linked = document_;
    generators::link(linked, alignment_of(document_));
    for (std::size_t at = 0; at < document_.fields.size(); ++at) {
      Field& own = document_.fields[at];
      if ((own.part == Part::padding) != padding || own.derived == Derived::none || own.bytes == linked.fields[at].bytes) continue;
      if (padding) own.frozen = true;
      else off_[at] = from_little_endian(own.bytes) - from_little_endian(linked.fields[at].bytes);
    }
  }
  // A number that depends on another that is off (the checksum on an index entry) was compared with what neither is.
  for (int round = 0; round < 2; ++round) {
    const std::vector<std::uint8_t> now = bytes();
    if (std::equal(now.begin(), now.end(), input.begin(), input.end())) return true;
    std::size_t start = 0;
    for (std::size_t at = 0; at < document_.fields.size(); ++at) {
      const Field& own = document_.fields[at];
      const std::size_t size = own.bytes.size();
      const bool dependent = own.derived == Derived::index_checksum || own.derived == Derived::entry_descriptor_length;
      if (dependent && start + size <= now.size())
        off_[at] += from_little_endian(own.bytes) - from_little_endian({now.begin() + static_cast<std::ptrdiff_t>(start), now.begin() + static_cast<std::ptrdiff_t>(start + size)});
      start += size;
    }
  }
  return false;
}

std::vector<std::uint8_t> Tree::bytes() const {
  Document linked = document_;
  const std::uint64_t alignment = alignment_of(document_);
  generators::link(linked, alignment);
  bool off = false;
  for (std::size_t at = 0; at < off_.size(); ++at) {
    Field& field = linked.fields[at];
    if (off_[at] == 0 || field.derived == Derived::index_checksum) continue;
    field.bytes = little_endian(from_little_endian(field.bytes) + off_[at], field.bytes.size());
    field.frozen = off = true;
  }
  if (off) generators::link(linked, alignment);
  for (std::size_t at = 0; at < off_.size(); ++at) {
    Field& field = linked.fields[at];
    if (off_[at] != 0 && field.derived == Derived::index_checksum)
      field.bytes = little_endian(from_little_endian(field.bytes) + off_[at], field.bytes.size());
  }
  return joined(linked);
}

std::vector<std::uint32_t> Tree::present() const {
  std::vector<bool> there(nodes_.size(), false);
  for (const Field& field : document_.fields)
    if (field.node < there.size()) there[field.node] = true;
  std::vector<std::uint32_t> out;
  for (std::uint32_t node = 0; node < there.size(); ++node)
    if (there[node]) out.push_back(node);
  return out;
}

std::vector<std::uint32_t> Tree::children(std::uint32_t head) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t node : present())
    if (nodes_[node].parent == head) out.push_back(node);
  return out;
}

std::vector<std::uint32_t> Tree::top_level() const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t node : present())
    if (nodes_[node].parent == TreeNode::none) out.push_back(node);
  return out;
}

bool Tree::is_below(std::uint32_t node, std::uint32_t ancestor) const {
  while (node != TreeNode::none && node != ancestor) node = nodes_[node].parent;
  return node == ancestor;
}

std::size_t Tree::size_of(std::uint32_t node) const {
  std::size_t size = 0;
  for (const Field& field : document_.fields)
    if (field.node != no_node && is_below(field.node, node)) size += field.bytes.size();
  return size;
}

const Field* Tree::find(std::uint32_t node, const std::string& name) const {
  const std::string& path = nodes_[node].path;
  for (const Field& field : document_.fields)
    if (field.node == node && field.label.size() == path.size() + 1 + name.size() && field.label.compare(0, path.size(), path) == 0 &&
        field.label.compare(path.size() + 1, name.size(), name) == 0)
      return &field;
  return nullptr;
}

Field* Tree::find(std::uint32_t node, const std::string& name) { return const_cast<Field*>(std::as_const(*this).find(node, name)); }

std::optional<std::uint64_t> Tree::number(std::uint32_t node, const std::string& name) const {
  const Field* field = find(node, name);
  return field == nullptr ? std::nullopt : std::optional(from_little_endian(field->bytes));
}

void Tree::set(std::uint32_t node, const std::string& name, std::uint64_t value) {
  if (Field* field = find(node, name); field != nullptr) field->bytes = little_endian(value, field->bytes.size());
}

std::uint64_t Tree::buffer_size(std::uint32_t node, std::size_t index) const {
  const std::string name = "data[" + std::to_string(index) + "]";
  std::uint64_t size = 0;
  for (const Field& field : document_.fields)
    if (field.node == node && field.part == Part::data && field.buffer == name) size += field.bytes.size();
  return size;
}

void Tree::resize_buffer(std::uint32_t node, std::size_t index, std::uint64_t size) {
  const std::string name = "data[" + std::to_string(index) + "]";
  set(node, "buffers[" + std::to_string(index) + "].byte_size", size);
  std::uint64_t left = size;
  Field* last = nullptr;
  for (Field& field : document_.fields) {
    if (field.node != node || field.part != Part::data || field.buffer != name) continue;
    field.bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(field.bytes.size(), left)));
    left -= field.bytes.size();
    last = &field;
  }
  if (last != nullptr) last->bytes.resize(last->bytes.size() + static_cast<std::size_t>(left));
  // A frame without data is no frame; in a file an empty buffer still has its place.
  std::vector<std::uint32_t> filled;
  for (const Field& field : document_.fields)
    if (field.part == Part::data && field.node == node && field.message != 0 && !field.bytes.empty()) filled.push_back(field.message);
  const auto is_emptied = [&](const Field& field) {
    const bool of_frame = field.node == node && field.message != 0 && field.label.find(".frames[") != std::string::npos;
    return of_frame && std::find(filled.begin(), filled.end(), field.message) == filled.end();
  };
  remove(is_emptied);
}

void Tree::remove(const Condition& condition) {
  std::size_t kept = 0;
  for (std::size_t at = 0; at < document_.fields.size(); ++at) {
    if (condition(document_.fields[at])) continue;
    if (kept != at) {
      document_.fields[kept] = std::move(document_.fields[at]);
      off_[kept] = off_[at];
    }
    ++kept;
  }
  document_.fields.resize(kept);
  off_.resize(kept);
}

void Tree::change(const std::function<void(Field&)>& change) {
  for (Field& field : document_.fields) change(field);
}

void Tree::remove_node(std::uint32_t node) {
  const std::uint32_t parent = nodes_[node].parent;
  if (parent != TreeNode::none)
    if (const auto count = number(parent, "member_count"); count && *count > 0) set(parent, "member_count", *count - 1);
  remove([&](const Field& field) { return field.node != no_node && is_below(field.node, node); });
}

void Tree::keep_only(std::uint32_t node) {
  remove([&](const Field& field) { return field.node != no_node && !is_below(field.node, node); });
  nodes_[node].parent = TreeNode::none;
}

void Tree::remove_axis(std::uint32_t node, std::uint64_t axis) {
  constexpr std::string_view per_axis[] = {"shape",         "parent_shape",  "shard_offset", "strides",   "tile_shape",
                                           "outer_strides", "inner_strides", "morton_bits",  "mode_order"};
  const auto axis_of = [&](const Field& field) -> std::optional<std::uint64_t> {
    const std::size_t open = field.label.rfind('['), dot = field.label.rfind('.');
    if (field.node != node || field.part != Part::descriptor || open == std::string::npos || dot == std::string::npos || open < dot) return std::nullopt;
    const std::string_view name = std::string_view(field.label).substr(dot + 1, open - dot - 1);
    if (std::find(std::begin(per_axis), std::end(per_axis), name) == std::end(per_axis)) return std::nullopt;
    return std::stoull(field.label.substr(open + 1));
  };
  set(node, "rank", number(node, "rank").value_or(1) - 1);
  remove([&](const Field& field) { return axis_of(field) == axis; });
  for (Field& field : document_.fields)
    if (const auto here = axis_of(field); here && *here > axis) field.label = field.label.substr(0, field.label.rfind('[')) + "[" + std::to_string(*here - 1) + "]";
}

void Tree::empty_scalar(std::uint32_t node) {
  const Field* rank = find(node, "rank");
  if (rank == nullptr || number(node, "rank") != 0u) return;
  set(node, "rank", 1);
  const auto at = rank - document_.fields.data() + 1;
  Field shape = *rank;
  shape.label = nodes_[node].path + ".shape[0]";
  shape.bytes.assign(8, 0);
  document_.fields.insert(document_.fields.begin() + at, std::move(shape));
  off_.insert(off_.begin() + at, 0);
}

void Tree::join_frames() {
  std::uint32_t node = no_node, message = 0;
  for (Field& field : document_.fields) {
    if (field.label.find(".frames[") == std::string::npos) continue;
    if (field.node != node) {
      node = field.node;
      message = field.message;
    } else if (field.part == Part::data) {
      field.message = message;
    }
  }
  node = no_node;
  remove([&](const Field& field) {
    if (field.label.find(".frames[") == std::string::npos || field.part == Part::data) return false;
    const bool first = field.node != node || field.message == message;
    node = field.node;
    if (first) message = field.message;
    return !first;
  });
}

}  // namespace hurray::harness
