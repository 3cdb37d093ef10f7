#include "generators/addressing.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "generators/storage.h"

namespace hurray::generators {
namespace {

/// Calls `visit(index)` for every index of `shape` in row-major order; the caller has bounded the volume.
template <typename Visit>
void for_each_index(const Shape& shape, Visit visit) {
  for (const std::uint64_t size : shape)
    if (size == 0) return;
  Index index(shape.size(), 0);
  while (true) {
    visit(index);
    std::size_t k = shape.size();
    while (k > 0 && ++index[k - 1] == shape[k - 1]) index[--k] = 0;
    if (k == 0) return;
  }
}

/// A sum of products that remembers whether it left 64 bits.
class Sum {
 public:
  void add_product(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    overflow_ |= __builtin_mul_overflow(a, b, &product) || __builtin_add_overflow(value_, product, &value_);
  }
  std::int64_t value() const { return value_; }
  bool overflowed() const { return overflow_; }

 private:
  std::int64_t value_ = 0;
  bool overflow_ = false;
};

constexpr std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

/// The strides of an implicit order, or the given ones, cut or filled to the rank.
std::vector<std::int64_t> order_strides(std::uint8_t order, const Shape& extents, const std::vector<std::int64_t>& given) {
  std::vector<std::int64_t> strides(extents.size(), 1);
  if (order == facts::layout_tag::strided) {
    strides = given;
    strides.resize(extents.size(), 0);
  } else if (order == facts::layout_tag::column_major) {
    for (std::size_t k = 1; k < extents.size(); ++k) strides[k] = strides[k - 1] * as_signed(extents[k - 1]);
  } else {
    for (std::size_t k = extents.size(); k > 1; --k) strides[k - 2] = strides[k - 1] * as_signed(extents[k - 1]);
  }
  return strides;
}

std::int64_t dot(const Index& index, const std::vector<std::int64_t>& strides) {
  std::int64_t offset = 0;
  for (std::size_t k = 0; k < index.size(); ++k) offset += as_signed(index[k]) * strides[k];
  return offset;
}

/// Whether every offset of the box stays far inside 64 bits; `last` is the largest offset.
bool measure(const Shape& extents, const std::vector<std::int64_t>& strides, std::int64_t& last) {
  Sum low, high;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    if (extents[k] == 0) return last = -1, true;
    if (strides[k] == 0) continue;
    if (extents[k] > most_bytes * 8) return false;
    (strides[k] < 0 ? low : high).add_product(as_signed(extents[k] - 1), strides[k]);
  }
  last = high.value();
  const std::int64_t most = as_signed(most_bytes) * 8;
  return !low.overflowed() && !high.overflowed() && high.value() <= most && low.value() >= -most;
}

Addressing linear(const Shape& shape, const std::vector<std::int64_t>& strides) {
  Addressing out;
  std::int64_t last = 0;
  if (!measure(shape, strides, last)) return {{}, 0, "strides: the elements span more storage than this writer gives"};
  out.slots = static_cast<std::uint64_t>(last + 1);
  for_each_index(shape, [&](const Index& index) { out.offsets.push_back(dot(index, strides)); });
  return out;
}

/// Every place that a strided element lies at, once, ascending.
Addressing distinct(const Shape& shape, const std::vector<std::int64_t>& strides) {
  Shape moving = shape;
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (strides[k] == 0) moving[k] = 1;
  if (!volume(moving, most_elements)) return {{}, 0, "shape: more elements than this writer gives"};
  Addressing out = linear(moving, strides);
  std::sort(out.offsets.begin(), out.offsets.end());
  out.offsets.erase(std::unique(out.offsets.begin(), out.offsets.end()), out.offsets.end());
  return out;
}

Addressing strided(const Shape& shape, const std::vector<std::int64_t>& strides, std::uint64_t listed) {
  const std::optional<std::uint64_t> all = volume(shape, most_elements);
  Addressing once = distinct(shape, strides);
  const bool shared = !all || once.offsets.size() < *all;
  return shared && listed != all ? once : linear(shape, strides);
}

/// One level of tiling ready to evaluate: strides of the tile grid in elements, strides inside the tile.
struct TileStep {
  Shape tile;
  std::vector<std::int64_t> outer, inner;  // `inner` is empty where another level follows
};

std::string tile_steps(const Tiled& layout, Shape extents, std::vector<TileStep>& steps, std::int64_t& last) {
  last = 0;
  for (std::size_t level = 0; level < layout.levels.size(); ++level) {
    const TileLevel& described = layout.levels[level];
    TileStep step;
    step.tile = described.tile;
    step.tile.resize(extents.size(), 1);
    const std::optional<std::uint64_t> elements = volume(step.tile, most_elements);
    if (!elements || *elements == 0) return "tile: the tile is empty or too large";
    Shape grid(extents.size());
    for (std::size_t k = 0; k < grid.size(); ++k)
      grid[k] = extents[k] / step.tile[k] + (extents[k] % step.tile[k] != 0 ? 1 : 0);
    if (!volume(grid, most_elements)) return "shape: more tiles than this writer gives";
    step.outer = order_strides(described.outer, grid, described.outer_strides);
    std::int64_t reach = 0;
    if (!measure(grid, step.outer, reach)) return "outer_strides: the tiles span more storage than this writer gives";
    for (std::int64_t& stride : step.outer) stride *= as_signed(*elements);
    last += reach * as_signed(*elements);
    const bool innermost = level + 1 == layout.levels.size();
    if (innermost) {
      step.inner = order_strides(described.inner, step.tile, described.inner_strides);
      if (!measure(step.tile, step.inner, reach)) return "inner_strides: the tile spans more storage than this writer gives";
      last += reach;
    }
    extents = step.tile;
    steps.push_back(std::move(step));
  }
  return {};
}

std::int64_t tiled_offset(const std::vector<TileStep>& steps, Index index) {
  std::int64_t offset = 0;
  for (const TileStep& step : steps) {
    Index tile(index.size());
    for (std::size_t k = 0; k < index.size(); ++k) {
      tile[k] = index[k] / step.tile[k];
      index[k] %= step.tile[k];
    }
    offset += dot(tile, step.outer);
    if (!step.inner.empty()) offset += dot(index, step.inner);
  }
  return offset;
}

Addressing tiled(const Tiled& layout, const Shape& shape) {
  if (layout.levels.empty()) return {{}, 0, "layout.tiled: no level of tiling"};
  std::vector<TileStep> steps;
  std::int64_t last = 0;
  Addressing out;
  out.error = tile_steps(layout, shape, steps, last);
  if (!out.error.empty()) return out;
  // Whole tiles are stored, whatever the strides reach.
  Shape padded = shape;
  for (std::size_t k = 0; k < shape.size(); ++k) padded[k] += (steps[0].tile[k] - shape[k] % steps[0].tile[k]) % steps[0].tile[k];
  const std::optional<std::uint64_t> whole = volume(padded, most_elements);
  if (!whole) return {{}, 0, "shape: the tiles span more storage than this writer gives"};
  out.slots = std::max(*whole, static_cast<std::uint64_t>(last + 1));
  for_each_index(shape, [&](const Index& index) { out.offsets.push_back(tiled_offset(steps, index)); });
  return out;
}

Addressing morton(const Morton& layout, const Shape& shape) {
  Addressing out;
  const std::vector<std::uint32_t> bits = morton_bits(layout, shape);
  std::uint64_t total = 0;
  for (const std::uint32_t count : bits) total += count;
  if (total > 24) return {{}, 0, "layout.morton.bits: 2^" + std::to_string(total) + " elements are more than this writer gives"};
  out.slots = std::uint64_t{1} << total;
  for_each_index(shape, [&](const Index& index) {
    std::uint64_t code = 0;
    for (std::size_t d = 0; d < index.size(); ++d)
      for (std::size_t b = 0; b < bits[d] && b * index.size() + d < 63; ++b)
        code |= (index[d] >> b & 1) << (b * index.size() + d);
    // With unequal bits the printed code leaves the printed buffer; the writer follows the code.
    out.slots = std::max(out.slots, code + 1);
    out.offsets.push_back(as_signed(code));
  });
  if (out.slots > most_bytes) return {{}, 0, "layout.morton.bits: the code reaches beyond what this writer gives"};
  return out;
}

Addressing hilbert(const Shape& shape) {
  Addressing out;
  const std::uint32_t order = hilbert_order(shape);
  const std::uint64_t total = std::uint64_t{order} * shape.size();
  if (shape.empty() || total > 24) return {{}, 0, "shape: a Hilbert curve over it has more points than this writer gives"};
  out.slots = std::uint64_t{1} << total;
  for_each_index(shape, [&](const Index& index) { out.offsets.push_back(as_signed(hilbert_index(index, order))); });
  return out;
}

}  // namespace

