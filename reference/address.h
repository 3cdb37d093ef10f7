// Where the element at a logical index lies, counted in elements from byte_offset, for the layouts that store every
// element: row-major, column-major, strided, tiled, Morton, Hilbert and block-paged (layouts/*.md). Of readable tensors
// only (Tensor::readable): every place then lies in the buffer, and no number below leaves 64 bits.
#pragma once

#include "reference/descriptor.h"

namespace hurray::reference {

/// The strides of a contiguous array in which the last axis of `shape` varies fastest, leaving out axis `skipped`; those
/// of an empty array mean nothing. `skipped` = rank leaves out none.
void row_major_strides(std::span<const std::uint64_t> shape, std::size_t skipped, std::int64_t first,
                       std::int64_t* strides);

/// The shape as integers of the host, in `extents` (room for 64).
std::span<const std::uint64_t> copy_shape(const U64Array& shape, std::uint64_t* extents);

/// In every one of these layouts but Hilbert's the position is a sum over the axes of a term that depends on that axis's
/// index alone. A walk over many elements therefore computes each term once.
class DenseAddress {
 public:
  DenseAddress(const Descriptor& descriptor, std::span<const Bytes> buffers);

  bool is_hilbert() const { return layout_ == facts::layout_tag::hilbert; }
  /// Row-major, column-major or strided: axis_term(k, i) is i * strides()[k].
  bool is_affine() const { return affine_; }
  const std::int64_t* strides() const { return steps_[0]; }

  /// What index `i` along `axis` adds to the position. Not for Hilbert.
  [[nodiscard]] std::int64_t axis_term(std::size_t axis, std::uint64_t i) const;
  /// The position of a whole index, of any layout.
  [[nodiscard]] std::int64_t position(const std::uint64_t* index) const;

 private:
  void prepare_tiles();
  [[nodiscard]] std::int64_t morton_term(std::size_t axis, std::uint64_t i) const;
  [[nodiscard]] std::int64_t hilbert_position(const std::uint64_t* index) const;
  /// Block-paged: the slot of the page pool that holds a token.
  [[nodiscard]] std::int64_t slot(std::uint64_t token) const;

  const Descriptor& descriptor_;
  std::uint8_t layout_;
  bool affine_;
  std::size_t rank_;
  std::size_t levels_ = 0;  // of tiling
  // steps_[level][axis]: elements between neighbouring tiles of a level; after the last level, between neighbours inside.
  std::int64_t steps_[facts::limit::tiled_depth + 1][facts::limit::rank];
  Bytes block_table_;  // block-paged
};

}  // namespace hurray::reference
