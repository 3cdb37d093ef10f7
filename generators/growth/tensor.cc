#include "generators/growth/tensor.h"

#include <algorithm>
#include <set>

#include "generators/growth/scheme.h"

namespace hurray::generators::growth {
namespace {

enum class Choice : std::uint8_t { row_major, column_major, strided, broadcast, tiled, morton, hilbert, coo, csr, csc, csf, block_paged };

/// No more padding is added to storage that already has this many elements.
constexpr std::int64_t largest_storage = 4096;

bool cube_of_power_of_two(const Shape& shape) {
  if (shape.size() < 2 || shape[0] < 2 || (shape[0] & (shape[0] - 1)) != 0) return false;
  return std::all_of(shape.begin(), shape.end(), [&shape](std::uint64_t size) { return size == shape[0]; });
}

/// Bits that the longest dimension needs; every dimension gets as many, for only equal bits stay inside the buffer (AMB-20).
std::uint32_t morton_bits(const Shape& shape) {
  const std::uint64_t longest = *std::max_element(shape.begin(), shape.end());
  std::uint32_t bits = 1;
  while (bits < 20 && (std::uint64_t{1} << bits) < longest) ++bits;
  return bits;
}

std::vector<Choice> possible(const Node& tensor, const Budget& budget, bool boxed) {
  const std::size_t rank = tensor.shape.size();
  const std::uint64_t elements = volume(tensor.shape);
  const bool affordable = elements <= budget.elements;
  std::vector<Choice> choices;
  if (affordable || rank == 0) choices.push_back(Choice::row_major);  // a scalar has no other layout
  if (rank == 0) return choices;
  if (affordable) choices.insert(choices.end(), {Choice::column_major, Choice::strided});
  choices.push_back(Choice::broadcast);
  if (affordable && elements > 0) {
    choices.push_back(Choice::tiled);
    if (morton_bits(tensor.shape) * rank <= 10) choices.push_back(Choice::morton);
    if (cube_of_power_of_two(tensor.shape)) choices.push_back(Choice::hilbert);
  }
  choices.push_back(Choice::coo);
  if (rank == 2 && std::max(tensor.shape[0], tensor.shape[1]) <= 64) choices.insert(choices.end(), {Choice::csr, Choice::csc});
  if (rank >= 3 && rank <= 8 && !boxed) choices.push_back(Choice::csf);
  if (rank == 3 && !boxed && affordable && elements > 0) choices.push_back(Choice::block_paged);
  return choices;
}

std::vector<std::int64_t> row_major_strides(const Shape& extent) {
  std::vector<std::int64_t> strides(extent.size(), 1);
  for (std::size_t k = extent.size(); k-- > 1;) strides[k - 1] = strides[k] * static_cast<std::int64_t>(std::max<std::uint64_t>(extent[k], 1));
  return strides;
}

/// Each element has a place of its own: a permuted, padded, perhaps reversed row-major order.
Strided distinct_strides(Decisions& decisions, const Shape& shape) {
  std::vector<std::size_t> order(shape.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  for (std::size_t k = order.size(); k-- > 1;) std::swap(order[k], order[decisions.below(k + 1)]);
  Strided layout{std::vector<std::int64_t>(shape.size(), 1)};
  std::int64_t stride = 1;
  for (const std::size_t k : order) {
    layout.strides[k] = decisions.one_in(4) ? -stride : stride;
    const bool spaced = stride < largest_storage && decisions.one_in(6);
    // An empty tensor's other dimensions may be huge; no element needs a place then.
    const std::uint64_t extent = volume(shape) == 0 ? 1 : shape[k];
    stride *= static_cast<std::int64_t>(extent + (spaced ? 1 : 0));
  }
  return layout;
}

/// Some dimensions have stride 0 and share storage, so shapes of any volume fit; the rest is row-major.
Strided broadcast_strides(Decisions& decisions, const Budget& budget, const Shape& shape, std::uint64_t& stored) {
  stored = 1;
  Shape kept(shape.size(), 1);
  for (std::size_t k = shape.size(); k-- > 0;) {
    const bool fits = shape[k] <= 16 && stored * std::max<std::uint64_t>(shape[k], 1) <= budget.elements;
    if (!fits || decisions.one_in(2)) continue;
    kept[k] = shape[k];
    stored *= std::max<std::uint64_t>(shape[k], 1);
  }
  Strided layout{row_major_strides(kept)};
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (kept[k] == 1) layout.strides[k] = 0;
  if (volume(shape) == 0) stored = 0;
  return layout;
}

Tiled tiles(Decisions& decisions, const Shape& shape) {
  TileLevel level;
  std::int64_t padded = 1;
  for (const std::uint64_t size : shape) {
    const std::uint64_t tile = 1 + decisions.below(std::min<std::uint64_t>(size, 4));
    level.tile.push_back(padded < largest_storage ? tile : 1);
    padded *= static_cast<std::int64_t>((size + level.tile.back() - 1) / level.tile.back() * level.tile.back());
  }
  level.outer = static_cast<std::uint8_t>(1 + decisions.below(2));
  level.inner = static_cast<std::uint8_t>(1 + decisions.below(2));
  Tiled layout{{level}};
  if (decisions.one_in(4)) {  // one element a tile of the tile: divides evenly, as recursion must
    layout.levels[0].inner = 4;
    TileLevel inner;
    for (const std::uint64_t size : level.tile) inner.tile.push_back(decisions.one_in(2) ? size : 1);
    inner.outer = level.outer;
    inner.inner = level.inner;
    layout.levels.push_back(inner);
  }
  return layout;
}

/// Distinct coordinates in lexicographic order of `priority`.
std::vector<Index> coordinates(Decisions& decisions, const Budget& budget, const Shape& shape, const std::vector<std::uint32_t>& priority) {
  const std::uint64_t most = std::min<std::uint64_t>({volume(shape), budget.elements, 8});
  std::set<Index> chosen;
  for (std::uint64_t left = most == 0 ? 0 : decisions.below(most + 1); left > 0; --left) {
    Index index;
    for (const std::uint32_t k : priority) index.push_back(decisions.below(shape[k]));
    chosen.insert(std::move(index));
  }
  std::vector<Index> at;
  for (const Index& in_priority : chosen) {
    Index index(shape.size());
    for (std::size_t k = 0; k < priority.size(); ++k) index[priority[k]] = in_priority[k];
    at.push_back(std::move(index));
  }
  return at;
}

std::vector<std::uint32_t> identity(std::size_t rank) {
  std::vector<std::uint32_t> order(rank);
  for (std::size_t k = 0; k < rank; ++k) order[k] = static_cast<std::uint32_t>(k);
  return order;
}

void shuffle(Decisions& decisions, std::vector<Index>& at) {
  for (std::size_t k = at.size(); k > 1; --k) std::swap(at[k - 1], at[decisions.below(k)]);
}

BlockPaged pages(Decisions& decisions, const Shape& shape) {
  BlockPaged layout;
  layout.page_size = static_cast<std::uint32_t>(1 + decisions.below(3));
  const std::uint64_t needed = (shape[0] + layout.page_size - 1) / layout.page_size;
  layout.pages = needed + decisions.below(2);
  layout.kv_role = static_cast<std::uint8_t>(decisions.below(3));
  layout.layer = static_cast<std::uint32_t>(decisions.below(4));
  layout.wide = decisions.one_in(2);
  layout.sequences.emplace_back();
  for (std::uint64_t page = 0; page < needed; ++page) layout.sequences[0].push_back(decisions.below(layout.pages));
  return layout;
}

/// Sets the layout and returns how many elements are stored.
std::uint64_t grow_layout(Decisions& decisions, const Budget& budget, Choice choice, Node& tensor) {
  const Shape& shape = tensor.shape;
  std::uint64_t stored = volume(shape);
  switch (choice) {
    case Choice::row_major: tensor.layout = RowMajor{}; return stored;
    case Choice::column_major: tensor.layout = ColumnMajor{}; return stored;
    case Choice::strided: tensor.layout = distinct_strides(decisions, shape); return stored;
    case Choice::broadcast: tensor.layout = broadcast_strides(decisions, budget, shape, stored); return stored;
    case Choice::tiled: tensor.layout = tiles(decisions, shape); return stored;
    case Choice::morton: tensor.layout = Morton{std::vector<std::uint32_t>(shape.size(), morton_bits(shape))}; return stored;
    case Choice::hilbert: tensor.layout = Hilbert{}; return stored;
    case Choice::coo: {
      Coo layout{coordinates(decisions, budget, shape, identity(shape.size())), true};
      if (decisions.one_in(3)) {
        layout.sorted = false;
        shuffle(decisions, layout.at);
      }
      stored = layout.at.size();
      tensor.layout = std::move(layout);
      return stored;
    }
    case Choice::csr: {
      Csr layout{coordinates(decisions, budget, shape, {0, 1})};
      stored = layout.at.size();
      tensor.layout = std::move(layout);
      return stored;
    }
    case Choice::csc: {
      Csc layout{coordinates(decisions, budget, shape, {1, 0})};
      stored = layout.at.size();
      tensor.layout = std::move(layout);
      return stored;
    }
    case Choice::csf: {
      std::vector<std::uint32_t> order = identity(shape.size());
      for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[decisions.below(k)]);
      Csf layout{coordinates(decisions, budget, shape, order), order};
      stored = layout.at.size();
      tensor.layout = std::move(layout);
      return stored;
    }
    case Choice::block_paged: {
      BlockPaged layout = pages(decisions, shape);
      stored = layout.pages * layout.page_size * shape[1] * shape[2];
      tensor.layout = std::move(layout);
      return stored;
    }
  }
  return stored;
}

Bits any_bits(Decisions& decisions, std::uint8_t type) {
  const facts::ElementType& facts = *facts::element_type(type);
  if (facts.kind == facts::Kind::exponent) return {1 + decisions.below(254), 0};
  Bits bits{decisions.bits(std::min<unsigned>(facts.bits, 64)), 0};
  if (facts.bits > 64) bits.high = decisions.bits(facts.bits - 64u);
  return bits;
}

}  // namespace

std::uint64_t volume(const Shape& shape) {
  std::uint64_t count = 1;
  if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) return 0;
  for (const std::uint64_t size : shape) count = size > ~std::uint64_t{0} / count ? ~std::uint64_t{0} : count * size;
  return count;
}