std::optional<std::uint64_t> volume(const Shape& shape, std::uint64_t most) {
  std::uint64_t product = 1;
  for (const std::uint64_t size : shape)
    if (size == 0) return 0;
  for (const std::uint64_t size : shape) {
    if (size > most / product) return std::nullopt;
    product *= size;
  }
  return product;
}

std::vector<std::uint32_t> morton_bits(const Morton& layout, const Shape& shape) {
  std::vector<std::uint32_t> bits = layout.bits;
  for (std::size_t k = bits.size(); k < shape.size(); ++k)
    bits.push_back(shape[k] <= 2 ? 1 : static_cast<std::uint32_t>(std::bit_width(shape[k] - 1)));
  bits.resize(shape.size());
  return bits;
}

std::uint32_t hilbert_order(const Shape& shape) {
  std::uint32_t order = 1;
  for (const std::uint64_t size : shape)
    if (size > 2) order = std::max(order, static_cast<std::uint32_t>(std::bit_width(size - 1)));
  return order;
}

std::uint64_t hilbert_index(Index point, std::uint32_t order) {
  const std::uint64_t top = std::uint64_t{1} << (order - 1);
  const std::size_t rank = point.size();
  for (std::uint64_t q = top; q > 1; q >>= 1) {
    for (std::size_t k = 0; k < rank; ++k) {
      if ((point[k] & q) != 0) {
        point[0] ^= q - 1;
      } else {
        const std::uint64_t exchanged = (point[0] ^ point[k]) & (q - 1);
        point[0] ^= exchanged;
        point[k] ^= exchanged;
      }
    }
  }
  for (std::size_t k = 1; k < rank; ++k) point[k] ^= point[k - 1];
  std::uint64_t flips = 0;
  for (std::uint64_t q = top; q > 1; q >>= 1)
    if ((point[rank - 1] & q) != 0) flips ^= q - 1;
  std::uint64_t index = 0;
  for (std::uint32_t b = 0; b < order; ++b)
    for (std::size_t d = 0; d < rank; ++d) index |= ((point[d] ^ flips) >> b & 1) << (b * rank + (rank - 1 - d));
  return index;
}

Shape resolved(const Shape& shape) {
  Shape out = shape;
  for (std::uint64_t& size : out)
    if (size == facts::limit::dynamic) size = 1;
  return out;
}

Addressing address(const Node& node, std::uint64_t listed) {
  const Shape shape = resolved(node.shape);
  if (volume(shape, most_elements) == std::uint64_t{0}) return {};
  if (const Strided* layout = std::get_if<Strided>(&node.layout))
    return strided(shape, order_strides(facts::layout_tag::strided, shape, layout->strides), listed);
  if (!volume(shape, most_elements)) return {{}, 0, "shape: more elements than this writer gives"};
  if (const Tiled* layout = std::get_if<Tiled>(&node.layout)) return tiled(*layout, shape);
  if (const Morton* layout = std::get_if<Morton>(&node.layout)) return morton(*layout, shape);
  if (std::holds_alternative<Hilbert>(node.layout)) return hilbert(shape);
  const bool columns = std::holds_alternative<ColumnMajor>(node.layout);
  return linear(shape, order_strides(columns ? facts::layout_tag::column_major : facts::layout_tag::row_major, shape, {}));
}

}  // namespace hurray::generators
