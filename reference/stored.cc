#include "reference/stored.h"

#include <algorithm>

namespace hurray::reference {
namespace {

namespace layout_tag = facts::layout_tag;

U64Array entries(Bytes buffer) { return {buffer.data(), buffer.size() / sizeof(std::uint64_t)}; }

/// CSR compresses axis 0, CSC axis 1; pointers has one entry more than the axis is long.
struct Compressed {
  Compressed(const Descriptor& descriptor, std::span<const Bytes> buffers)
      : major_axis(descriptor.layout_tag == layout_tag::csr ? 0 : 1),
        indices(entries(buffers[1])),
        pointers(entries(buffers[2])) {}

  std::size_t major_axis;
  U64Array indices, pointers;
};

/// The first entry of [begin, end) that is not below `wanted`, where the entries ascend.
std::uint64_t lower_bound(const U64Array& entries, std::uint64_t begin, std::uint64_t end, std::uint64_t wanted) {
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (entries[middle] < wanted)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

using Place = std::optional<std::int64_t>;
Place at(std::uint64_t position) { return static_cast<std::int64_t>(position); }

/// -1, 0, 1 as stored coordinate `element` comes before, equals or follows `index`.
int compare_coordinate(const U64Array& indices, std::uint64_t element, std::span<const std::uint64_t> index) {
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    const std::uint64_t stored = indices[element * index.size() + axis];
    if (stored != index[axis]) return stored < index[axis] ? -1 : 1;
  }
  return 0;
}

Place find_coordinate(const Descriptor& descriptor, std::span<const Bytes> buffers, std::span<const std::uint64_t> index) {
  const U64Array indices = entries(buffers[1]);
  const std::uint64_t nnz = descriptor.layout.nnz;
  if (descriptor.layout.is_sorted != 1) {
    for (std::uint64_t element = 0; element < nnz; ++element)
      if (compare_coordinate(indices, element, index) == 0) return at(element);
    return std::nullopt;
  }
  std::uint64_t begin = 0, end = nnz;
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    const int order = compare_coordinate(indices, middle, index);
    if (order == 0) return at(middle);
    if (order < 0)
      begin = middle + 1;
    else
      end = middle;
  }
  return std::nullopt;
}

Place find_compressed(const Descriptor& descriptor, std::span<const Bytes> buffers, std::span<const std::uint64_t> index) {
  const Compressed compressed{descriptor, buffers};
  const std::uint64_t major = index[compressed.major_axis], minor = index[1 - compressed.major_axis];
  const std::uint64_t end = compressed.pointers[major + 1];
  const std::uint64_t place = lower_bound(compressed.indices, compressed.pointers[major], end, minor);
  return place < end && compressed.indices[place] == minor ? at(place) : std::nullopt;
}

Place find_leaf(const Descriptor& descriptor, std::span<const Bytes> buffers, std::span<const std::uint64_t> index) {
  std::uint64_t node = 0;
  for (std::size_t level = 0; level < index.size(); ++level) {
    const U64Array pos = entries(buffers[2 * level + 1]), crd = entries(buffers[2 * level + 2]);
    const std::uint64_t end = pos[node + 1], wanted = index[descriptor.layout.mode_order[level]];
    node = lower_bound(crd, pos[node], end, wanted);
    if (node == end || crd[node] != wanted) return std::nullopt;
  }
  return at(node);
}

}  // namespace

bool is_sparse(std::uint8_t layout_tag) {
  return layout_tag == layout_tag::coo || layout_tag == layout_tag::csr || layout_tag == layout_tag::csc ||
         layout_tag == layout_tag::csf;
}

Place find_stored(const Descriptor& descriptor, std::span<const Bytes> buffers, std::span<const std::uint64_t> index) {
  if (descriptor.layout_tag == layout_tag::coo) return find_coordinate(descriptor, buffers, index);
  if (descriptor.layout_tag == layout_tag::csf) return find_leaf(descriptor, buffers, index);
  return find_compressed(descriptor, buffers, index);
}

StoredElements::StoredElements(const Descriptor& descriptor, std::span<const Bytes> buffers)
    : descriptor_(descriptor), buffers_(buffers) {}

bool StoredElements::next() {
  if (++position_ == descriptor_.layout.nnz) return false;
  if (descriptor_.layout_tag == layout_tag::coo)
    next_coordinate();
  else if (descriptor_.layout_tag == layout_tag::csf)
    next_leaf();
  else
    next_compressed();
  return true;
}

void StoredElements::next_coordinate() {
  const U64Array indices = entries(buffers_[1]);
  for (std::size_t axis = 0; axis < descriptor_.rank; ++axis) index_[axis] = indices[position_ * descriptor_.rank + axis];
}

void StoredElements::next_compressed() {
  const Compressed compressed{descriptor_, buffers_};
  while (compressed.pointers[major_ + 1] <= position_) ++major_;
  index_[compressed.major_axis] = major_;
  index_[1 - compressed.major_axis] = compressed.indices[position_];
}

/// The nodes of each level lie one after another, in the order of their parents: from the leaf up, the parent is the first
/// one from the last parent on whose children end behind the node.
void StoredElements::next_leaf() {
  std::uint64_t node = position_;
  for (std::size_t level = descriptor_.rank; level-- > 0;) {
    const U64Array pos = entries(buffers_[2 * level + 1]), crd = entries(buffers_[2 * level + 2]);
    index_[descriptor_.layout.mode_order[level]] = crd[node];
    std::uint64_t& parent = parents_[level];
    while (pos[parent + 1] <= node) ++parent;
    node = parent;
  }
}

}  // namespace hurray::reference
