// The sparse layouts (layouts/coo.md, csr.md, csc.md, csf.md): which coordinates are stored and at which position in the
// values buffer. Broken index structures, which only waived rules let through, end a walk; they are never followed.
#pragma once

#include "reference/descriptor.h"
#include "reference/merge.h"

namespace hurray::reference {

[[nodiscard]] bool is_sparse(std::uint8_t layout_tag);

/// Whether the tensor has the rank, the buffers and, for CSF, the permutation of axes that everything below relies on.
[[nodiscard]] bool can_be_searched(const Descriptor& descriptor, std::span<const Bytes> buffers);

/// Visits the stored elements of a sparse tensor in storage order.
class StoredElements {
 public:
  StoredElements(const Descriptor& descriptor, std::span<const Bytes> buffers);
  /// Moves to the next element; false at the end and at the first inconsistency.
  [[nodiscard]] bool next();
  /// False once a pointer, a count or a coordinate was seen to be impossible.
  bool consistent() const { return consistent_; }
  const std::uint64_t* index() const { return index_; }
  std::int64_t position() const { return static_cast<std::int64_t>(position_); }

 private:
  bool next_coordinate();
  bool next_compressed();
  bool next_leaf();
  bool descend(std::size_t level, std::uint64_t parent);
  bool fail();

  const Descriptor& descriptor_;
  std::span<const Bytes> buffers_;
  bool consistent_ = true;
  bool started_ = false;
  std::uint64_t position_ = 0;
  std::uint64_t major_ = 0, end_ = 0;  // csr and csc: the current row or column and the end of its slice
  std::uint64_t index_[facts::limit::rank];
  std::uint64_t node_[facts::limit::rank], node_end_[facts::limit::rank];  // csf: the current node of each level
};

/// Where the coordinate `index` is stored. A duplicate, which the format forbids, is found at any of its places.
struct StoredPlace {
  ValueStatus status = ValueStatus::ok;
  std::optional<std::int64_t> position;  // none: the element is implicitly zero
};
[[nodiscard]] StoredPlace find_stored(const Descriptor& descriptor, std::span<const Bytes> buffers,
                                      std::span<const std::uint64_t> index);

}  // namespace hurray::reference
