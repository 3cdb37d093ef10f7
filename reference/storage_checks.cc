// Whether the buffers hold what the layout puts there (layouts/*.md, Buffer Size).
#include "reference/buffer_roles.h"
#include "reference/descriptor_reader.h"
#include "reference/storage_size.h"

namespace hurray::reference {
namespace {

constexpr Wide one = 1;

std::uint64_t shown(Wide number) { return static_cast<std::uint64_t>(std::min<Wide>(number, ~std::uint64_t{0})); }

/// Adds (size - 1) steps of `stride` to an extent; size is at least 1.
void reach(Extent& extent, std::int64_t stride, std::uint64_t size) {
  const bool backwards = stride < 0;
  const std::uint64_t step = backwards ? std::uint64_t{0} - static_cast<std::uint64_t>(stride)
                                       : static_cast<std::uint64_t>(stride);
  Wide& side = backwards ? extent.below : extent.above;
  side = wide_add(side, wide_multiply(step, Wide{size} - 1));
}

Wide product(const U64Array& sizes) {
  Wide count = 1;
  for (std::size_t k = 0; k < sizes.size(); ++k) count = wide_multiply(count, sizes[k]);
  return count;
}

/// Extent of level `index` over `sizes`, the shape or the tile of the level around it. Edge tiles are stored whole.
Extent tile_extent(const Descriptor& d, std::size_t index, const U64Array& sizes) {
  const TileLevel& level = d.layout.tiles[index];
  Extent outer, inner;
  Wide tiles = 1;
  for (std::size_t k = 0; k < d.shape.size(); ++k) {
    const std::uint64_t tile = level.tile_shape[k];
    const std::uint64_t count = (sizes[k] - 1) / tile + 1;
    tiles = wide_multiply(tiles, count);
    reach(outer, level.outer_strides[k], count);
    reach(inner, level.inner_strides[k], tile);
  }
  const Wide elements = product(level.tile_shape);
  if (level.outer_layout != facts::layout_tag::strided) outer = {0, tiles - 1};
  if (level.inner_layout != facts::layout_tag::strided) inner = {0, elements - 1};
  if (index + 1 < d.layout.tile_levels) inner = tile_extent(d, index + 1, level.tile_shape);
  return {wide_add(wide_multiply(outer.below, elements), inner.below),
          wide_add(wide_multiply(outer.above, elements), inner.above)};
}

/// Whether every level has tiles to count, which is so unless LAY-TILE-01 is waived.
bool has_tiles(const Descriptor& d) {
  for (std::size_t level = 0; level < d.layout.tile_levels; ++level)
    for (std::size_t k = 0; k < d.shape.size(); ++k)
      if (d.layout.tiles[level].tile_shape[k] == 0) return false;
  return d.layout.tile_levels > 0;
}

/// Whether an extent around byte_offset lies inside buffer 0.
bool inside(const Descriptor& d, const Extent& extent, Packing packing) {
  const Wide before = wide_multiply((extent.below + packing.elements - 1) / packing.elements, packing.bytes);
  const Wide after = packed_bytes(wide_add(extent.above, 1), packing);
  return before <= d.byte_offset && wide_add(d.byte_offset, after) <= d.buffer(0).byte_size;
}

/// A strided buffer can fail in three ways, each with a rule: too small for the range wherever it starts, a first element
/// outside, another element outside.
void check_strided(DescriptorReader& reader, Packing packing) {
  Checks& check = reader.check;
  const Descriptor& d = reader.descriptor;
  const std::uint64_t size = d.buffer(0).byte_size, offset = d.byte_offset;
  Extent extent;
  for (std::size_t k = 0; k < d.shape.size(); ++k) reach(extent, d.layout.strides[k], d.shape[k]);
  const Wide range = packed_bytes(wide_add(wide_add(extent.below, extent.above), 1), packing);
  if (range > size) {
    check.that(false, Rule::LAY_STR_04, handle_at(d, 0), "strided byte_size", size, "for a range of bytes", shown(range));
  } else if (offset + packed_bytes(1, packing) > size) {
    check.that(false, Rule::LAY_STR_02, d.at.byte_offset, "first element at byte", offset, "of a buffer of", size);
  } else {
    check.that(inside(d, extent, packing), Rule::LAY_STR_07, d.at.layout, "strided element outside the buffer, byte_offset",
               offset, "in byte_size", size);
  }
}

void check_tiled(DescriptorReader& reader, Packing packing) {
  const Descriptor& d = reader.descriptor;
  if (!has_tiles(d)) return;
  const Extent extent = tile_extent(d, 0, d.shape);
  reader.check.that(inside(d, extent, packing), Rule::LAY_TILE_07, handle_at(d, 0), "tiled byte_size", d.buffer(0).byte_size,
                    "for whole tiles of elements", shown(extent.above + extent.below + 1));
}

void check_morton(DescriptorReader& reader, Packing packing) {
  const Descriptor& d = reader.descriptor;
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < d.layout.morton_bits.size(); ++k) bits += d.layout.morton_bits[k];
  const Wide elements = bits >= 96 ? wide_cap : one << bits;
  reader.check.that(inside(d, {0, elements - 1}, packing), Rule::LAY_MOR_03, handle_at(d, 0), "Morton byte_size",
                    d.buffer(0).byte_size, "for elements", shown(elements));
}

/// The one layout whose buffer holds exactly its elements.
void check_hilbert(DescriptorReader& reader, Packing packing) {
  const Descriptor& d = reader.descriptor;
  const std::uint64_t bits = std::uint64_t{d.layout.hilbert_order} * d.layout.hilbert_rank;
  if (d.layout.hilbert_order == 0 || d.layout.hilbert_rank != d.rank) return;
  const Wide bytes = packed_bytes(bits >= 96 ? wide_cap : one << bits, packing);
  reader.check.that(wide_add(d.byte_offset, bytes) == d.buffer(0).byte_size, Rule::LAY_HIL_05, handle_at(d, 0),
                    "Hilbert byte_size", d.buffer(0).byte_size, "for bytes", shown(bytes));
}

void check_dense(DescriptorReader& reader, Packing packing) {
  const Descriptor& d = reader.descriptor;
  if (has_dynamic_dimension(d) || is_empty(d) || d.byte_offset > d.buffer(0).byte_size) return;
  const std::uint8_t tag = d.layout_tag;
  if (tag == facts::layout_tag::strided) return check_strided(reader, packing);
  if (tag == facts::layout_tag::tiled) return check_tiled(reader, packing);
  if (tag == facts::layout_tag::morton) return check_morton(reader, packing);
  if (tag == facts::layout_tag::hilbert) return check_hilbert(reader, packing);
  const Wide bytes = packed_bytes(element_count(d), packing);
  const bool holds = wide_add(d.byte_offset, bytes) <= d.buffer(0).byte_size;
  const std::uint64_t at = handle_at(d, 0), size = d.buffer(0).byte_size;
  reader.check.that(holds || tag != facts::layout_tag::row_major, Rule::LAY_RM_02, at, "row-major byte_size", size,
                    "for bytes", shown(bytes));
  reader.check.that(holds || tag != facts::layout_tag::column_major, Rule::LAY_CM_02, at, "column-major byte_size", size,
                    "for bytes", shown(bytes));
}

/// A component array of a sparse layout: `needed` bytes in buffer `index`.
void check_component(DescriptorReader& reader, Rule rule, std::size_t index, Wide needed) {
  const Descriptor& d = reader.descriptor;
  if (index >= d.buffer_count) return;
  const std::uint64_t size = d.buffer(index).byte_size;
  reader.check.that(needed <= size, rule, handle_at(d, index), "sparse component of byte_size", size, "for bytes",
                    shown(needed));
}

void check_sparse(DescriptorReader& reader, std::optional<Packing> packing) {
  const Descriptor& d = reader.descriptor;
  const std::uint8_t tag = d.layout_tag;
  const std::uint64_t nnz = d.layout.nnz;
  const bool compressed = tag == facts::layout_tag::csr || tag == facts::layout_tag::csc;
  if (has_dynamic_dimension(d) || (compressed && d.rank != 2)) return;
  const Rule rule = tag == facts::layout_tag::coo   ? Rule::LAY_COO_12
                    : tag == facts::layout_tag::csr ? Rule::LAY_CSR_12
                                                    : Rule::LAY_CSC_12;
  if (packing) check_component(reader, rule, 0, packed_bytes(nnz, *packing));
  const Wide indices = wide_multiply(nnz, compressed ? 1 : d.rank);
  check_component(reader, rule, 1, wide_multiply(indices, 8));
  if (compressed) check_component(reader, rule, 2, wide_multiply(Wide{d.shape[tag == facts::layout_tag::csr ? 0 : 1]} + 1, 8));
}

}  // namespace

void check_storage_size(DescriptorReader& reader) {
  const Descriptor& d = reader.descriptor;
  const facts::Layout* const layout = facts::layout(d.layout_tag);
  if (layout == nullptr || d.buffer_count == 0) return;
  const std::optional<Packing> packing = packing_of(d);
  if (layout->addressing == facts::Addressing::dense && packing) check_dense(reader, *packing);
  if (layout->addressing == facts::Addressing::sparse && d.layout_tag != facts::layout_tag::csf) check_sparse(reader, packing);
}

}  // namespace hurray::reference
