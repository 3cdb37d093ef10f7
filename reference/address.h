// Where the element at a logical index lies, counted in elements from byte_offset, for the layouts that store every
// element: row-major, column-major, strided, tiled, Morton, Hilbert and block-paged (layouts/*.md).
#pragma once

#include "reference/descriptor.h"
#include "reference/integer128.h"
#include "reference/merge.h"

namespace hurray::reference {

/// Numbers of elements at or beyond this never occur in a buffer that fits in memory; up to 64 of them add up in 64 bits.
inline constexpr std::int64_t position_limit = std::int64_t{1} << 57;

/// index * stride, or nothing where the product cannot be a position.
[[nodiscard]] std::optional<std::int64_t> scaled(std::uint64_t index, std::int64_t stride);

/// The strides of a contiguous array in which the last axis of `shape` varies fastest, leaving out axis `skipped`; a stride
/// that cannot be a position is cut to position_limit. `skipped` = rank leaves out none.
void row_major_strides(std::span<const std::uint64_t> shape, std::size_t skipped, std::int64_t first,
                       std::int64_t* strides);

/// The shape as integers of the host, in `extents` (room for 64).
std::span<const std::uint64_t> copy_shape(const U64Array& shape, std::uint64_t* extents);

/// In every one of these layouts but Hilbert's the position is a sum over the axes of a term that depends on that axis's
/// index alone. A walk over many elements therefore computes each term once.
class DenseAddress {
 public:
  /// no_values: the layout is none of these, or the text does not say where a token lies (block-paged with several
  /// sequences and unfilled pages).
  [[nodiscard]] ValueStatus prepare(const Descriptor& descriptor, std::span<const Bytes> buffers);

  bool is_hilbert() const { return layout_ == facts::layout_tag::hilbert; }
  /// Row-major, column-major or strided: axis_term(k, i) is i * strides()[k].
  bool is_affine() const { return affine_; }
  const std::int64_t* strides() const { return steps_[0]; }

  /// What index `i` along `axis` adds to the position; nothing where it cannot lie in any buffer. Not for Hilbert.
  [[nodiscard]] std::optional<std::int64_t> axis_term(std::size_t axis, std::uint64_t i) const;
  /// The position of a whole index, of any layout.
  [[nodiscard]] std::optional<std::int64_t> position(const std::uint64_t* index) const;
  /// Block-paged: the slot of the page pool that holds token `t`.
  [[nodiscard]] std::optional<std::int64_t> slot(std::uint64_t token) const;

 private:
  void prepare_tiles();
  [[nodiscard]] ValueStatus prepare_pages(std::span<const Bytes> buffers);
  [[nodiscard]] std::optional<std::int64_t> morton_term(std::size_t axis, std::uint64_t i) const;
  [[nodiscard]] std::optional<std::int64_t> hilbert_position(const std::uint64_t* index) const;
  std::uint64_t table_entry(Bytes table, std::uint64_t entry) const;
  std::uint64_t table_size(Bytes table) const;

  const Descriptor* descriptor_ = nullptr;
  std::uint8_t layout_ = 0;
  bool affine_ = false;
  std::size_t rank_ = 0;
  std::size_t levels_ = 0;  // of tiling
  // steps_[level][axis]: elements between neighbouring tiles of a level; after the last level, between neighbours inside.
  std::int64_t steps_[facts::limit::tiled_depth + 1][facts::limit::rank];
  Bytes block_table_;                    // block-paged
  std::uint64_t first_page_ = 0, end_page_ = 0;  // the entries of the block table that the tokens fill in order
};

}  // namespace hurray::reference
