#include "reference/stored.h"

#include <algorithm>
#include <bit>

#include "reference/element.h"

namespace hurray::reference {
namespace {

namespace layout_tag = facts::layout_tag;

/// A buffer of uint64 entries.
class Entries {
 public:
  explicit Entries(Bytes buffer) : bytes_(buffer.data()), size_(buffer.size() / 8) {}
  std::uint64_t size() const { return size_; }
  std::uint64_t operator[](std::uint64_t entry) const { return load_little_endian<std::uint64_t>(bytes_ + entry * 8); }

 private:
  const std::uint8_t* bytes_;
  std::uint64_t size_;
};

/// CSR compresses axis 0, CSC axis 1; pointers has one entry more than the axis is long.
struct Compressed {
  explicit Compressed(const Descriptor& descriptor, std::span<const Bytes> buffers)
      : major_axis(descriptor.layout_tag == layout_tag::csr ? 0 : 1),
        majors(descriptor.shape[major_axis]),
        minors(descriptor.shape[1 - major_axis]),
        indices(buffers[1]),
        pointers(buffers[2]) {}
  bool consistent(std::uint64_t nnz) const { return nnz <= indices.size() && majors < pointers.size(); }

  std::size_t major_axis;
  std::uint64_t majors, minors;
  Entries indices, pointers;
};

/// The first entry of [begin, end) that is not below `wanted`, where the entries ascend.
std::uint64_t lower_bound(const Entries& entries, std::uint64_t begin, std::uint64_t end, std::uint64_t wanted) {
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (entries[middle] < wanted)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

constexpr StoredPlace absent{};
constexpr StoredPlace broken{ValueStatus::out_of_bounds, std::nullopt};
StoredPlace at(std::uint64_t position) { return {ValueStatus::ok, static_cast<std::int64_t>(position)}; }

/// -1, 0, 1 as stored coordinate `element` comes before, equals or follows `index`.
int compare_coordinate(const Entries& indices, std::uint64_t element, std::span<const std::uint64_t> index) {
  for (std::size_t axis = 0; axis < index.size(); ++axis) {
    const std::uint64_t stored = indices[element * index.size() + axis];
    if (stored != index[axis]) return stored < index[axis] ? -1 : 1;
  }
  return 0;
}

StoredPlace find_coordinate(const Descriptor& descriptor, std::span<const Bytes> buffers,
                            std::span<const std::uint64_t> index) {
  const Entries indices{buffers[1]};
  const std::uint64_t nnz = descriptor.layout.nnz;
  if (nnz > indices.size() / index.size()) return broken;
  if (descriptor.layout.is_sorted != 1) {
    for (std::uint64_t element = 0; element < nnz; ++element)
      if (compare_coordinate(indices, element, index) == 0) return at(element);
    return absent;
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
  return absent;
}

StoredPlace find_compressed(const Descriptor& descriptor, std::span<const Bytes> buffers,
                            std::span<const std::uint64_t> index) {
  const Compressed compressed{descriptor, buffers};
  if (!compressed.consistent(descriptor.layout.nnz)) return broken;
  const std::uint64_t major = index[compressed.major_axis], minor = index[1 - compressed.major_axis];
  const std::uint64_t begin = compressed.pointers[major], end = compressed.pointers[major + 1];
  if (begin > end || end > descriptor.layout.nnz) return broken;
  const std::uint64_t place = lower_bound(compressed.indices, begin, end, minor);
  return place < end && compressed.indices[place] == minor ? at(place) : absent;
}

StoredPlace find_leaf(const Descriptor& descriptor, std::span<const Bytes> buffers, std::span<const std::uint64_t> index) {
  std::uint64_t node = 0;
  for (std::size_t level = 0; level < index.size(); ++level) {
    const Entries pointers{buffers[2 * level + 1]}, coordinates{buffers[2 * level + 2]};
    const std::uint32_t axis = descriptor.layout.mode_order[level];
    if (pointers.size() < 2 || node > pointers.size() - 2) return broken;
    const std::uint64_t begin = pointers[node], end = pointers[node + 1];
    if (begin > end || end > coordinates.size()) return broken;
    node = lower_bound(coordinates, begin, end, index[axis]);
    if (node == end || coordinates[node] != index[axis]) return absent;
  }
  return node < descriptor.layout.nnz ? at(node) : broken;
}

}  // namespace

bool is_sparse(std::uint8_t layout_tag) {
  return layout_tag == layout_tag::coo || layout_tag == layout_tag::csr || layout_tag == layout_tag::csc ||
         layout_tag == layout_tag::csf;
}

bool can_be_searched(const Descriptor& descriptor, std::span<const Bytes> buffers) {
  const std::size_t rank = descriptor.rank;
  if (descriptor.layout_tag == layout_tag::coo) return rank >= 1 && buffers.size() >= 2;
  if (descriptor.layout_tag != layout_tag::csf) return rank == 2 && buffers.size() >= 3;
  std::uint64_t seen = 0;
  for (std::size_t level = 0; level < descriptor.layout.mode_order.size(); ++level)
    if (descriptor.layout.mode_order[level] < rank) seen |= std::uint64_t{1} << descriptor.layout.mode_order[level];
  return descriptor.layout.mode_order.size() == rank && static_cast<std::size_t>(std::popcount(seen)) == rank && rank >= 1 &&
         buffers.size() >= 2 * rank + 1;
}

StoredPlace find_stored(const Descriptor& descriptor, std::span<const Bytes> buffers, std::span<const std::uint64_t> index) {
  if (descriptor.layout_tag == layout_tag::coo) return find_coordinate(descriptor, buffers, index);
  if (descriptor.layout_tag == layout_tag::csf) return find_leaf(descriptor, buffers, index);
  return find_compressed(descriptor, buffers, index);
}

StoredElements::StoredElements(const Descriptor& descriptor, std::span<const Bytes> buffers)
    : descriptor_(descriptor), buffers_(buffers) {}

bool StoredElements::fail() {
  consistent_ = false;
  return false;
}

bool StoredElements::next() {
  if (!consistent_) return false;
  if (descriptor_.layout_tag == layout_tag::coo) return next_coordinate();
  if (descriptor_.layout_tag == layout_tag::csf) return next_leaf();
  return next_compressed();
}

bool StoredElements::next_coordinate() {
  const Entries indices{buffers_[1]};
  const std::size_t rank = descriptor_.rank;
  if (!started_) {
    started_ = true;
    if (descriptor_.layout.nnz > indices.size() / rank) return fail();
  } else {
    ++position_;
  }
  if (position_ >= descriptor_.layout.nnz) return false;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    index_[axis] = indices[position_ * rank + axis];
    if (index_[axis] >= descriptor_.shape[axis]) return fail();
  }
  return true;
}

bool StoredElements::next_compressed() {
  const Compressed compressed{descriptor_, buffers_};
  if (!started_) {
    started_ = true;
    if (!compressed.consistent(descriptor_.layout.nnz) || compressed.pointers[0] != 0) return fail();
  } else {
    ++position_;
  }
  // Slices that follow each other without a step back hold every stored element at most once: the walk is linear.
  while (position_ >= end_) {
    if (major_ == compressed.majors) return false;
    end_ = compressed.pointers[++major_];
    if (end_ < position_ || end_ > descriptor_.layout.nnz) return fail();
  }
  index_[compressed.major_axis] = major_ - 1;
  index_[1 - compressed.major_axis] = compressed.indices[position_];
  return compressed.indices[position_] < compressed.minors || fail();
}

/// Enters the children of node `parent` of the level above; false where they are not where the last ones ended.
bool StoredElements::descend(std::size_t level, std::uint64_t parent) {
  const Entries pointers{buffers_[2 * level + 1]}, coordinates{buffers_[2 * level + 2]};
  if (pointers.size() < 2 || parent > pointers.size() - 2) return fail();
  const std::uint64_t begin = pointers[parent], end = pointers[parent + 1];
  if (begin != node_end_[level] || begin > end || end > coordinates.size()) return fail();
  node_[level] = begin;
  node_end_[level] = end;
  return true;
}

bool StoredElements::next_leaf() {
  const std::size_t rank = descriptor_.rank;
  std::size_t level = rank - 1;
  if (!started_) {
    started_ = true;
    std::fill_n(node_end_, rank, 0);
    if (!descend(0, 0)) return false;
    level = 0;
  } else {
    ++node_[level];
  }
  // Up from exhausted levels, down into the children of the node found, until a leaf is reached.
  while (true) {
    if (node_[level] == node_end_[level]) {
      if (level == 0) return false;
      ++node_[--level];
      continue;
    }
    const std::uint32_t axis = descriptor_.layout.mode_order[level];
    index_[axis] = Entries{buffers_[2 * level + 2]}[node_[level]];
    if (index_[axis] >= descriptor_.shape[axis]) return fail();
    if (level == rank - 1) break;
    if (!descend(level + 1, node_[level])) return false;
    ++level;
  }
  position_ = node_[rank - 1];
  return position_ < descriptor_.layout.nnz || fail();
}

}  // namespace hurray::reference
