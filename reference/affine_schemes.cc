// Per-tensor and per-channel affine (quantization/per-tensor-affine.md, quantization/per-channel-affine.md).
#include <bit>
#include <cmath>

#include "reference/quantization_fields.h"

namespace hurray::reference {

void read_per_tensor_affine(DescriptorReader& reader) {
  Cursor& in = reader.in;
  Checks& check = reader.check;
  Descriptor& d = reader.descriptor;
  Quantization& q = d.quantization;
  const std::uint64_t at = in.position();
  const std::uint32_t scale_bits = in.u32();
  q.scale = std::bit_cast<float>(scale_bits);
  q.zero_point = static_cast<std::int32_t>(in.u32());
  const bool zero = all_zero(in.array<std::uint8_t>(4));
  check_storage_type(reader, stores_integers(d, 32), Rule::Q_PTA_05);
  check.that(std::isfinite(q.scale) && q.scale != 0.0F, Rule::Q_PTA_02, at, "scale with bits", hex(scale_bits));
  check.that(storage_holds(d, q.zero_point), Rule::Q_PTA_03, at + 4, "zero_point", q.zero_point, "for type_tag",
             hex(d.type_tag));
  check.that(zero, Rule::Q_PTA_04, at + 8, "per-tensor reserved bytes are not zero");
}

void read_per_channel_affine(DescriptorReader& reader) {
  Cursor& in = reader.in;
  Checks& check = reader.check;
  Descriptor& d = reader.descriptor;
  Quantization& q = d.quantization;
  const std::uint64_t at = in.position();
  q.axis = in.u32();
  q.scale_buffer_index = in.u32();
  q.zero_point_buffer_index = in.u32();
  q.scale_type_tag = in.u8();
  const bool zero = all_zero(in.array<std::uint8_t>(3));
  check_storage_type(reader, stores_integers(d, 32), Rule::Q_PCA_13);
  bool sound = check_axis(reader, Rule::Q_PCA_02, Rule::Q_PCA_04);
  sound &= check_parameter_index(reader, {q.scale_buffer_index, at + 4, Rule::Q_PCA_07, Rule::Q_PCA_08});
  const std::uint32_t zero_points = q.zero_point_buffer_index;
  if (!q.symmetric() || zero_points == 0)  // the data buffer is ruled out with SYMMETRIC too
    sound &= check_parameter_index(reader, {zero_points, at + 8, Rule::Q_PCA_16, Rule::Q_PCA_17});
  check.that(!q.symmetric() || zero_points == 0 || zero_points == facts::limit::no_buffer, Rule::Q_PCA_03, at + 8,
             "symmetric with zero_point_buffer_index", zero_points);
  check.that(q.scale_type_tag == facts::tag::float32, Rule::Q_PCA_05, at + 12, "scale_type_tag", hex(q.scale_type_tag));
  check.that(zero, Rule::Q_PCA_06, at + 13, "per-channel reserved bytes are not zero");
  if (sound && !check.failed()) check_parameter_sizes(reader, d.shape[q.axis], {Rule::Q_PCA_09, Rule::Q_PCA_15});
}

}  // namespace hurray::reference
