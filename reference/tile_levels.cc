// The recursive fields of the tiled layout (layouts/tiled.md, Additional Descriptor Fields).
#include "reference/descriptor_reader.h"

namespace hurray::reference {
namespace {

TileLevel read_level(DescriptorReader& reader) {
  Cursor& in = reader.in;
  Checks& check = reader.check;
  const std::uint32_t rank = reader.descriptor.rank;
  const std::uint64_t at = in.position();
  TileLevel level;
  level.tile_shape = in.array<std::uint64_t>(rank);
  const std::uint64_t tags_at = in.position();
  level.outer_layout = in.u8();
  level.inner_layout = in.u8();
  const bool zero = all_zero(in.array<std::uint8_t>(2));
  if (in.overran()) return level;

  bool has_empty_tile = false;
  for (std::size_t k = 0; k < level.tile_shape.size(); ++k) {
    check.that(level.tile_shape[k] > 0, Rule::LAY_TILE_01, at + 8 * k, "tile_shape 0 in dimension", k);
    has_empty_tile |= level.tile_shape[k] == 0;
  }
  const std::uint8_t outer = level.outer_layout, inner = level.inner_layout;
  const bool outer_known = outer >= facts::layout_tag::row_major && outer <= facts::layout_tag::strided;
  const bool inner_known = inner >= facts::layout_tag::row_major && inner <= facts::layout_tag::tiled;
  check.that(outer_known, Rule::LAY_TILE_02, tags_at, "outer_layout", hex(outer));
  check.that(inner_known, Rule::LAY_TILE_03, tags_at + 1, "inner_layout", hex(inner));
  reader.descriptor.opaque |= has_empty_tile || !outer_known || !inner_known;
  check.that(zero, Rule::LAY_TILE_04, tags_at + 2, "tiled reserved bytes are not zero");
  if (outer == facts::layout_tag::strided) level.outer_strides = in.array<std::int64_t>(rank);
  if (inner == facts::layout_tag::strided) level.inner_strides = in.array<std::int64_t>(rank);
  return level;
}

}  // namespace

void read_tile_levels(DescriptorReader& reader) {
  LayoutFields& fields = reader.descriptor.layout;
  for (bool more = true; more && !reader.check.failed() && !reader.in.overran();) {
    const bool has_room = fields.tile_levels < facts::limit::tiled_depth;
    if (!reader.check.that(has_room, Rule::LAY_TILE_05, reader.in.position(), "tiled nesting deeper than",
                           facts::limit::tiled_depth))
      return;
    const TileLevel level = read_level(reader);
    reader.descriptor.opaque |= !has_room;  // a level that is read and dropped
    if (has_room) {
      fields.tiles.push_back(level);
      ++fields.tile_levels;
    }
    more = level.inner_layout == facts::layout_tag::tiled;
  }
}

}  // namespace hurray::reference
