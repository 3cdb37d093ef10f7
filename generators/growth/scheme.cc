#include "generators/growth/scheme.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

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

/// The two parts of a scale's magnitude.
struct ScaleFormat {
  unsigned exponent, mantissa;  // bits
  int bias() const { return (1 << (exponent - 1)) - 1; }
};

ScaleFormat scale_format(std::uint8_t type) { return type == tag::float16 ? ScaleFormat{5, 10} : type == tag::bfloat16 ? ScaleFormat{8, 7} : ScaleFormat{8, 23}; }

/// Mostly powers of two from 1/8 to 16, which every product keeps exact; now and then anything finite that is not zero.
Bits any_scale(Decisions& decisions, std::uint8_t type, const Bits& wanted) {
  constexpr int least = -3;
  const ScaleFormat format = scale_format(type);
  const std::uint64_t wanted_exponent = wanted.low >> format.mantissa & ((1u << format.exponent) - 1), wanted_sign = wanted.low >> (format.exponent + format.mantissa) & 1u;
  const auto lowest = static_cast<std::uint64_t>(format.bias() + least);
  std::uint64_t magnitude = (lowest + decisions.below(8, wanted_exponent - std::min(wanted_exponent, lowest))) << format.mantissa;
  const std::uint64_t wanted_magnitude = wanted.low & ~(wanted_sign << (format.exponent + format.mantissa));
  if (decisions.one_in(8, wanted_magnitude != magnitude)) {
    magnitude = decisions.below((1u << format.exponent) - 1, wanted_exponent) << format.mantissa;
    magnitude = std::max<std::uint64_t>(magnitude | decisions.bits(format.mantissa, wanted.low), 1);
  }
  return {magnitude | (decisions.one_in(4, wanted_sign != 0) ? std::uint64_t{1} << (format.exponent + format.mantissa) : 0), 0};
}

float any_float_scale(Decisions& decisions, float wanted) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(any_scale(decisions, tag::float32, {std::bit_cast<std::uint32_t>(wanted), 0}).low));
}

/// Mostly near zero, now and then anything that the type holds.
std::int32_t any_zero_point(Decisions& decisions, std::uint8_t type, std::int32_t wanted) {
  const facts::ElementType& facts = *facts::element_type(type);
  const bool is_signed = facts.kind == facts::Kind::signed_integer;
  constexpr std::int64_t near = 63;
  const std::int64_t all = std::int64_t{1} << facts.bits, lowest = is_signed ? -all / 2 : 0;
  const std::int64_t highest = std::min<std::int64_t>(lowest + all - 1, std::numeric_limits<std::int32_t>::max());
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(decisions.below(static_cast<std::uint64_t>(high - low) + 1, static_cast<std::uint64_t>(std::max<std::int64_t>(wanted - low, 0))));
  };
  const std::int64_t value = between(std::max(lowest, -near), std::min(highest, near));
  return static_cast<std::int32_t>(decisions.one_in(8, value != wanted) ? between(lowest, highest) : value);
}

template <std::size_t N>
std::uint8_t storage(Decisions& decisions, const GrowthLimits& limits, const std::uint8_t (&tags)[N], const Node& like) {
  std::vector<std::uint8_t> allowed;
  for (const std::uint8_t type : tags)
    if (limits.tier_two || facts::element_type(type)->tier == 1) allowed.push_back(type);
  return allowed[decisions.below(allowed.size(), place_of(allowed, like.type))];
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

constexpr std::uint8_t wide_storage[] = {tag::int8, tag::uint8, tag::int16, tag::uint16, tag::int32, tag::uint32, tag::int4, tag::uint4, tag::int2, tag::uint2};
constexpr std::uint8_t narrow_storage[] = {tag::int8, tag::uint8, tag::int4, tag::uint4, tag::int2, tag::uint2};
constexpr std::uint8_t mx_storage[] = {tag::int8, tag::float8_e4m3, tag::float8_e5m2, tag::float4_e2m1, tag::float6_e2m3, tag::float6_e3m2, tag::int4};
constexpr std::uint8_t scale_types[] = {tag::float16, tag::bfloat16, tag::float32};

void per_tensor(Decisions& decisions, const GrowthLimits& limits, Node& tensor, const Node& like) {
  const PerTensorAffine& wanted = wanted_scheme<PerTensorAffine>(like);
  tensor.type = storage(decisions, limits, wide_storage, like);
  const float scale = any_float_scale(decisions, wanted.scale);
  tensor.scheme = PerTensorAffine{scale, any_zero_point(decisions, tensor.type, wanted.zero_point)};
}

void per_channel(Decisions& decisions, const GrowthLimits& limits, std::uint32_t axis, Node& tensor, const Node& like) {
  const PerChannelAffine& wanted = wanted_scheme<PerChannelAffine>(like);
  tensor.type = storage(decisions, limits, wide_storage, like);
  PerChannelAffine scheme{axis, decisions.one_in(2, wanted.symmetric), {}, {}};
  for (std::size_t channel = 0; channel < tensor.shape[axis]; ++channel) {
    scheme.scales.push_back(any_float_scale(decisions, wanted_at(wanted.scales, channel)));
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
    scheme.scales.push_back(any_scale(decisions, scheme.scale_type, wanted_at(wanted.scales, at)));
    if (!scheme.symmetric) scheme.zero_points.push_back(any_zero_point(decisions, tensor.type, wanted_at(wanted.zero_points, at)));
  }
  tensor.scheme = std::move(scheme);
}

void nf4(Decisions& decisions, std::uint32_t axis, std::uint32_t block, Node& tensor, const Node& like) {
  const Nf4& wanted = wanted_scheme<Nf4>(like);
  tensor.type = tag::uint4;
  Nf4 scheme{axis, block, {}};
  const std::uint64_t count = block_count(tensor, axis, block);
  for (std::size_t at = 0; at < count; ++at) scheme.scales.push_back(std::fabs(any_float_scale(decisions, wanted_at(wanted.scales, at))));
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
    std::uint64_t code = least + decisions.below(16, scale < least ? 0u : scale - 0u - least);
    if (decisions.one_in(16, scale != code)) code = 1 + decisions.below(254, scale - 1u);  // 0 and 255 are no scales
    scheme.scales.push_back(static_cast<std::uint8_t>(code));
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
