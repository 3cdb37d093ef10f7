#include "generators/growth/tensor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
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

/// The fields of the layout that a recorder aims at, or those of none.
template <typename Wanted>
const Wanted& wanted_layout(const Node& like) {
  static const Wanted none{};
  const Wanted* layout = std::get_if<Wanted>(&like.layout);
  return layout == nullptr ? none : *layout;
}

std::int64_t distance(std::int64_t stride) { return stride < 0 ? -std::max(stride, -std::numeric_limits<std::int64_t>::max()) : stride; }

/// The axes from the one whose elements lie closest together.
std::vector<std::size_t> axes_by_stride(const Strided& layout, const Shape& shape) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < std::min(layout.strides.size(), shape.size()); ++k) order.push_back(k);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(distance(layout.strides[a]), shape[a]) < std::pair(distance(layout.strides[b]), shape[b]);
  });
  return order;
}

/// Each element has a place of its own: a permuted, padded, perhaps reversed row-major order.
Strided distinct_strides(Decisions& decisions, const Shape& shape, const Strided& like) {
  std::vector<std::size_t> order(shape.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  decisions.shuffle(order, axes_by_stride(like, shape));
  Strided layout{std::vector<std::int64_t>(shape.size(), 1)};
  constexpr std::int64_t widest = 256;  // beyond, nothing is spaced any more
  const bool empty = volume(shape) == 0;
  std::int64_t next = 1, reach = 0;     // where elements follow without a gap; the last place that is taken
  for (const std::size_t k : order) {
    const std::int64_t wanted = wanted_at(like.strides, k), wanted_distance = distance(wanted);
    const bool free = empty || shape[k] == 1;  // no second element needs a place of its own
    const std::int64_t least = free ? 1 : reach + 1, most = reach + 2 * next + 16;
    std::int64_t stride = next;
    if ((free || next < widest) && decisions.one_in(6, wanted_distance != next))
      stride = least + static_cast<std::int64_t>(decisions.below(static_cast<std::uint64_t>(most - least + 1), static_cast<std::uint64_t>(std::max<std::int64_t>(wanted_distance - least, 0))));
    layout.strides[k] = decisions.one_in(4, wanted < 0) ? -stride : stride;
    if (free) continue;
    reach += stride * static_cast<std::int64_t>(shape[k] - 1);
    next = stride * static_cast<std::int64_t>(shape[k]);
  }
  return layout;
}

/// Some dimensions have stride 0 and share storage, so shapes of any volume fit; the rest is row-major.
Strided broadcast_strides(Decisions& decisions, const Budget& budget, const Shape& shape, const Strided& like, std::uint64_t& stored) {
  const bool empty = volume(shape) == 0;
  stored = empty ? 0 : 1;
  Shape kept(shape.size(), 1);
  for (std::size_t k = shape.size(); k-- > 0;) {
    const bool fits = !empty && shape[k] <= 16 && stored * std::max<std::uint64_t>(shape[k], 1) <= budget.elements;
    if (!fits || decisions.one_in(2, wanted_at(like.strides, k) == 0)) continue;
    kept[k] = shape[k];
    stored *= std::max<std::uint64_t>(shape[k], 1);
  }
  Strided layout{row_major_strides(kept)};
  for (std::size_t k = 0; k < shape.size(); ++k)
    if (kept[k] == 1) layout.strides[k] = 0;
  return layout;
}

/// The sizes that cut a tile into whole parts.
std::vector<std::uint64_t> divisors(std::uint64_t size) {
  std::vector<std::uint64_t> out;
  for (std::uint64_t by = 1; by <= size; ++by)
    if (size % by == 0) out.push_back(by);
  return out;
}

std::uint8_t any_order(Decisions& decisions, std::uint8_t wanted) { return static_cast<std::uint8_t>(1 + decisions.below(2, wanted - 1u)); }

Tiled tiles(Decisions& decisions, const Shape& shape, const Tiled& like) {
  const bool twice = like.levels.size() > 1;
  const TileLevel wanted = wanted_at(like.levels, 0), wanted_inner = wanted_at(like.levels, 1);
  constexpr std::uint64_t small = 4, large = 16;
  TileLevel level;
  std::int64_t padded = 1;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::uint64_t size = shape[k], like_tile = wanted_at(wanted.tile, k);
    std::uint64_t tile = 1 + decisions.below(std::min(size, small), like_tile - 1);
    if (size > small && decisions.one_in(6, like_tile > small)) tile = small + 1 + decisions.below(std::min(size, large) - small, like_tile - small - 1);
    level.tile.push_back(padded < largest_storage ? tile : 1);
    padded *= static_cast<std::int64_t>((size + level.tile.back() - 1) / level.tile.back() * level.tile.back());
  }
  level.outer = any_order(decisions, wanted.outer);
  level.inner = any_order(decisions, twice ? wanted_inner.inner : wanted.inner);
  Tiled layout{{level}};
  if (decisions.one_in(4, twice)) {  // tiles of the tile: they divide it, as recursion must
    layout.levels[0].inner = facts::layout_tag::tiled;
    TileLevel inner;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      const std::vector<std::uint64_t> parts = divisors(level.tile[k]);
      inner.tile.push_back(parts[decisions.below(parts.size(), place_of(parts, wanted_at(wanted_inner.tile, k)))]);
    }
    inner.outer = any_order(decisions, wanted_inner.outer);
    inner.inner = level.inner;
    layout.levels.push_back(inner);
  }
  return layout;
}

