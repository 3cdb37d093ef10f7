#include "reference/dequantize.h"

#include <algorithm>

namespace hurray::reference {
namespace {

namespace scheme_tag = facts::scheme_tag;

/// quantization/nf4.md, Lookup Table: the nearest float32 of each printed value, which prints it exactly.
constexpr float nf4_levels[16] = {
    -1.0f,                 -0.6961928009986877f,  -0.5250730514526367f,  -0.39491748809814453f,
    -0.28444138169288635f, -0.18477343022823334f, -0.09105003625154495f, 0.0f,
    0.07958029955625534f,  0.16093020141124725f,  0.24611230194568634f,  0.33791524171829224f,
    0.44070982933044434f,  0.5626170039176941f,   0.7229568362236023f,   1.0f};

constexpr std::uint32_t quiet_nan = 0x7FC00000;

bool is_block_scheme(std::uint8_t scheme) {
  return scheme == scheme_tag::per_block_affine || scheme == scheme_tag::nf4 || scheme == scheme_tag::mxfp;
}

}  // namespace

Dequantizer::Dequantizer(const Descriptor& descriptor, std::span<const Bytes> buffers)
    : section_(descriptor.quantization), scheme_(section_.scheme_tag) {
  if (scheme_ == 0) return;
  const facts::ElementType* type = facts::element_type(descriptor.type_tag);
  kind_ = type->kind;
  bits_ = type->bits;
  element_format_ = float_format(type->tag);
  if (scheme_ != scheme_tag::per_tensor_affine) prepare_parameters(descriptor, buffers);
}

void Dequantizer::prepare_parameters(const Descriptor& descriptor, std::span<const Bytes> buffers) {
  scale_type_ = facts::tag::float32;
  if (scheme_ == scheme_tag::per_block_affine) scale_type_ = section_.scale_type_tag;
  if (scheme_ == scheme_tag::mxfp) scale_type_ = facts::tag::float8_e8m0;
  scales_ = Elements{buffers[section_.scale_buffer_index], 0, facts::element_type(scale_type_)->bits};
  if (is_block_scheme(scheme_)) {
    std::uint64_t extents[facts::limit::rank];
    const std::span<const std::uint64_t> shape = copy_shape(descriptor.shape, extents);
    const std::uint64_t size = shape[section_.axis], block = section_.block_size;
    const std::uint64_t blocks = size / block + (size % block != 0 ? 1 : 0);
    row_major_strides(shape, section_.axis, static_cast<std::int64_t>(blocks), outer_steps_);
  }
  has_zero_points_ = !section_.symmetric() &&
                     (scheme_ == scheme_tag::per_channel_affine || scheme_ == scheme_tag::per_block_affine);
  if (has_zero_points_)
    zero_points_ = Elements{buffers[section_.zero_point_buffer_index], section_.zero_point_offset, 32};
}

std::int64_t Dequantizer::parameter_term(std::size_t axis, std::uint64_t i) const {
  if (scheme_ == scheme_tag::per_tensor_affine || scheme_ == 0) return 0;
  const auto index = static_cast<std::int64_t>(i);
  if (scheme_ == scheme_tag::per_channel_affine) return axis == section_.axis ? index : 0;
  return axis == section_.axis ? index / section_.block_size : index * outer_steps_[axis];
}

float Dequantizer::scale(Pattern code) const {
  if (scale_type_ == facts::tag::float32) return std::bit_cast<float>(static_cast<std::uint32_t>(code));
  if (scale_type_ == facts::tag::float8_e8m0) {
    const auto exponent = static_cast<std::uint32_t>(code);  // the code of 2^(e-127) is the exponent field of its float32
    return std::bit_cast<float>(exponent << 23);
  }
  return std::bit_cast<float>(static_cast<std::uint32_t>(convert(*float_format(scale_type_), code, float32_format)));
}

Dequantizer::Parameters Dequantizer::parameters(std::int64_t parameter) const {
  if (scheme_ == scheme_tag::per_tensor_affine) return Parameters{section_.scale, section_.zero_point};
  const Pattern zero_point = has_zero_points_ ? zero_points_.at(parameter) : 0;
  return Parameters{scale(scales_.at(parameter)), static_cast<std::int32_t>(static_cast<std::uint32_t>(zero_point))};
}

std::int32_t Dequantizer::integer(Pattern code) const {
  auto value = static_cast<std::uint32_t>(code);
  const bool negative = kind_ == facts::Kind::signed_integer && ((value >> (bits_ - 1)) & 1u) != 0;
  if (negative && bits_ < 32) value |= ~std::uint32_t{0} << bits_;
  return static_cast<std::int32_t>(value);
}

float Dequantizer::small_float(Pattern code) const {
  return std::bit_cast<float>(static_cast<std::uint32_t>(convert(*element_format_, code, float32_format)));
}

float Dequantizer::value(Pattern code, Parameters parameters) const {
  float number = 0;
  if (scheme_ == scheme_tag::nf4) {
    number = nf4_levels[static_cast<unsigned>(code) & 15u];
  } else if (scheme_ == scheme_tag::mxfp) {
    number = element_format_ ? small_float(code) : static_cast<float>(integer(code));
  } else {
    const auto difference = static_cast<std::uint32_t>(integer(code)) - static_cast<std::uint32_t>(parameters.zero_point);
    number = static_cast<float>(static_cast<std::int32_t>(difference));
  }
  if (number != number) return number;
  const float product = parameters.scale * number;
  return product == product ? product : std::bit_cast<float>(quiet_nan);
}

}  // namespace hurray::reference