std::uint8_t any_type(Decisions& decisions, const GrowthLimits& limits) {
  std::vector<std::uint8_t> tags{facts::tag::float32};
  for (const facts::ElementType& type : facts::element_types)
    if (type.tier == 1 || limits.tier_two) tags.push_back(type.tag);
  return tags[decisions.below(tags.size())];
}

void grow_tensor(Decisions& decisions, Budget& budget, std::uint8_t view_type, bool boxed, Node& tensor) {
  tensor.type = view_type;
  const std::vector<Choice> choices = possible(tensor, budget, boxed);
  const Choice choice = choices[decisions.below(choices.size())];
  const std::uint64_t stored = grow_layout(decisions, budget, choice, tensor);
  const bool may_quantize = view_type == facts::tag::float32 && !tensor.shape.empty() && decisions.one_in(3);
  if (may_quantize) grow_scheme(decisions, choice == Choice::row_major || choice == Choice::column_major, budget.limits, tensor);
  for (std::uint64_t at = 0; at < stored; ++at) tensor.elements.push_back(any_bits(decisions, tensor.type));
  budget.elements -= std::min(budget.elements, stored);
  if (decisions.one_in(6)) tensor.statistics = Statistics{std::nullopt, std::nullopt, std::array<double, 3>{-1, 1, 1}, std::nullopt, std::nullopt, std::nullopt};
  if (decisions.one_in(8)) tensor.alignment = 4096;
  if (decisions.one_in(8)) tensor.padding = 0xFF;
  constexpr std::uint8_t one = 0x7F;  // AMB-41 leaves reserved codes open even where no element lies
  if (tensor.type == facts::tag::float8_e8m0) tensor.padding = one;
}

}  // namespace hurray::generators::growth