/// Distinct coordinates in lexicographic order of `priority`.
std::vector<Index> coordinates(Decisions& decisions, const Budget& budget, const Shape& shape, const std::vector<std::uint32_t>& priority, const std::vector<Index>& like) {
  const std::uint64_t most = std::min<std::uint64_t>({volume(shape), budget.elements, 8});
  std::set<Index> chosen;
  const std::uint64_t count = most == 0 ? 0 : decisions.below(most + 1, like.size());
  for (std::size_t at = 0; at < count; ++at) {
    Index index;
    for (const std::uint32_t k : priority) index.push_back(decisions.below(shape[k], wanted_at(wanted_at(like, at), k)));
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

BlockPaged pages(Decisions& decisions, const Shape& shape, const BlockPaged& like) {
  BlockPaged layout;
  layout.page_size = static_cast<std::uint32_t>(1 + decisions.below(3, like.page_size - 1u));
  const std::uint64_t needed = (shape[0] + layout.page_size - 1) / layout.page_size;
  layout.pages = needed + decisions.below(2, like.pages - std::min(like.pages, needed));
  layout.kv_role = static_cast<std::uint8_t>(decisions.below(3, like.kv_role));
  layout.layer = static_cast<std::uint32_t>(decisions.below(4, like.layer));
  layout.wide = decisions.one_in(2, like.wide);
  std::vector<std::size_t> lengths{static_cast<std::size_t>(needed)};
  const bool one_sequence = like.sequences.size() == 1 && like.sequences[0].size() == needed;
  if (decisions.one_in(4, !one_sequence)) {
    lengths.assign(decisions.below(5, like.sequences.size()), 0);
    for (std::size_t k = 0; k < lengths.size(); ++k) lengths[k] = layout.pages == 0 ? 0 : decisions.below(5, wanted_at(like.sequences, k).size());
  }
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    layout.sequences.emplace_back();
    for (std::size_t page = 0; page < lengths[k]; ++page) layout.sequences[k].push_back(decisions.below(layout.pages, wanted_at(wanted_at(like.sequences, k), page)));
  }
  return layout;
}

/// Sets the layout and returns how many elements are stored.
std::uint64_t grow_layout(Decisions& decisions, const Budget& budget, Choice choice, Node& tensor, const Node& like) {
  const Shape& shape = tensor.shape;
  std::uint64_t stored = volume(shape);
  switch (choice) {
    case Choice::row_major: tensor.layout = RowMajor{}; return stored;
    case Choice::column_major: tensor.layout = ColumnMajor{}; return stored;
    case Choice::strided: tensor.layout = distinct_strides(decisions, shape, wanted_layout<Strided>(like)); return stored;
    case Choice::broadcast: tensor.layout = broadcast_strides(decisions, budget, shape, wanted_layout<Strided>(like), stored); return stored;
    case Choice::tiled: tensor.layout = tiles(decisions, shape, wanted_layout<Tiled>(like)); return stored;
    case Choice::morton: tensor.layout = Morton{std::vector<std::uint32_t>(shape.size(), morton_bits(shape))}; return stored;
    case Choice::hilbert: tensor.layout = Hilbert{}; return stored;
    case Choice::coo: {
      const Coo& wanted = wanted_layout<Coo>(like);
      Coo layout{coordinates(decisions, budget, shape, identity(shape.size()), wanted.at), true};
      if (decisions.one_in(3, !wanted.sorted)) {
        layout.sorted = false;
        decisions.shuffle(layout.at, wanted.at);
      }
      stored = layout.at.size();
      tensor.layout = std::move(layout);
      return stored;
    }
    case Choice::csr: {
      Csr layout{coordinates(decisions, budget, shape, {0, 1}, wanted_layout<Csr>(like).at)};
      stored = layout.at.size();
      tensor.layout = std::move(layout);
      return stored;
    }
    case Choice::csc: {
      Csc layout{coordinates(decisions, budget, shape, {1, 0}, wanted_layout<Csc>(like).at)};
      stored = layout.at.size();
      tensor.layout = std::move(layout);
      return stored;
    }
    case Choice::csf: {
      std::vector<std::uint32_t> order = identity(shape.size());
      decisions.shuffle(order, wanted_layout<Csf>(like).mode_order);
      Csf layout{coordinates(decisions, budget, shape, order, wanted_layout<Csf>(like).at), order};
      stored = layout.at.size();
      tensor.layout = std::move(layout);
      return stored;
    }
    case Choice::block_paged: {
      BlockPaged layout = pages(decisions, shape, wanted_layout<BlockPaged>(like));
      stored = layout.pages * layout.page_size * shape[1] * shape[2];
      tensor.layout = std::move(layout);
      return stored;
    }
  }
  return stored;
}

Bits any_bits(Decisions& decisions, std::uint8_t type, const Bits& wanted) {
  const facts::ElementType& facts = *facts::element_type(type);
  if (facts.kind == facts::Kind::exponent) return {1 + decisions.below(254, wanted.low - 1), 0};
  Bits bits{decisions.bits(std::min<unsigned>(facts.bits, 64), wanted.low), 0};
  if (facts.bits > 64) bits.high = decisions.bits(facts.bits - 64u, wanted.high);
  return bits;
}

double any_real(Decisions& decisions, double wanted) {
  const auto value = std::bit_cast<double>(decisions.bits(64, std::bit_cast<std::uint64_t>(wanted)));
  return std::isfinite(value) ? value : 0;
}

/// What the writer claims to know; no reader may believe it. Sparse layouts say their `nnz` twice (OPEN-03).
Statistics any_statistics(Decisions& decisions, std::optional<std::uint64_t> nnz, const Statistics& wanted) {
  Statistics out;
  if (decisions.one_in(2, wanted.nnz.has_value())) out.nnz = nnz ? *nnz : decisions.bits(64, wanted.nnz.value_or(0));
  if (decisions.one_in(2, wanted.sparsity.has_value())) out.sparsity = any_real(decisions, wanted.sparsity.value_or(0));
  if (decisions.one_in(2, wanted.range.has_value())) {
    out.range.emplace();
    for (std::size_t k = 0; k < out.range->size(); ++k) (*out.range)[k] = any_real(decisions, wanted.range ? (*wanted.range)[k] : 0);
  }
  if (decisions.one_in(2, wanted.moments.has_value())) {
    const std::array<double, 2> like = wanted.moments.value_or(std::array<double, 2>{});
    const double mean = any_real(decisions, like[0]);
    out.moments = std::array<double, 2>{mean, std::fabs(any_real(decisions, like[1]))};
  }
  if (decisions.one_in(2, wanted.n_of_m.has_value())) {
    const std::array<std::uint8_t, 2> like = wanted.n_of_m.value_or(std::array<std::uint8_t, 2>{});
    const auto of = static_cast<std::uint8_t>(decisions.bits(8, like[1]));
    out.n_of_m = std::array<std::uint8_t, 2>{static_cast<std::uint8_t>(decisions.below(of + std::uint64_t{1}, like[0])), of};
  }
  if (decisions.one_in(2, wanted.nan_inf.has_value())) {
    const std::array<bool, 2> like = wanted.nan_inf.value_or(std::array<bool, 2>{});
    const bool nan = decisions.one_in(2, like[0]);
    out.nan_inf = std::array<bool, 2>{nan, decisions.one_in(2, like[1])};
  }
  return out;
}

/// The way to the layout of `like`; row-major where growth has none.
Choice choice_like(const Node& like) {
  constexpr Choice ways[] = {Choice::row_major, Choice::column_major, Choice::strided, Choice::tiled, Choice::morton, Choice::coo, Choice::csr,
                             Choice::csc, Choice::csf, Choice::block_paged, Choice::hilbert, Choice::row_major};
  static_assert(std::size(ways) == std::variant_size_v<Layout>);
  const std::vector<std::int64_t>& strides = wanted_layout<Strided>(like).strides;
  return std::find(strides.begin(), strides.end(), 0) == strides.end() ? ways[like.layout.index()] : Choice::broadcast;
}

}  // namespace

