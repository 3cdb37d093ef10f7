#include "reference/reachable_bytes.h"

#include <algorithm>

#include "reference/storage_size.h"

namespace hurray::reference {
namespace {

using Marks = std::vector<std::uint8_t>;

/// A distance in bytes that may lead backwards; anything beyond a buffer's size is the same.
struct Stride {
  std::uint64_t distance;
  bool backwards;
};

Stride times(std::int64_t stride, Wide factor) {
  const bool backwards = stride < 0;
  const auto bits = static_cast<std::uint64_t>(stride);
  const Wide distance = wide_multiply(backwards ? std::uint64_t{0} - bits : bits, factor);
  return {static_cast<std::uint64_t>(std::min<Wide>(distance, ~std::uint64_t{0})), backwards};
}

/// Marks what `count` positions, `stride` apart, reach from every mark. `left` is room for as many numbers as marks.
void spread(Marks& marks, std::uint64_t count, Stride stride, std::vector<std::uint64_t>& left) {
  const std::size_t size = marks.size();
  if (count <= 1 || stride.distance == 0 || stride.distance >= size) return;
  left.resize(size);  // positions left, this one included
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t here = stride.backwards ? size - 1 - i : i;
    const bool has_source = i >= stride.distance;
    const std::size_t source = stride.backwards ? here + stride.distance : here - stride.distance;
    const std::uint64_t carried = has_source && left[source] > 0 ? left[source] - 1 : 0;
    left[here] = marks[here] != 0 ? count : carried;
  }
  for (std::size_t i = 0; i < size; ++i) marks[i] = left[i] > 0 ? 1 : 0;
}

/// Fills `result` with every mark moved by `count` strides; what leaves the buffer is gone.
void move_marks(const Marks& marks, std::uint64_t count, Stride stride, Marks& result) {
  const std::uint64_t size = marks.size();
  const Wide distance = wide_multiply(stride.distance, count);
  result.assign(marks.size(), 0);
  if (distance >= size) return;
  const auto by = static_cast<std::ptrdiff_t>(distance);
  if (stride.backwards) std::copy(marks.begin() + by, marks.end(), result.begin());
  else std::copy(marks.begin(), marks.end() - by, result.begin() + by);
}

/// The stride of dimension k of a grid with `counts` positions, stored by the order that layout tag `order` names.
Stride grid_stride(std::uint8_t order, const I64Array& strides, const std::vector<Wide>& counts, std::size_t k, Wide unit) {
  if (order == facts::layout_tag::strided) return times(strides[k], unit);
  Wide stride = unit;
  const bool column_major = order == facts::layout_tag::column_major;
  for (std::size_t j = column_major ? 0 : k + 1; j < (column_major ? k : counts.size()); ++j)
    stride = wide_multiply(stride, counts[j]);
  return times(1, stride);
}

/// The tilings of a tensor, with the grids that their implicit orders need.
class Tiling {
 public:
  explicit Tiling(const Descriptor& descriptor) : d_(descriptor), edges_(descriptor.layout.tile_levels) {
    for (std::size_t level = 0; level < d_.layout.tile_levels; ++level) {
      const U64Array& sizes = level == 0 ? d_.shape : d_.layout.tiles[level - 1].tile_shape;
      const U64Array& tile = d_.layout.tiles[level].tile_shape;
      Wide elements = 1;
      std::vector<Wide> grid, inside;
      for (std::size_t k = 0; k < d_.shape.size(); ++k) {
        grid.push_back((sizes[k] - 1) / tile[k] + 1);
        inside.push_back(tile[k]);
        elements = wide_multiply(elements, tile[k]);
      }
      grids_.push_back(std::move(grid));
      insides_.push_back(std::move(inside));
      elements_.push_back(elements);
    }
  }

  /// Turns the marks into what `size` indices of dimension k reach from them, on one level and those inside it.
  void reach(Marks& marks, std::size_t level, std::size_t k, std::uint64_t size) {
    const TileLevel& fields = d_.layout.tiles[level];
    const Stride outer = grid_stride(fields.outer_layout, fields.outer_strides, grids_[level], k, elements_[level]);
    const std::uint64_t tile = fields.tile_shape[k];
    const std::uint64_t whole = size / tile, rest = size % tile;
    Marks& edge = edges_[level];
    if (rest > 0) {
      move_marks(marks, whole, outer, edge);
      reach_inside(edge, level, k, rest);
    }
    if (whole == 0) return std::copy(edge.begin(), edge.end(), marks.begin()), void();
    spread(marks, whole, outer, left_);
    reach_inside(marks, level, k, tile);
    for (std::size_t i = 0; rest > 0 && i < marks.size(); ++i) marks[i] |= edge[i];
  }

 private:
  void reach_inside(Marks& marks, std::size_t level, std::size_t k, std::uint64_t size) {
    if (level + 1 < d_.layout.tile_levels) return reach(marks, level + 1, k, size);
    const TileLevel& fields = d_.layout.tiles[level];
    spread(marks, size, grid_stride(fields.inner_layout, fields.inner_strides, insides_[level], k, 1), left_);
  }

  const Descriptor& d_;
  std::vector<std::vector<Wide>> grids_, insides_;  // by level: tiles, and elements of a tile, along each dimension
  std::vector<Wide> elements_;
  std::vector<Marks> edges_;          // by level: what the partial last tile reaches
  std::vector<std::uint64_t> left_;
};

}  // namespace

std::vector<std::uint8_t> reachable_bytes(const Descriptor& d, std::size_t size) {
  Marks marks(size);
  if (is_empty(d) || d.byte_offset >= size) return marks;
  marks[d.byte_offset] = 1;
  if (d.layout_tag == facts::layout_tag::strided) {
    std::vector<std::uint64_t> left;
    for (std::size_t k = 0; k < d.shape.size(); ++k) spread(marks, d.shape[k], times(d.layout.strides[k], 1), left);
    return marks;
  }
  Tiling tiling(d);
  for (std::size_t k = 0; k < d.shape.size(); ++k) tiling.reach(marks, 0, k, d.shape[k]);
  return marks;
}

}  // namespace hurray::reference
