// Scales and zero-points in their buffers (quantization/*.md, Validity Constraints).
#include <algorithm>

#include "reference/buffer_checks.h"
#include "reference/buffer_roles.h"
#include "reference/quantization_fields.h"

namespace hurray::reference {
namespace {

/// The bits of a scale that tell zero, infinity, NaN and sign, widened to float32.
std::uint32_t float_bits(const Quantization& q, Bytes scales, std::uint64_t index) {
  if (scale_bytes(q) == 4) return load_little_endian<std::uint32_t>(scales.data() + 4 * index);
  const std::uint32_t half = load_little_endian<std::uint16_t>(scales.data() + 2 * index);
  if (q.scale_type_tag == facts::tag::bfloat16) return half << 16;
  const std::uint32_t sign = (half & 0x8000U) << 16;
  if ((half & 0x7C00U) == 0x7C00U) return sign | 0x7F800000U | (half & 0x3FFU);
  return sign | (half & 0x7FFFU);  // zero exactly when the float16 is, finite in any case
}

constexpr std::uint32_t exponent_mask = 0x7F800000, sign_mask = 0x80000000;
bool is_finite(std::uint32_t bits) { return (bits & exponent_mask) != exponent_mask; }
bool is_zero(std::uint32_t bits) { return (bits & ~sign_mask) == 0; }

void check_scale(BufferChecks& checks, std::uint64_t at, std::uint32_t bits) {
  const std::uint8_t scheme = checks.descriptor.quantization.scheme_tag;
  const bool usable = is_finite(bits) && !is_zero(bits);
  const bool not_negative = is_finite(bits) && ((bits & sign_mask) == 0 || is_zero(bits));
  Checks& check = checks.check;
  check.that(usable || scheme != facts::scheme_tag::per_channel_affine, Rule::Q_PCA_10, at, "channel scale with bits",
             hex(bits));
  check.that(usable || scheme != facts::scheme_tag::per_block_affine, Rule::Q_PBA_13, at, "block scale with bits", hex(bits));
  check.that(not_negative || scheme != facts::scheme_tag::nf4, Rule::Q_NF4_08, at, "NF4 scale with bits", hex(bits));
}

void check_exponent_scales(BufferChecks& checks, std::uint64_t count) {
  const std::uint32_t buffer = checks.descriptor.quantization.scale_buffer_index;
  const Bytes scales = checks.buffers[buffer];
  for (std::uint64_t i = 0; i < count; ++i)
    if ((scales[i] == 0x00 || scales[i] == 0xFF) &&
        !checks.check.that(false, Rule::Q_MX_07, checks.at(buffer, i), "MXFP scale", hex(scales[i])))
      return;
}

void check_channel_zero_points(BufferChecks& checks, std::uint64_t count) {
  const Quantization& q = checks.descriptor.quantization;
  const Bytes points = checks.buffers[q.zero_point_buffer_index].subspan(q.zero_point_offset);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::int32_t value = load_little_endian<std::int32_t>(points.data() + zero_point_bytes * i);
    if (!checks.check.that(storage_holds(checks.descriptor, value), Rule::Q_PCA_11,
                           checks.at(q.zero_point_buffer_index, q.zero_point_offset + zero_point_bytes * i), "zero-point",
                           value, "for type_tag", hex(checks.descriptor.type_tag)))
      return;
  }
}

}  // namespace

void check_quantization_parameters(BufferChecks& checks) {
  const Descriptor& d = checks.descriptor;
  const Quantization& q = d.quantization;
  const bool per_channel = q.scheme_tag == facts::scheme_tag::per_channel_affine;
  // Pages that no sequence uses may hold any scale.
  const bool paged_blocks = d.layout_tag == facts::layout_tag::block_paged && !per_channel;
  if (parameter_buffers(q) == 0 || paged_blocks) return;
  const std::uint64_t count = scale_count(d).value_or(0);
  if (q.scheme_tag == facts::scheme_tag::mxfp) return check_exponent_scales(checks, count);
  for (std::uint64_t i = 0; i < count && !checks.check.failed(); ++i)
    check_scale(checks, checks.at(q.scale_buffer_index, i * scale_bytes(q)),
                float_bits(q, checks.buffers[q.scale_buffer_index], i));
  if (per_channel && !q.symmetric()) check_channel_zero_points(checks, count);
}

}  // namespace hurray::reference