std::uint64_t volume(const Shape& shape) {
  std::uint64_t count = 1;
  if (std::find(shape.begin(), shape.end(), 0u) != shape.end()) return 0;
  for (const std::uint64_t size : shape) count = size > ~std::uint64_t{0} / count ? ~std::uint64_t{0} : count * size;
  return count;
}

std::uint8_t any_type(Decisions& decisions, const GrowthLimits& limits, std::uint8_t wanted) {
  std::vector<std::uint8_t> tags{facts::tag::float32};
  for (const facts::ElementType& type : facts::element_types)
    if (type.tier == 1 || limits.tier_two) tags.push_back(type.tag);
  return tags[decisions.below(tags.size(), place_of(tags, wanted))];
}

void grow_tensor(Decisions& decisions, Budget& budget, std::uint8_t view_type, bool boxed, Node& tensor, const Node& like) {
  tensor.type = view_type;
  const std::vector<Choice> choices = possible(tensor, budget, boxed);
  const Choice choice = choices[decisions.below(choices.size(), place_of(choices, choice_like(like)))];
  const std::uint64_t stored = grow_layout(decisions, budget, choice, tensor, like);
  const bool may_quantize = view_type == facts::tag::float32 && !tensor.shape.empty() && decisions.one_in(3, like.scheme.index() != 0);
  if (may_quantize) grow_scheme(decisions, choice == Choice::row_major || choice == Choice::column_major, budget.limits, tensor, like);
  for (std::size_t at = 0; at < stored; ++at) tensor.elements.push_back(any_bits(decisions, tensor.type, wanted_at(like.elements, at)));
  budget.elements -= std::min(budget.elements, stored);
  const bool sparse = choice >= Choice::coo && choice <= Choice::csf;
  if (decisions.one_in(6, like.statistics.has_value())) tensor.statistics = any_statistics(decisions, sparse ? std::optional(stored) : std::nullopt, like.statistics.value_or(Statistics{}));
  if (decisions.one_in(8, like.alignment != tensor.alignment)) tensor.alignment = std::uint32_t{128} << decisions.below(10, static_cast<unsigned>(std::bit_width(like.alignment)) - 8u);
  if (decisions.one_in(8, like.padding != 0)) tensor.padding = static_cast<std::uint8_t>(decisions.bits(8, like.padding));
  // Beside the host, whose memory class all have; whether members of one view may lie on several is open (AMB-10).
  constexpr std::uint8_t devices = 8;
  if (!boxed && decisions.one_in(16, like.device != 0)) tensor.device = static_cast<std::uint8_t>(1 + decisions.below(devices, like.device - 1u));
  constexpr std::uint8_t one = 0x7F;  // AMB-41 leaves reserved codes open even where no element lies
  if (tensor.type == facts::tag::float8_e8m0) tensor.padding = one;
}

}  // namespace hurray::generators::growth
