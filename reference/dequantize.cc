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

bool is_integer(facts::Kind kind) { return kind == facts::Kind::signed_integer || kind == facts::Kind::unsigned_integer; }

/// Whether `scheme` is defined for codes of this type, widths that no scheme lists left aside.
bool decodes(std::uint8_t scheme, const facts::ElementType& type) {
  if (type.bits > 32) return false;
  if (scheme == scheme_tag::nf4) return type.tag == facts::tag::uint4;
  if (scheme == scheme_tag::mxfp) return is_integer(type.kind) || type.kind == facts::Kind::small_float;
  return is_integer(type.kind);
}

}  // namespace

ValueStatus Dequantizer::prepare(const Descriptor& descriptor, const DenseAddress& address, std::span<const Bytes> buffers) {
  section_ = &descriptor.quantization;
  address_ = &address;
  scheme_ = section_->scheme_tag;
  if (scheme_ == 0) return descriptor.has(facts::flag::quantization) ? ValueStatus::no_values : ValueStatus::ok;
  const facts::ElementType* type = facts::element_type(descriptor.type_tag);
  if (facts::scheme(scheme_) == nullptr || type == nullptr || !decodes(scheme_, *type)) return ValueStatus::no_values;
  kind_ = type->kind;
  bits_ = type->bits;
  element_format_ = float_format(type->tag);
  return scheme_ == scheme_tag::per_tensor_affine ? ValueStatus::ok : prepare_parameters(descriptor, buffers);
}

ValueStatus Dequantizer::prepare_parameters(const Descriptor& descriptor, std::span<const Bytes> buffers) {
  const std::uint32_t axis = section_->axis;
  if (axis >= descriptor.rank || (is_block_scheme(scheme_) && section_->block_size == 0)) return ValueStatus::no_values;
  std::uint64_t extents[facts::limit::rank];
  const std::span<const std::uint64_t> shape = copy_shape(descriptor.shape, extents);
  scale_type_ = facts::tag::float32;
  if (scheme_ == scheme_tag::per_block_affine) scale_type_ = section_->scale_type_tag;
  if (scheme_ == scheme_tag::mxfp) scale_type_ = facts::tag::float8_e8m0;
  const facts::ElementType* scale_type = facts::element_type(scale_type_);
  if (scale_type == nullptr || (!float_format(scale_type_) && scheme_ != scheme_tag::mxfp)) return ValueStatus::no_values;

  std::int64_t blocks = 1;
  if (is_block_scheme(scheme_)) {
    const std::uint64_t block = section_->block_size;
    blocks = static_cast<std::int64_t>(std::min<std::uint64_t>(shape[axis] / block + (shape[axis] % block != 0 ? 1 : 0),
                                                               static_cast<std::uint64_t>(position_limit)));
    row_major_strides(shape, axis, blocks, outer_steps_);
  }
  if (section_->scale_buffer_index >= buffers.size()) return ValueStatus::out_of_bounds;
  scales_ = Elements{buffers[section_->scale_buffer_index], 0, scale_type->bits};
  if (is_block_scheme(scheme_) && descriptor.layout_tag == facts::layout_tag::block_paged) {
    // One parameter a slot; a buffer that has exactly one a page is taken at that (AMB-22).
    const std::uint64_t parameters = buffers[section_->scale_buffer_index].size() / (scale_type->bits / 8u);
    slots_per_parameter_ = parameters == descriptor.layout.num_pages ? descriptor.layout.page_size : 1;
  }

  has_zero_points_ = !section_->symmetric() &&
                     (scheme_ == scheme_tag::per_channel_affine || scheme_ == scheme_tag::per_block_affine);
  if (!has_zero_points_) return ValueStatus::ok;
  if (section_->zero_point_buffer_index >= buffers.size()) return ValueStatus::out_of_bounds;
  std::uint64_t start = 0;
  if (section_->zero_point_buffer_index == section_->scale_buffer_index) {
    // One buffer for both (quantization.md, Buffer Table Placement Rules): the zero points follow the scales, so that
    // with parameters of s and 4 bytes the scales take s/(s+4) of it.
    const std::uint64_t scale_bytes = scale_type->bits / 8u;
    start = buffers[section_->scale_buffer_index].size() / (scale_bytes + 4) * scale_bytes;
  }
  zero_points_ = Elements{buffers[section_->zero_point_buffer_index], start, 32};
  return ValueStatus::ok;
}

std::optional<std::int64_t> Dequantizer::parameter_term(std::size_t axis, std::uint64_t i) const {
  if (scheme_ == scheme_tag::per_tensor_affine || scheme_ == 0) return 0;
  if (scheme_ == scheme_tag::per_channel_affine) return axis == section_->axis ? scaled(i, 1) : 0;
  if (slots_per_parameter_ > 0) {
    const auto slot = axis == 0 ? address_->slot(i) : 0;
    return slot ? std::optional{*slot / slots_per_parameter_} : std::nullopt;
  }
  return axis == section_->axis ? scaled(i / section_->block_size, 1) : scaled(i, outer_steps_[axis]);
}

float Dequantizer::scale(Pattern code) const {
  if (scale_type_ == facts::tag::float32) return std::bit_cast<float>(static_cast<std::uint32_t>(code));
  if (scale_type_ == facts::tag::float8_e8m0) {
    const auto exponent = static_cast<std::uint32_t>(code);  // the code of 2^(e-127) is the exponent field of its float32
    return std::bit_cast<float>(exponent == 0 || exponent == 0xFF ? quiet_nan : exponent << 23);
  }
  return std::bit_cast<float>(static_cast<std::uint32_t>(convert(*float_format(scale_type_), code, float32_format)));
}

std::optional<Dequantizer::Parameters> Dequantizer::parameters(std::int64_t parameter) const {
  if (scheme_ == scheme_tag::per_tensor_affine) return Parameters{section_->scale, section_->zero_point};
  if (parameter < 0 || !scales_.holds(parameter) || (has_zero_points_ && !zero_points_.holds(parameter))) return std::nullopt;
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
