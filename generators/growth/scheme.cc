#include "generators/growth/scheme.h"

#include <algorithm>
#include <cmath>

#include "generators/growth/tensor.h"

namespace hurray::generators::growth {
namespace {

namespace tag = facts::tag;

/// No scheme grows more channels or blocks than this, however large an empty or broadcast tensor's dimensions are.
constexpr std::uint64_t most_parameters = 4096;

template <typename Wanted>
const Wanted& wanted_scheme(const Node& like) {
  static const Wanted none{};
  const Wanted* scheme = std::get_if<Wanted>(&like.scheme);
  return scheme == nullptr ? none : *scheme;
}

/// Powers of two from 1/8 to 16, either sign: finite, not zero, and exact in every scale type.
float any_scale(Decisions& decisions, float wanted) {
  constexpr int least = -3;
  const int exponent = std::isfinite(wanted) && wanted != 0 ? std::max(std::ilogb(wanted), least) : 0;
  const float size = std::ldexp(1.0f, static_cast<int>(decisions.below(8, static_cast<std::uint64_t>(exponent - least))) + least);
  return decisions.one_in(4, std::signbit(wanted)) ? -size : size;
}

std::int32_t any_zero_point(Decisions& decisions, std::uint8_t type, std::int32_t wanted) {
  const facts::ElementType& facts = *facts::element_type(type);
  const std::uint64_t most = std::uint64_t{1} << std::min<int>(facts.bits - 1, 6);
  const auto value = static_cast<std::int32_t>(decisions.below(most, wanted < 0 ? 0 - static_cast<std::uint64_t>(wanted) : static_cast<std::uint64_t>(wanted)));
  return facts.kind == facts::Kind::signed_integer && decisions.one_in(2, wanted < 0) ? -value : value;
}

template <std::size_t N>
std::uint8_t storage(Decisions& decisions, const GrowthLimits& limits, const std::uint8_t (&tags)[N], const Node& like) {
  std::vector<std::uint8_t> allowed;
  for (const std::uint8_t type : tags)
    if (limits.tier_two || facts::element_type(type)->tier == 1) allowed.push_back(type);
  return allowed[decisions.below(allowed.size(), place_of(allowed, like.type))];
}

Bits scale_bits(std::uint8_t type, float scale) {
  int exponent = 0;
  std::frexp(scale, &exponent);
  const auto biased = static_cast<std::uint64_t>(exponent - 1);
  const std::uint64_t sign = std::signbit(scale) ? 1 : 0;
  if (type == tag::float16) return {(sign << 15) | ((biased + 15) << 10), 0};
  if (type == tag::bfloat16) return {(sign << 15) | ((biased + 127) << 7), 0};
  return {(sign << 31) | ((biased + 127) << 23), 0};
}

/// The inverse of scale_bits for powers of two; others come out as the power below.
float scale_of(std::uint8_t type, Bits bits) {
  const unsigned width = type == tag::float32 ? 32 : 16, mantissa = type == tag::float16 ? 10 : type == tag::bfloat16 ? 7 : 23;
  const auto exponent = static_cast<int>(bits.low >> mantissa & ((1u << (width - 1 - mantissa)) - 1)) - (type == tag::float16 ? 15 : 127);
  const float size = std::ldexp(1.0f, exponent);
  return (bits.low >> (width - 1) & 1u) != 0 ? -size : size;
}

/// The axis and the block of the scheme that a recorder aims at.
std::pair<std::uint32_t, std::uint32_t> axis_and_block(const Node& like) {
  if (const auto* channel = std::get_if<PerChannelAffine>(&like.scheme)) return {channel->axis, 0};
  if (const auto* block = std::get_if<PerBlockAffine>(&like.scheme)) return {block->axis, block->block};
  if (const auto* nf4 = std::get_if<Nf4>(&like.scheme)) return {nf4->axis, nf4->block};
  if (const auto* mxfp = std::get_if<Mxfp>(&like.scheme)) return {mxfp->axis, mxfp->block};
  return {0, 0};
}

/// A power of two from `least` that the axis allows; 0 where none does. Partial blocks are defined only along axis 0 of a
/// row-major tensor or with one outer position (AMB-24): elsewhere the block must divide the axis.
std::uint32_t block_size(Decisions& decisions, const Node& tensor, std::uint32_t axis, std::uint32_t least, bool may_be_partial, const Node& like) {
  constexpr std::uint32_t most = 64;
  std::vector<std::uint32_t> sizes;
  const std::uint64_t length = tensor.shape[axis];
  if (volume(tensor.shape) > most_parameters || length > most_parameters) return 0;
  const bool row_major = std::holds_alternative<RowMajor>(tensor.layout);
  const bool partial = may_be_partial && ((axis == 0 && row_major) || volume(tensor.shape) == length);
  for (std::uint32_t size = least; size <= most && (size <= length || length == 0); size *= 2)
    if (length == 0 || length % size == 0 || partial) sizes.push_back(size);
  return sizes.empty() ? 0 : sizes[decisions.below(sizes.size(), place_of(sizes, axis_and_block(like).second))];
}

std::uint64_t block_count(const Node& tensor, std::uint32_t axis, std::uint32_t block) {
  Shape blocks = tensor.shape;
  blocks[axis] = (blocks[axis] + block - 1) / block;
  return volume(blocks);
}

constexpr std::uint8_t wide_storage[] = {tag::int8, tag::uint8, tag::int16, tag::uint16, tag::int32, tag::int4, tag::uint4, tag::int2, tag::uint2};
constexpr std::uint8_t narrow_storage[] = {tag::int8, tag::uint8, tag::int4, tag::uint4, tag::int2, tag::uint2};
constexpr std::uint8_t mx_storage[] = {tag::int8, tag::float8_e4m3, tag::float8_e5m2, tag::float4_e2m1, tag::float6_e2m3, tag::float6_e3m2, tag::int4};
constexpr std::uint8_t scale_types[] = {tag::float16, tag::bfloat16, tag::float32};

void per_tensor(Decisions& decisions, const GrowthLimits& limits, Node& tensor, const Node& like) {
  const PerTensorAffine& wanted = wanted_scheme<PerTensorAffine>(like);
  tensor.type = storage(decisions, limits, wide_storage, like);
  const float scale = any_scale(decisions, wanted.scale);
  tensor.scheme = PerTensorAffine{scale, any_zero_point(decisions, tensor.type, wanted.zero_point)};
}

void per_channel(Decisions& decisions, const GrowthLimits& limits, std::uint32_t axis, Node& tensor, const Node& like) {
  const PerChannelAffine& wanted = wanted_scheme<PerChannelAffine>(like);
  tensor.type = storage(decisions, limits, wide_storage, like);
  PerChannelAffine scheme{axis, decisions.one_in(2, wanted.symmetric), {}, {}};
  for (std::size_t channel = 0; channel < tensor.shape[axis]; ++channel) {
    scheme.scales.push_back(any_scale(decisions, wanted_at(wanted.scales, channel)));
    if (!scheme.symmetric) scheme.zero_points.push_back(any_zero_point(decisions, tensor.type, wanted_at(wanted.zero_points, channel)));
  }
  tensor.scheme = std::move(scheme);
}

void per_block(Decisions& decisions, const GrowthLimits& limits, std::uint32_t axis, std::uint32_t block, Node& tensor, const Node& like) {
  const PerBlockAffine& wanted = wanted_scheme<PerBlockAffine>(like);
  tensor.type = storage(decisions, limits, narrow_storage, like);
  PerBlockAffine scheme{axis, block, decisions.one_in(2, wanted.symmetric), scale_types[decisions.below(3, place_of(scale_types, wanted.scale_type))], {}, {}};
  const std::uint64_t count = block_count(tensor, axis, block);
  for (std::size_t at = 0; at < count; ++at) {
    scheme.scales.push_back(scale_bits(scheme.scale_type, any_scale(decisions, scale_of(wanted.scale_type, wanted_at(wanted.scales, at)))));
    if (!scheme.symmetric) scheme.zero_points.push_back(any_zero_point(decisions, tensor.type, wanted_at(wanted.zero_points, at)));
  }
  tensor.scheme = std::move(scheme);
}

void nf4(Decisions& decisions, std::uint32_t axis, std::uint32_t block, Node& tensor, const Node& like) {
  const Nf4& wanted = wanted_scheme<Nf4>(like);
  tensor.type = tag::uint4;
  Nf4 scheme{axis, block, {}};
  const std::uint64_t count = block_count(tensor, axis, block);
  for (std::size_t at = 0; at < count; ++at) scheme.scales.push_back(std::fabs(any_scale(decisions, wanted_at(wanted.scales, at))));
  tensor.scheme = std::move(scheme);
}

void mxfp(Decisions& decisions, const GrowthLimits& limits, std::uint32_t axis, std::uint32_t block, Node& tensor, const Node& like) {
  const Mxfp& wanted = wanted_scheme<Mxfp>(like);
  constexpr std::uint8_t least = 120;
  tensor.type = storage(decisions, limits, mx_storage, like);
  Mxfp scheme{axis, block, {}};
  const std::uint64_t count = block_count(tensor, axis, block);
  for (std::size_t at = 0; at < count; ++at) {
    const std::uint8_t scale = wanted_at(wanted.scales, at);
    scheme.scales.push_back(static_cast<std::uint8_t>(least + decisions.below(16, scale < least ? 0u : scale - 0u - least)));
  }
  tensor.scheme = std::move(scheme);
}

}  // namespace

void grow_scheme(Decisions& decisions, bool plain, const GrowthLimits& limits, Node& tensor, const Node& like) {
  const auto axis = static_cast<std::uint32_t>(decisions.below(tensor.shape.size(), axis_and_block(like).first));
  switch (plain ? decisions.below(5, like.scheme.index() - 1) : 0) {
    case 1:
      if (tensor.shape[axis] <= most_parameters) return per_channel(decisions, limits, axis, tensor, like);
      break;
    case 2:
      if (const std::uint32_t block = block_size(decisions, tensor, axis, 2, true, like); block != 0) return per_block(decisions, limits, axis, block, tensor, like);
      break;
    case 3:
      if (const std::uint32_t block = block_size(decisions, tensor, axis, 8, true, like); block != 0 && limits.tier_two) return nf4(decisions, axis, block, tensor, like);
      break;
    case 4:
      if (const std::uint32_t block = block_size(decisions, tensor, axis, 16, false, like); block != 0 && tensor.shape[axis] != 0)
        return mxfp(decisions, limits, axis, block, tensor, like);
      break;
  }
  per_tensor(decisions, limits, tensor, like);
}

}  // namespace hurray::generators::growth
