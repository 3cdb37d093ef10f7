#include "generators/sparse.h"

#include "generators/addressing.h"

namespace hurray::generators {
namespace {

std::uint64_t coordinate(const Index& at, std::size_t k) { return k < at.size() ? at[k] : 0; }

std::string append(const Coo& layout, const Node& node, std::vector<Bytes>& buffers) {
  Bytes indices;
  for (const Index& at : layout.at)
    for (std::size_t d = 0; d < node.shape.size(); ++d) append_little_endian(indices, coordinate(at, d), 8);
  buffers.push_back(std::move(indices));
  return {};
}

/// CSR with major 0, CSC with major 1.
std::string append_compressed(const std::vector<Index>& at, std::size_t major, const Node& node, std::vector<Bytes>& buffers) {
  if (node.shape.size() <= major) return "shape: a compressed matrix needs its dimension " + std::to_string(major);
  const std::uint64_t lines = node.shape[major] == facts::limit::dynamic ? 1 : node.shape[major];
  if (lines > most_elements) return "shape: more lines than this writer gives pointers to";
  Bytes minors, pointers;
  std::uint64_t line = 0;
  append_little_endian(pointers, 0, 8);
  for (std::size_t k = 0; k < at.size(); ++k) {
    const std::uint64_t own = coordinate(at[k], major);
    const std::string place = "layout at[" + std::to_string(k) + "]: line " + std::to_string(own);
    if (own >= lines) return place + " is outside the shape and has no pointer";
    if (own < line) return place + " stands after a later line";
    for (; line < own; ++line) append_little_endian(pointers, k, 8);
    append_little_endian(minors, coordinate(at[k], 1 - major), 8);
  }
  for (; line < lines; ++line) append_little_endian(pointers, at.size(), 8);
  buffers.push_back(std::move(minors));
  buffers.push_back(std::move(pointers));
  return {};
}

/// Level by level: a node is a run of coordinates with a common prefix in mode order.
std::string append(const Csf& layout, const Node& node, std::vector<Bytes>& buffers) {
  const std::size_t rank = node.shape.size();
  if (rank == 0) return "shape: a fiber tree has at least one level";
  const std::vector<std::uint32_t> order = mode_order(layout, rank);
  std::vector<std::size_t> starts{0, layout.at.size()};  // first leaf of each node of the level above, then the end
  if (layout.at.empty()) starts.pop_back();
  for (std::size_t level = 0; level < rank; ++level) {
    Bytes pointers, coordinates;
    std::vector<std::size_t> children;
    append_little_endian(pointers, 0, 8);
    for (std::size_t parent = 0; parent + 1 < starts.size(); ++parent) {
      for (std::size_t leaf = starts[parent]; leaf < starts[parent + 1]; ++leaf) {
        const std::uint64_t own = coordinate(layout.at[leaf], order[level]);
        const bool leaf_level = level + 1 == rank;
        if (leaf != starts[parent] && !leaf_level && own == coordinate(layout.at[leaf - 1], order[level])) continue;
        children.push_back(leaf);
        append_little_endian(coordinates, own, 8);
      }
      append_little_endian(pointers, children.size(), 8);
    }
    if (layout.at.empty() && level == 0) append_little_endian(pointers, 0, 8);
    children.push_back(layout.at.size());
    starts = std::move(children);
    buffers.push_back(std::move(pointers));
    buffers.push_back(std::move(coordinates));
  }
  return {};
}

std::string append(const BlockPaged& layout, std::vector<Bytes>& buffers) {
  const std::size_t width = layout.wide ? 8 : 4;
  Bytes table, pointers;
  std::uint64_t entries = 0;
  append_little_endian(pointers, 0, width);
  for (const std::vector<std::uint64_t>& sequence : layout.sequences) {
    for (const std::uint64_t page : sequence) append_little_endian(table, page, width);
    entries += sequence.size();
    append_little_endian(pointers, entries, width);
  }
  buffers.push_back(std::move(table));
  buffers.push_back(std::move(pointers));
  return {};
}

}  // namespace

std::string append_structure(const Node& node, std::vector<Bytes>& buffers) {
  if (const Coo* layout = std::get_if<Coo>(&node.layout)) return append(*layout, node, buffers);
  if (const Csr* layout = std::get_if<Csr>(&node.layout)) return append_compressed(layout->at, 0, node, buffers);
  if (const Csc* layout = std::get_if<Csc>(&node.layout)) return append_compressed(layout->at, 1, node, buffers);
  if (const Csf* layout = std::get_if<Csf>(&node.layout)) return append(*layout, node, buffers);
  if (const BlockPaged* layout = std::get_if<BlockPaged>(&node.layout)) return append(*layout, buffers);
  return {};
}

ElementCount count_stored(const Node& node) {
  if (const Coo* layout = std::get_if<Coo>(&node.layout)) return {layout->at.size(), {}};
  if (const Csr* layout = std::get_if<Csr>(&node.layout)) return {layout->at.size(), {}};
  if (const Csc* layout = std::get_if<Csc>(&node.layout)) return {layout->at.size(), {}};
  if (const Csf* layout = std::get_if<Csf>(&node.layout)) return {layout->at.size(), {}};
  if (const BlockPaged* layout = std::get_if<BlockPaged>(&node.layout)) {
    Shape pool{layout->pages, layout->page_size};
    for (std::size_t k = 1; k < node.shape.size(); ++k) pool.push_back(node.shape[k]);
    const std::optional<std::uint64_t> count = volume(pool, most_elements);
    return count ? ElementCount{*count, {}} : ElementCount{0, "layout.block-paged: a larger pool than this writer gives"};
  }
  // A private layout stores raw bytes; as many as the shape would take in a row unless the model lists them.
  const std::optional<std::uint64_t> count = volume(resolved(node.shape), most_elements);
  const Packing packing = packing_of(format_of(node));
  if (!count || *count * packing.group_bytes > most_bytes) return {0, "shape: more elements than this writer gives"};
  return {(*count + packing.per_group - 1) / packing.per_group * packing.group_bytes, {}};
}

std::vector<std::uint32_t> mode_order(const Csf& layout, std::size_t rank) {
  std::vector<std::uint32_t> order = layout.mode_order;
  for (std::size_t k = order.size(); k < rank; ++k) order.push_back(static_cast<std::uint32_t>(k));
  order.resize(rank);
  return order;
}

}  // namespace hurray::generators
