#include "reference/address.h"

#include <algorithm>

#include "reference/element.h"

namespace hurray::reference {
namespace {

namespace layout_tag = facts::layout_tag;

std::int64_t cut(Signed128 value) {
  return static_cast<std::int64_t>(std::clamp<Signed128>(value, -position_limit, position_limit));
}

void column_major_strides(std::span<const std::uint64_t> shape, std::int64_t first, std::int64_t* strides) {
  Signed128 stride = first;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    strides[axis] = cut(stride);
    stride = cut(stride * static_cast<Signed128>(shape[axis]));
  }
}

/// The strides that `order`, a layout tag of the simple three, gives an array of this shape, times `unit`.
void simple_strides(std::uint8_t order, std::span<const std::uint64_t> shape, const I64Array& explicit_strides,
                    std::int64_t unit, std::int64_t* strides) {
  if (order == layout_tag::row_major) return row_major_strides(shape, shape.size(), unit, strides);
  if (order == layout_tag::column_major) return column_major_strides(shape, unit, strides);
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    strides[axis] = axis < explicit_strides.size() ? cut(static_cast<Signed128>(explicit_strides[axis]) * unit) : 0;
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

std::optional<std::int64_t> scaled(std::uint64_t index, std::int64_t stride) {
  const Signed128 product = static_cast<Signed128>(index) * stride;
  if (product >= position_limit || product <= -position_limit) return std::nullopt;
  return static_cast<std::int64_t>(product);
}

std::span<const std::uint64_t> copy_shape(const U64Array& shape, std::uint64_t* extents) {
  const std::size_t rank = std::min<std::size_t>(shape.size(), facts::limit::rank);
  for (std::size_t axis = 0; axis < rank; ++axis) extents[axis] = shape[axis];
  return {extents, rank};
}

void row_major_strides(std::span<const std::uint64_t> shape, std::size_t skipped, std::int64_t first,
                       std::int64_t* strides) {
  Signed128 stride = first;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (axis == skipped) continue;
    strides[axis] = cut(stride);
    stride = cut(stride * static_cast<Signed128>(shape[axis]));
  }
}

ValueStatus DenseAddress::prepare(const Descriptor& descriptor, std::span<const Bytes> buffers) {
  descriptor_ = &descriptor;
  layout_ = descriptor.layout_tag;
  rank_ = descriptor.rank;
  std::uint64_t extents[facts::limit::rank];
  affine_ = layout_ == layout_tag::row_major || layout_ == layout_tag::column_major || layout_ == layout_tag::strided;
  switch (layout_) {
    case layout_tag::row_major:
    case layout_tag::column_major:
    case layout_tag::strided:
      if (layout_ == layout_tag::strided && descriptor.layout.strides.size() != rank_) return ValueStatus::no_values;
      simple_strides(layout_, copy_shape(descriptor.shape, extents), descriptor.layout.strides, 1, steps_[0]);
      return ValueStatus::ok;
    case layout_tag::tiled:
      levels_ = descriptor.layout.tile_levels;
      if (levels_ == 0) return ValueStatus::no_values;
      for (std::size_t level = 0; level < levels_; ++level)
        for (std::size_t axis = 0; axis < rank_; ++axis)
          if (descriptor.layout.tiles[level].tile_shape[axis] == 0) return ValueStatus::no_values;
      prepare_tiles();
      return ValueStatus::ok;
    case layout_tag::morton: return ValueStatus::ok;
    case layout_tag::hilbert:
      // More than 57 bits of index exceed position_limit: no such buffer exists.
      if (descriptor.layout.hilbert_order == 0 || rank_ == 0) return ValueStatus::no_values;
      return std::uint64_t{descriptor.layout.hilbert_order} * rank_ <= 57 ? ValueStatus::ok : ValueStatus::out_of_bounds;
    case layout_tag::block_paged: return prepare_pages(buffers);
  }
  return ValueStatus::no_values;
}

void DenseAddress::prepare_tiles() {
  // What a level's tiles cover: the tensor, then a tile of the level above.
  std::uint64_t covered[facts::limit::rank], grid[facts::limit::rank];
  copy_shape(descriptor_->shape, covered);
  for (std::size_t level = 0; level < levels_; ++level) {
    const TileLevel& tiles = descriptor_->layout.tiles[level];
    std::int64_t tile_elements = 1;
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      const std::uint64_t tile = tiles.tile_shape[axis];
      tile_elements = cut(static_cast<Signed128>(tile_elements) * static_cast<Signed128>(tile));
      grid[axis] = covered[axis] / tile + (covered[axis] % tile != 0 ? 1 : 0);
      covered[axis] = tile;
    }
    simple_strides(tiles.outer_layout, {grid, rank_}, tiles.outer_strides, tile_elements, steps_[level]);
  }
  const TileLevel& innermost = descriptor_->layout.tiles[levels_ - 1];
  simple_strides(innermost.inner_layout, {covered, rank_}, innermost.inner_strides, 1, steps_[levels_]);
}

