#include "generators/growth/scheme.h"

#include <algorithm>
#include <cmath>

#include "generators/growth/tensor.h"

namespace hurray::generators::growth {
namespace {

namespace tag = facts::tag;

/// No scheme grows more channels or blocks than this, however large an empty or broadcast tensor's dimensions are.
constexpr std::uint64_t most_parameters = 4096;

/// Powers of two from 1/8 to 16, either sign: finite, not zero, and exact in every scale type.
float any_scale(Decisions& decisions) {
  const float size = std::ldexp(1.0f, static_cast<int>(decisions.below(8)) - 3);
  return decisions.one_in(4) ? -size : size;
}

std::int32_t any_zero_point(Decisions& decisions, std::uint8_t type) {
  const facts::ElementType& facts = *facts::element_type(type);
  const std::uint64_t most = std::uint64_t{1} << std::min<int>(facts.bits - 1, 6);
  const auto value = static_cast<std::int32_t>(decisions.below(most));
  return facts.kind == facts::Kind::signed_integer && decisions.one_in(2) ? -value : value;
}

template <std::size_t N>
std::uint8_t storage(Decisions& decisions, const GrowthLimits& limits, const std::uint8_t (&tags)[N]) {
  std::vector<std::uint8_t> allowed;
  for (const std::uint8_t type : tags)
    if (limits.tier_two || facts::element_type(type)->tier == 1) allowed.push_back(type);
  return allowed[decisions.below(allowed.size())];
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

/// A power of two from `least` that the axis allows; 0 where none does. Partial blocks are defined only along axis 0 of a
/// row-major tensor or with one outer position (AMB-24): elsewhere the block must divide the axis.
std::uint32_t block_size(Decisions& decisions, const Node& tensor, std::uint32_t axis, std::uint32_t least, std::uint32_t most, bool may_be_partial) {
  std::vector<std::uint32_t> sizes;
  const std::uint64_t length = tensor.shape[axis];
  if (volume(tensor.shape) > most_parameters || length > most_parameters) return 0;
  const bool row_major = std::holds_alternative<RowMajor>(tensor.layout);
  const bool partial = may_be_partial && ((axis == 0 && row_major) || volume(tensor.shape) == length);
  for (std::uint32_t size = least; size <= most && (size <= length || length == 0); size *= 2)
    if (length == 0 || length % size == 0 || partial) sizes.push_back(size);
  return sizes.empty() ? 0 : sizes[decisions.below(sizes.size())];
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

void per_tensor(Decisions& decisions, const GrowthLimits& limits, Node& tensor) {
  tensor.type = storage(decisions, limits, wide_storage);
  tensor.scheme = PerTensorAffine{any_scale(decisions), any_zero_point(decisions, tensor.type)};
}

void per_channel(Decisions& decisions, const GrowthLimits& limits, std::uint32_t axis, Node& tensor) {
  tensor.type = storage(decisions, limits, wide_storage);
  PerChannelAffine scheme{axis, decisions.one_in(2), {}, {}};
  for (std::uint64_t channel = 0; channel < tensor.shape[axis]; ++channel) {
    scheme.scales.push_back(any_scale(decisions));
    if (!scheme.symmetric) scheme.zero_points.push_back(any_zero_point(decisions, tensor.type));
  }
  tensor.scheme = std::move(scheme);
}

void per_block(Decisions& decisions, const GrowthLimits& limits, std::uint32_t axis, std::uint32_t block, Node& tensor) {
  tensor.type = storage(decisions, limits, narrow_storage);
  PerBlockAffine scheme{axis, block, decisions.one_in(2), scale_types[decisions.below(3)], {}, {}};
  for (std::uint64_t at = block_count(tensor, axis, block); at > 0; --at) {
    scheme.scales.push_back(scale_bits(scheme.scale_type, any_scale(decisions)));
    if (!scheme.symmetric) scheme.zero_points.push_back(any_zero_point(decisions, tensor.type));
  }
  tensor.scheme = std::move(scheme);
}

void nf4(Decisions& decisions, std::uint32_t axis, std::uint32_t block, Node& tensor) {
  tensor.type = tag::uint4;
  Nf4 scheme{axis, block, {}};
  for (std::uint64_t at = block_count(tensor, axis, block); at > 0; --at) scheme.scales.push_back(std::fabs(any_scale(decisions)));
  tensor.scheme = std::move(scheme);
}

void mxfp(Decisions& decisions, const GrowthLimits& limits, std::uint32_t axis, std::uint32_t block, Node& tensor) {
  tensor.type = storage(decisions, limits, mx_storage);
  Mxfp scheme{axis, block, {}};
  for (std::uint64_t at = block_count(tensor, axis, block); at > 0; --at) scheme.scales.push_back(static_cast<std::uint8_t>(120 + decisions.below(16)));
  tensor.scheme = std::move(scheme);
}

}  // namespace

void grow_scheme(Decisions& decisions, bool plain, const GrowthLimits& limits, Node& tensor) {
  const auto axis = static_cast<std::uint32_t>(decisions.below(tensor.shape.size()));
  switch (plain ? decisions.below(5) : 0) {
    case 1:
      if (tensor.shape[axis] <= most_parameters) return per_channel(decisions, limits, axis, tensor);
      break;
    case 2:
      if (const std::uint32_t block = block_size(decisions, tensor, axis, 2, 64, true); block != 0) return per_block(decisions, limits, axis, block, tensor);
      break;
    case 3:
      if (const std::uint32_t block = block_size(decisions, tensor, axis, 8, 64, true); block != 0 && limits.tier_two) return nf4(decisions, axis, block, tensor);
      break;
    case 4:
      if (const std::uint32_t block = block_size(decisions, tensor, axis, 16, 64, false); block != 0 && tensor.shape[axis] != 0)
        return mxfp(decisions, limits, axis, block, tensor);
      break;
  }
  per_tensor(decisions, limits, tensor);
}

}  // namespace hurray::generators::growth
