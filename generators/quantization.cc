#include "generators/quantization.h"

#include <bit>
#include <cmath>

#include "generators/addressing.h"

namespace hurray::generators {
namespace {

struct Blocking {
  std::uint32_t axis, size;
};

std::optional<Blocking> blocking(const Scheme& scheme) {
  if (const PerBlockAffine* affine = std::get_if<PerBlockAffine>(&scheme)) return Blocking{affine->axis, affine->block};
  if (const Nf4* nf4 = std::get_if<Nf4>(&scheme)) return Blocking{nf4->axis, nf4->block};
  if (const Mxfp* mxfp = std::get_if<Mxfp>(&scheme)) return Blocking{mxfp->axis, mxfp->block};
  return std::nullopt;
}

bool is_signed(std::uint8_t type) {
  const facts::ElementType* known = facts::element_type(type);
  return known != nullptr && known->kind == facts::Kind::signed_integer;
}

int default_exponent(std::uint64_t k) { return static_cast<int>(k % 5) - 2; }

float default_scale(std::uint64_t k) { return std::ldexp(1.0f, default_exponent(k)); }

Bits default_scale_bits(std::uint8_t type, std::uint64_t k) {
  return encode_element({type, nullptr}, std::to_string(default_scale(k))).bits;
}

std::int32_t default_zero_point(std::uint8_t type, std::uint64_t k) {
  return static_cast<std::int32_t>(k % 3) - (is_signed(type) ? 1 : 0);
}

template <typename Value, typename Make>
void fill(std::vector<Value>& values, std::uint64_t count, Make make) {
  if (!values.empty()) return;
  for (std::uint64_t k = 0; k < count; ++k) values.push_back(make(k));
}

Bytes float_bytes(const std::vector<float>& values) {
  Bytes out;
  for (const float value : values) append_little_endian(out, std::bit_cast<std::uint32_t>(value), 4);
  return out;
}

Bytes integer_bytes(const std::vector<std::int32_t>& values) {
  Bytes out;
  for (const std::int32_t value : values) append_little_endian(out, static_cast<std::uint32_t>(value), 4);
  return out;
}

void push_scales(Storage& storage, Bytes bytes) {
  storage.scale_buffer = static_cast<std::uint32_t>(storage.buffers.size());
  storage.buffers.push_back(std::move(bytes));
}

void push_zero_points(Storage& storage, Bytes bytes) {
  storage.zero_point_buffer = static_cast<std::uint32_t>(storage.buffers.size());
  storage.buffers.push_back(std::move(bytes));
}

}  // namespace

ParameterCount count_parameters(const Node& node) {
  const auto size_of = [&](std::uint32_t k) { return node.shape[k] == facts::limit::dynamic ? 1 : node.shape[k]; };
  const std::string no_axis = "scheme: axis is not below the rank " + std::to_string(node.shape.size());
  if (const PerChannelAffine* scheme = std::get_if<PerChannelAffine>(&node.scheme)) {
    if (scheme->axis >= node.shape.size()) return {0, no_axis};
    if (size_of(scheme->axis) > most_elements) return {0, "scheme: more channels than this writer gives"};
    return {size_of(scheme->axis), {}};
  }
  const std::optional<Blocking> blocks = blocking(node.scheme);
  if (!blocks) return {};
  if (const BlockPaged* paged = std::get_if<BlockPaged>(&node.layout))  // one a page slot
    return {volume({paged->pages, paged->page_size}, most_elements).value_or(0), {}};
  if (blocks->axis >= node.shape.size()) return {0, no_axis};
  if (blocks->size == 0) return {0, "scheme: block is 0"};
  Shape grid = node.shape;
  for (std::uint32_t k = 0; k < grid.size(); ++k) grid[k] = size_of(k);
  grid[blocks->axis] = grid[blocks->axis] / blocks->size + (grid[blocks->axis] % blocks->size != 0 ? 1 : 0);
  const std::optional<std::uint64_t> count = volume(grid, most_elements);
  return count ? ParameterCount{*count, {}} : ParameterCount{0, "scheme: more blocks than this writer gives"};
}

void fill_parameters(Node& node, std::uint64_t count) {
  const auto zero_point = [&](std::uint64_t k) { return default_zero_point(node.type, k); };
  if (PerChannelAffine* channel = std::get_if<PerChannelAffine>(&node.scheme)) {
    fill(channel->scales, count, default_scale);
    if (!channel->symmetric) fill(channel->zero_points, count, zero_point);
  } else if (PerBlockAffine* block = std::get_if<PerBlockAffine>(&node.scheme)) {
    fill(block->scales, count, [&](std::uint64_t k) { return default_scale_bits(block->scale_type, k); });
    if (!block->symmetric) fill(block->zero_points, count, zero_point);
  } else if (Nf4* nf4 = std::get_if<Nf4>(&node.scheme)) {
    fill(nf4->scales, count, default_scale);
  } else if (Mxfp* mxfp = std::get_if<Mxfp>(&node.scheme)) {
    fill(mxfp->scales, count, [](std::uint64_t k) { return static_cast<std::uint8_t>(127 + default_exponent(k)); });
  }
}

std::string append_parameters(const Node& node, Storage& storage) {
  if (std::holds_alternative<std::monostate>(node.scheme) || std::holds_alternative<PerTensorAffine>(node.scheme)) return {};
  const ParameterCount count = count_parameters(node);
  if (!count.error.empty()) return count.error;
  Node filled;
  filled.type = node.type;
  filled.scheme = node.scheme;
  fill_parameters(filled, count.count);
  if (const PerChannelAffine* channel = std::get_if<PerChannelAffine>(&filled.scheme)) {
    push_scales(storage, float_bytes(channel->scales));
    if (!channel->symmetric) push_zero_points(storage, integer_bytes(channel->zero_points));
  } else if (const PerBlockAffine* block = std::get_if<PerBlockAffine>(&filled.scheme)) {
    const std::uint32_t width = packing_of({block->scale_type, nullptr}).group_bytes;
    Bytes scales;
    for (const Bits& scale : block->scales) append_little_endian(scales, scale.low, width);
    push_scales(storage, std::move(scales));
    if (!block->symmetric) push_zero_points(storage, integer_bytes(block->zero_points));
  } else if (const Nf4* nf4 = std::get_if<Nf4>(&filled.scheme)) {
    push_scales(storage, float_bytes(nf4->scales));
  } else if (const Mxfp* mxfp = std::get_if<Mxfp>(&filled.scheme)) {
    push_scales(storage, mxfp->scales);
  }
  return {};
}

std::uint64_t padding_slots(const Node& node) {
  const std::optional<Blocking> blocks = blocking(node.scheme);
  if (!blocks || blocks->size == 0 || blocks->axis >= node.shape.size()) return 0;
  const bool rows = std::holds_alternative<RowMajor>(node.layout), columns = std::holds_alternative<ColumnMajor>(node.layout);
  Shape others = node.shape;
  others.erase(others.begin() + blocks->axis);
  const std::optional<std::uint64_t> outer = volume(others, most_elements);
  if ((!rows && !columns) || !outer) return 0;
  const bool slowest = rows ? blocks->axis == 0 : blocks->axis + 1 == node.shape.size();
  const std::uint64_t partial = node.shape[blocks->axis] % blocks->size;
  return partial != 0 && (slowest || *outer == 1) ? (blocks->size - partial) * *outer : 0;
}

}  // namespace hurray::generators
