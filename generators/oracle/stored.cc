#include "generators/oracle/stored.h"

#include <algorithm>
#include <set>

#include "generators/oracle/number.h"

namespace hurray::generators {
namespace {

constexpr std::size_t enumeration_limit = 1u << 20;
__extension__ using Offset = __int128;  // any index times any stride

std::uint64_t row_major(const Shape& shape, const Index& index) {
  std::uint64_t at = 0;
  for (std::size_t k = 0; k < shape.size(); ++k) at = at * shape[k] + index[k];
  return at;
}

/// Strided tensors that share storage list one value for each distinct position, ascending.
std::optional<std::size_t> strided_position(const Node& tensor, const Strided& layout, const Index& index) {
  std::set<Offset> offsets{0};
  Offset wanted = 0;
  for (std::size_t k = 0; k < tensor.shape.size(); ++k) {
    wanted += static_cast<Offset>(index[k]) * layout.strides[k];
    if (layout.strides[k] == 0) continue;
    std::set<Offset> next;
    for (const Offset offset : offsets)
      for (std::uint64_t i = 0; i < tensor.shape[k]; ++i) {
        next.insert(offset + static_cast<Offset>(i) * layout.strides[k]);
        if (next.size() > enumeration_limit) return std::nullopt;
      }
    offsets = std::move(next);
  }
  return static_cast<std::size_t>(std::distance(offsets.begin(), offsets.find(wanted)));
}

bool shares_storage(const Node& tensor) {
  std::uint64_t left = tensor.elements.size();
  for (const std::uint64_t size : tensor.shape) {
    if (size > left) return true;
    left = size == 0 ? 0 : left / size;
  }
  return false;
}

/// Position in tensor.elements; `stored` false where a sparse tensor does not list the index. Nothing: undefined.
struct Position {
  bool stored = true;
  std::size_t at = 0;
  std::vector<std::uint64_t> slot;  // block-paged: the page slot, for its parameters
};

Position listed(const std::vector<Index>& coordinates, const Index& index) {
  const auto found = std::find(coordinates.begin(), coordinates.end(), index);
  return {found != coordinates.end(), static_cast<std::size_t>(found - coordinates.begin()), {}};
}

/// Token counts per sequence are not encoded: only one sequence, or pages that are all full, say where a token lies.
std::optional<Position> paged(const Node& tensor, const BlockPaged& layout, const Index& index) {
  std::vector<std::uint64_t> pages;
  for (const auto& sequence : layout.sequences) pages.insert(pages.end(), sequence.begin(), sequence.end());
  if (layout.sequences.size() != 1 && pages.size() * layout.page_size != tensor.shape[0]) return std::nullopt;
  if (index[0] / layout.page_size >= pages.size()) return std::nullopt;
  const std::uint64_t slot = pages[index[0] / layout.page_size] * layout.page_size + index[0] % layout.page_size;
  return Position{true, static_cast<std::size_t>((slot * tensor.shape[1] + index[1]) * tensor.shape[2] + index[2]), {slot}};
}

std::optional<Position> position_of(const Node& tensor, const Index& index) {
  if (const auto* layout = std::get_if<Coo>(&tensor.layout)) return listed(layout->at, index);
  if (const auto* layout = std::get_if<Csr>(&tensor.layout)) return listed(layout->at, index);
  if (const auto* layout = std::get_if<Csc>(&tensor.layout)) return listed(layout->at, index);
  if (const auto* layout = std::get_if<Csf>(&tensor.layout)) return listed(layout->at, index);
  if (const auto* layout = std::get_if<BlockPaged>(&tensor.layout)) return paged(tensor, *layout, index);
  if (std::holds_alternative<PrivateLayout>(tensor.layout)) return std::nullopt;
  if (const auto* layout = std::get_if<Strided>(&tensor.layout); layout != nullptr && shares_storage(tensor)) {
    const std::optional<std::size_t> at = strided_position(tensor, *layout, index);
    return at ? std::optional(Position{true, *at, {}}) : std::nullopt;
  }
  return Position{true, static_cast<std::size_t>(row_major(tensor.shape, index)), {}};
}

/// Block number of an index: the other dimensions in row-major order, then the block along the axis.
std::size_t block_of(const Node& tensor, std::uint32_t axis, std::uint32_t block, const Index& index) {
  const std::uint64_t per_axis = (tensor.shape[axis] + block - 1) / block;
  std::uint64_t outer = 0;
  for (std::size_t k = 0; k < tensor.shape.size(); ++k)
    if (k != axis) outer = outer * tensor.shape[k] + index[k];
  return static_cast<std::size_t>(outer * per_axis + index[axis] / block);
}

Bits float_bits(float value) {
  std::uint32_t bits = 0;
  static_assert(sizeof bits == sizeof value);
  __builtin_memcpy(&bits, &value, sizeof bits);
  return {bits, 0};
}

AdmissibleElement either_of(std::vector<Bits> first, const std::vector<Bits>& second, const char* reading) {
  AdmissibleElement element;
  element.patterns = std::move(first);
  for (const Bits& pattern : second)
    if (std::find(element.patterns.begin(), element.patterns.end(), pattern) == element.patterns.end()) element.patterns.push_back(pattern);
  if (element.patterns.size() > 1) element.reading = reading;
  return element;
}

/// scale * (code - zero_point): the difference becomes a float32, then one float32 product. Where the scheme's page does
/// not say that the difference is rounded first, the singly rounded product is admitted too.
StoredElement affine(const Dyadic& code, std::int32_t zero_point, const Number& scale, bool difference_in_int32) {
  const Dyadic difference = code + Dyadic::of(zero_point).negated();
  if (encode_integer(facts::tag::int32, difference).empty()) return {true, {{}, false, true, "AMB-12"}};
  const Number cast = decode(facts::tag::float32, encode_float(facts::tag::float32, Number::of(difference)).front());
  Number product = Number::of(scale.value * cast.value);
  if (product.value.is_zero()) product.negative = scale.negative != cast.negative;
  std::vector<Bits> rounded = encode_float(facts::tag::float32, product);
  Number once = Number::of(scale.value * difference);
  once.negative = product.negative;
  if (difference_in_int32) return {true, {std::move(rounded), false, false, ""}, once};
  return {true, either_of(std::move(rounded), encode_float(facts::tag::float32, once), "AMB-12"), once};
}

constexpr double nf4_levels[16] = {
    -1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
    -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
    0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1.0};

StoredElement product(const Number& left, const Number& right) {
  if (left.kind == Number::Kind::nan || right.kind == Number::Kind::nan) return {true, {{}, true, false, "AMB-12"}};
  Number value = Number::of(left.value * right.value);
  if (left.kind == Number::Kind::infinite || right.kind == Number::Kind::infinite) value.kind = Number::Kind::infinite;
  value.negative = left.negative != right.negative;
  return {true, {encode_float(facts::tag::float32, value), false, false, ""}, value};
}

std::optional<StoredElement> decoded(const Node& tensor, const Bits& code, const Index& index, const Position& position) {
  const bool block_paged = !position.slot.empty();
  const auto scale_of = [](float scale) { return decode(facts::tag::float32, float_bits(scale)); };
  if (const auto* scheme = std::get_if<PerTensorAffine>(&tensor.scheme))
    return affine(decode(tensor.type, code).value, scheme->zero_point, scale_of(scheme->scale), true);
  if (const auto* scheme = std::get_if<PerChannelAffine>(&tensor.scheme)) {
    if (block_paged && scheme->axis == 0) return std::nullopt;
    const std::size_t channel = static_cast<std::size_t>(index[scheme->axis]);
    return affine(decode(tensor.type, code).value, scheme->symmetric ? 0 : scheme->zero_points[channel],
                  scale_of(scheme->scales[channel]), false);
  }
  if (block_paged) return std::nullopt;
  if (const auto* scheme = std::get_if<PerBlockAffine>(&tensor.scheme)) {
    const std::size_t block = block_of(tensor, scheme->axis, scheme->block, index);
    return affine(decode(tensor.type, code).value, scheme->symmetric ? 0 : scheme->zero_points[block],
                  decode(scheme->scale_type, scheme->scales[block]), false);
  }
  if (const auto* scheme = std::get_if<Nf4>(&tensor.scheme))
    return product(scale_of(scheme->scales[block_of(tensor, scheme->axis, scheme->block, index)]),
                   scale_of(static_cast<float>(nf4_levels[code.low & 15u])));
  const auto& scheme = std::get<Mxfp>(tensor.scheme);
  const std::size_t block = block_of(tensor, scheme.axis, scheme.block, index);
  return product(decode(facts::tag::float8_e8m0, {scheme.scales[block], 0}), decode(tensor.type, code));
}

}  // namespace

std::optional<StoredElement> stored_element(const Node& tensor, const Index& index) {
  if (facts::element_type(tensor.type) == nullptr) return std::nullopt;
  const std::optional<Position> position = position_of(tensor, index);
  if (!position) return std::nullopt;
  const bool plain = std::holds_alternative<std::monostate>(tensor.scheme);
  if (!position->stored && plain && tensor.type == facts::tag::float8_e8m0) return StoredElement{false, {{}, false, true, "OPEN-23"}};
  if (!position->stored) return StoredElement{false, {{Bits{}}, false, false, ""}};
  if (position->at >= tensor.elements.size()) return std::nullopt;
  const Bits& code = tensor.elements[position->at];
  if (plain) return StoredElement{true, {{code}, false, false, ""}};
  return decoded(tensor, code, index, *position);
}

}  // namespace hurray::generators