std::uint64_t DenseAddress::table_entry(Bytes table, std::uint64_t entry) const {
  return descriptor_->layout.index_type == 0 ? load_little_endian<std::uint32_t>(table.data() + entry * 4)
                                             : load_little_endian<std::uint64_t>(table.data() + entry * 8);
}

std::uint64_t DenseAddress::table_size(Bytes table) const {
  return table.size() / (descriptor_->layout.index_type == 0 ? 4 : 8);
}

ValueStatus DenseAddress::prepare_pages(std::span<const Bytes> buffers) {
  const LayoutFields& fields = descriptor_->layout;
  if (rank_ != 3 || fields.page_size == 0 || buffers.size() < 3) return ValueStatus::no_values;
  block_table_ = buffers[1];
  const Bytes sequences = buffers[2];
  if (table_size(sequences) <= fields.num_seqs) return ValueStatus::out_of_bounds;
  const std::uint64_t pages = table_entry(sequences, fields.num_seqs);
  if (pages > table_size(block_table_)) return ValueStatus::out_of_bounds;
  std::uint64_t extents[facts::limit::rank];
  row_major_strides(copy_shape(descriptor_->shape, extents), rank_, 1, steps_[0]);
  first_page_ = 0;
  end_page_ = pages;
  if (static_cast<Unsigned128>(pages) * fields.page_size == extents[0]) return ValueStatus::ok;  // every slot is filled
  // How many tokens a sequence has is written nowhere: with unfilled slots only one sequence says where they are.
  bool found = false;
  for (std::uint32_t sequence = 0; sequence < fields.num_seqs; ++sequence) {
    const std::uint64_t begin = table_entry(sequences, sequence), end = table_entry(sequences, sequence + std::uint64_t{1});
    if (begin > end || end > pages) return ValueStatus::out_of_bounds;
    if (begin == end) continue;
    if (found) return ValueStatus::no_values;
    found = true;
    first_page_ = begin;
    end_page_ = end;
  }
  return ValueStatus::ok;
}

std::optional<std::int64_t> DenseAddress::slot(std::uint64_t token) const {
  const std::uint64_t page_size = descriptor_->layout.page_size;
  if (token / page_size >= end_page_ - first_page_) return std::nullopt;
  const std::uint64_t page = table_entry(block_table_, first_page_ + token / page_size);
  if (page >= descriptor_->layout.num_pages) return std::nullopt;
  const auto first_slot = scaled(page, static_cast<std::int64_t>(page_size));
  if (!first_slot) return std::nullopt;
  return *first_slot + static_cast<std::int64_t>(token % page_size);
}

std::optional<std::int64_t> DenseAddress::morton_term(std::size_t axis, std::uint64_t i) const {
  const U32Array& widths = descriptor_->layout.morton_bits;
  if (axis >= widths.size()) return std::nullopt;
  std::int64_t term = 0;
  for (std::uint32_t bit = 0; bit < widths[axis] && bit < 64 && (i >> bit) != 0; ++bit) {
    if (((i >> bit) & 1) == 0) continue;
    const std::uint64_t place = std::uint64_t{bit} * rank_ + axis;
    if (place >= 57) return std::nullopt;
    term |= std::int64_t{1} << place;
  }
  return term;
}

std::optional<std::int64_t> DenseAddress::axis_term(std::size_t axis, std::uint64_t i) const {
  if (layout_ == layout_tag::morton) return morton_term(axis, i);
  if (layout_ == layout_tag::block_paged && axis == 0) {
    const auto in_slots = slot(i);
    return in_slots ? scaled(static_cast<std::uint64_t>(*in_slots), steps_[0][0]) : std::nullopt;
  }
  Signed128 term = 0;
  for (std::size_t level = 0; level < levels_; ++level) {
    const std::uint64_t tile = descriptor_->layout.tiles[level].tile_shape[axis];
    term += static_cast<Signed128>(i / tile) * steps_[level][axis];
    i %= tile;
  }
  term += static_cast<Signed128>(i) * steps_[levels_][axis];
  if (term >= position_limit || term <= -position_limit) return std::nullopt;
  return static_cast<std::int64_t>(term);
}

std::optional<std::int64_t> DenseAddress::hilbert_position(const std::uint64_t* index) const {
  const unsigned order = descriptor_->layout.hilbert_order;
  std::uint64_t x[facts::limit::rank];
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    if (index[axis] >> order != 0) return std::nullopt;
    x[axis] = index[axis];
  }
  transpose_axes(x, rank_, order);
  std::uint64_t position = 0;
  for (unsigned bit = order; bit-- > 0;)
    for (std::size_t axis = 0; axis < rank_; ++axis) position = (position << 1) | ((x[axis] >> bit) & 1);
  return static_cast<std::int64_t>(position);
}

std::optional<std::int64_t> DenseAddress::position(const std::uint64_t* index) const {
  if (is_hilbert()) return hilbert_position(index);
  std::int64_t sum = 0;
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    const auto term = axis_term(axis, index[axis]);
    if (!term) return std::nullopt;
    sum += *term;
  }
  return sum;
}

}  // namespace hurray::reference
