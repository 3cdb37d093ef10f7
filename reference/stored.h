// The sparse layouts (layouts/coo.md, csr.md, csc.md, csf.md): which coordinates are stored and at which position in the
// values buffer. Of readable tensors only (Tensor::readable).
#pragma once

#include "reference/descriptor.h"

namespace hurray::reference {

[[nodiscard]] bool is_sparse(std::uint8_t layout_tag);

/// Visits the stored elements of a sparse tensor in storage order.
class StoredElements {
 public:
  StoredElements(const Descriptor& descriptor, std::span<const Bytes> buffers);
  /// Moves to the next element; false at the end.
  [[nodiscard]] bool next();
  const std::uint64_t* index() const { return index_; }
  std::int64_t position() const { return static_cast<std::int64_t>(position_); }

 private:
  void next_coordinate();
  void next_compressed();
  void next_leaf();

  const Descriptor& descriptor_;
  std::span<const Bytes> buffers_;
  std::uint64_t position_ = ~std::uint64_t{0};  // before the first
  std::uint64_t major_ = 0;                      // csr and csc: the current row or column
  std::uint64_t index_[facts::limit::rank];
  std::uint64_t parents_[facts::limit::rank]{};  // csf: above the current node of each level
};

/// At which position the coordinate `index` is stored; nowhere where the element is implicitly zero.
[[nodiscard]] std::optional<std::int64_t> find_stored(const Descriptor& descriptor, std::span<const Bytes> buffers,
                                                      std::span<const std::uint64_t> index);

}  // namespace hurray::reference
