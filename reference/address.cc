#include "reference/address.h"

#include <algorithm>

#include "reference/element.h"

namespace hurray::reference {
namespace {

namespace layout_tag = facts::layout_tag;

/// Wraps where the product only belongs to an axis of length 1 or an empty tensor.
std::int64_t times(std::int64_t left, std::uint64_t right) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(left) * right);
}

void column_major_strides(std::span<const std::uint64_t> shape, std::int64_t first, std::int64_t* strides) {
  std::int64_t stride = first;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    strides[axis] = stride;
    stride = times(stride, shape[axis]);
  }
}

/// The strides that `order`, a layout tag of the simple three, gives an array of this shape, times `unit`.
void simple_strides(std::uint8_t order, std::span<const std::uint64_t> shape, const I64Array& explicit_strides,
                    std::int64_t unit, std::int64_t* strides) {
  if (order == layout_tag::row_major) return row_major_strides(shape, shape.size(), unit, strides);
  if (order == layout_tag::column_major) return column_major_strides(shape, unit, strides);
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    strides[axis] = times(explicit_strides[axis], static_cast<std::uint64_t>(unit));
}

/// Skilling's transformation (AIP Conference Proceedings 707, 2004) of `order`-bit coordinates, in place.
void transpose_axes(std::uint64_t* x, std::size_t rank, unsigned order) {
  for (std::uint64_t q = std::uint64_t{1} << (order - 1); q > 1; q >>= 1) {
    const std::uint64_t p = q - 1;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      if ((x[axis] & q) != 0) {
        x[0] ^= p;
      } else {
        const std::uint64_t t = (x[0] ^ x[axis]) & p;
        x[0] ^= t;
        x[axis] ^= t;
      }
    }
  }
  for (std::size_t axis = 1; axis < rank; ++axis) x[axis] ^= x[axis - 1];
  std::uint64_t t = 0;
  for (std::uint64_t q = std::uint64_t{1} << (order - 1); q > 1; q >>= 1)
    if ((x[rank - 1] & q) != 0) t ^= q - 1;
  for (std::size_t axis = 0; axis < rank; ++axis) x[axis] ^= t;
}

}  // namespace

std::span<const std::uint64_t> copy_shape(const U64Array& shape, std::uint64_t* extents) {
  for (std::size_t axis = 0; axis < shape.size(); ++axis) extents[axis] = shape[axis];
  return {extents, shape.size()};
}

void row_major_strides(std::span<const std::uint64_t> shape, std::size_t skipped, std::int64_t first,
                       std::int64_t* strides) {
  std::int64_t stride = first;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (axis == skipped) continue;
    strides[axis] = stride;
    stride = times(stride, shape[axis]);
  }
}

DenseAddress::DenseAddress(const Descriptor& descriptor, std::span<const Bytes> buffers)
    : descriptor_(descriptor),
      layout_(descriptor.layout_tag),
      affine_(layout_ == layout_tag::row_major || layout_ == layout_tag::column_major || layout_ == layout_tag::strided),
      rank_(descriptor.rank) {
  std::uint64_t extents[facts::limit::rank];
  const std::span<const std::uint64_t> shape = copy_shape(descriptor.shape, extents);
  if (affine_) simple_strides(layout_, shape, descriptor.layout.strides, 1, steps_[0]);
  if (layout_ == layout_tag::tiled) prepare_tiles();
  if (layout_ == layout_tag::block_paged) {
    row_major_strides(shape, rank_, 1, steps_[0]);
    block_table_ = buffers[1];
  }
}

void DenseAddress::prepare_tiles() {
  // What a level's tiles cover: the tensor, then a tile of the level above.
  std::uint64_t covered[facts::limit::rank], grid[facts::limit::rank];
  copy_shape(descriptor_.shape, covered);
  levels_ = descriptor_.layout.tile_levels;
  for (std::size_t level = 0; level < levels_; ++level) {
    const TileLevel& tiles = descriptor_.layout.tiles[level];
    std::int64_t tile_elements = 1;
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      const std::uint64_t tile = tiles.tile_shape[axis];
      tile_elements = times(tile_elements, tile);
      grid[axis] = covered[axis] / tile + (covered[axis] % tile != 0 ? 1 : 0);
      covered[axis] = tile;
    }
    simple_strides(tiles.outer_layout, {grid, rank_}, tiles.outer_strides, tile_elements, steps_[level]);
  }
  const TileLevel& innermost = descriptor_.layout.tiles[levels_ - 1];
  simple_strides(innermost.inner_layout, {covered, rank_}, innermost.inner_strides, 1, steps_[levels_]);
}

/// One sequence after another fills the pages that the block table lists.
std::int64_t DenseAddress::slot(std::uint64_t token) const {
  const std::uint64_t page_size = descriptor_.layout.page_size, entry = token / page_size;
  const std::uint64_t page = descriptor_.layout.index_type == 0
                                 ? load_little_endian<std::uint32_t>(block_table_.data() + entry * 4)
                                 : load_little_endian<std::uint64_t>(block_table_.data() + entry * 8);
  return static_cast<std::int64_t>(page * page_size + token % page_size);
}

std::int64_t DenseAddress::morton_term(std::size_t axis, std::uint64_t i) const {
  std::uint64_t term = 0;
  for (std::size_t place = axis; i != 0; place += rank_, i >>= 1) term |= (i & 1) << place;
  return static_cast<std::int64_t>(term);
}

std::int64_t DenseAddress::axis_term(std::size_t axis, std::uint64_t i) const {
  if (layout_ == layout_tag::morton) return morton_term(axis, i);
  if (layout_ == layout_tag::block_paged && axis == 0) return slot(i) * steps_[0][0];
  std::int64_t term = 0;
  for (std::size_t level = 0; level < levels_; ++level) {
    const std::uint64_t tile = descriptor_.layout.tiles[level].tile_shape[axis];
    term += times(steps_[level][axis], i / tile);
    i %= tile;
  }
  return term + times(steps_[levels_][axis], i);
}

std::int64_t DenseAddress::hilbert_position(const std::uint64_t* index) const {
  const unsigned order = descriptor_.layout.hilbert_order;
  std::uint64_t x[facts::limit::rank]{};
  std::copy_n(index, rank_, x);
  transpose_axes(x, rank_, order);
  std::uint64_t position = 0;
  for (unsigned bit = order; bit-- > 0;)
    for (std::size_t axis = 0; axis < rank_; ++axis) position = (position << 1) | ((x[axis] >> bit) & 1);
  return static_cast<std::int64_t>(position);
}

std::int64_t DenseAddress::position(const std::uint64_t* index) const {
  if (is_hilbert()) return hilbert_position(index);
  std::int64_t sum = 0;
  for (std::size_t axis = 0; axis < rank_; ++axis) sum += axis_term(axis, index[axis]);
  return sum;
}

}  // namespace hurray::reference
