// The schemes with one scale a block: per-block affine, NF4 and MXFP (quantization/*.md).
#include <bit>

#include "reference/quantization_fields.h"

namespace hurray::reference {
namespace {

struct BlockRules {
  Rule axis_in_rank, axis_static, power_of_two, at_least_minimum;
  std::uint32_t minimum;
};

/// axis and block_size on their own; false where no block can be told.
bool check_blocks(DescriptorReader& reader, const BlockRules& rules) {
  const Quantization& q = reader.descriptor.quantization;
  const std::uint64_t at = scheme_field_at(reader.descriptor, 8);
  const bool axis = check_axis(reader, rules.axis_in_rank, rules.axis_static);
  const bool power = std::has_single_bit(q.block_size);
  const bool enough = !power || q.block_size >= rules.minimum;
  reader.check.that(power, rules.power_of_two, at, "block_size", q.block_size);
  reader.check.that(enough, rules.at_least_minimum, at, "block_size", q.block_size);
  reader.descriptor.opaque |= !axis || !power || !enough;
  return axis && power && enough;
}

/// A block longer than a non-empty axis.
bool check_block_fits_axis(DescriptorReader& reader, Rule rule) {
  Descriptor& d = reader.descriptor;
  const std::uint64_t size = d.shape[d.quantization.axis];
  const bool fits = size == 0 || d.quantization.block_size <= size;
  d.opaque |= !fits;
  reader.check.that(fits, rule, scheme_field_at(d, 8), "block_size", d.quantization.block_size, "on an axis of", size);
  return fits;
}

/// Paged scales are sized by two sentences that contradict each other, so their size is not judged.
bool is_paged(const Descriptor& d) { return d.layout_tag == facts::layout_tag::block_paged; }

void check_paged_blocks(DescriptorReader& reader) {
  const Descriptor& d = reader.descriptor;
  const Quantization& q = d.quantization;
  if (!is_paged(d)) return;
  reader.check.that(q.axis == 0, Rule::LAY_BP_16, scheme_field_at(d, 4), "block-paged quantized per block on axis", q.axis);
  reader.check.that(q.block_size == d.layout.page_size, Rule::LAY_BP_20, scheme_field_at(d, 8), "block_size", q.block_size,
                    "with page_size", d.layout.page_size);
}

/// Whether the scale buffer has room for the full blocks only, one partial block a row short.
bool lacks_partial_blocks(const Descriptor& d) {
  const Quantization& q = d.quantization;
  const std::uint64_t size = d.shape[q.axis], full = size / q.block_size;
  const std::uint64_t total = scale_count(d).value_or(0);
  return size % q.block_size != 0 && full > 0 && total > 0 && total != ~std::uint64_t{0} &&
         has_exactly(d, q.scale_buffer_index, total / (full + 1) * full, scale_bytes(q));
}

/// Sizes by block count. An empty axis and a missing partial block are ruled on in sentences of their own.
void check_block_sizes(DescriptorReader& reader, const ParameterSizes& rules, Rule when_axis_empty) {
  const Descriptor& d = reader.descriptor;
  const std::optional<std::uint64_t> count = scale_count(d);
  if (!count || reader.check.failed() || is_paged(d)) return;
  const bool axis_empty = d.shape[d.quantization.axis] == 0;
  const Rule scales = axis_empty ? when_axis_empty : lacks_partial_blocks(d) ? Rule::Q_PART_03 : rules.scales;
  check_parameter_sizes(reader, *count, {scales, axis_empty ? when_axis_empty : rules.zero_points});
}

bool is_microscaling_type(std::uint8_t tag) {
  constexpr std::uint8_t types[] = {facts::tag::float8_e4m3, facts::tag::float8_e5m2, facts::tag::float4_e2m1,
                                    facts::tag::float6_e2m3, facts::tag::float6_e3m2, facts::tag::int8,
                                    facts::tag::int4};
  return std::find(std::begin(types), std::end(types), tag) != std::end(types);
}

}  // namespace

void read_per_block_affine(DescriptorReader& reader) {
  Cursor& in = reader.in;
  Checks& check = reader.check;
  Descriptor& d = reader.descriptor;
  Quantization& q = d.quantization;
  const std::uint64_t at = in.position();
  q.axis = in.u32();
  q.block_size = in.u32();
  q.scale_buffer_index = in.u32();
  q.zero_point_buffer_index = in.u32();
  q.scale_type_tag = in.u8();
  const bool zero = all_zero(in.array<std::uint8_t>(3));
  check_storage_type(reader, stores_integers(d, 8), Rule::Q_PBA_15);
  bool sound = check_blocks(reader, {Rule::Q_PBA_03, Rule::Q_PBA_06, Rule::Q_PBA_02, Rule::Q_PBA_20, 2});
  check_paged_blocks(reader);
  sound = sound && check_block_fits_axis(reader, Rule::Q_PBA_04);
  sound &= check_parameter_index(reader, {q.scale_buffer_index, at + 8, Rule::Q_PBA_10, Rule::Q_PLACE_02});
  if (!q.symmetric())
    sound &= check_parameter_index(reader, {q.zero_point_buffer_index, at + 12, Rule::Q_PBA_23, Rule::Q_PLACE_02});
  const bool known_scale = q.scale_type_tag >= facts::tag::float16 && q.scale_type_tag <= facts::tag::float32;
  check.that(known_scale, Rule::Q_PBA_07, at + 16, "scale_type_tag", hex(q.scale_type_tag));
  d.opaque |= !known_scale;
  check.that(zero, Rule::Q_PBA_08, at + 17, "per-block reserved bytes are not zero");
  if (sound && known_scale) check_block_sizes(reader, {Rule::Q_PBA_09, Rule::Q_PBA_19}, Rule::Q_PBA_21);
}

void read_nf4(DescriptorReader& reader) {
  Descriptor& d = reader.descriptor;
  Quantization& q = d.quantization;
  q.axis = reader.in.u32();
  q.block_size = reader.in.u32();
  const std::uint64_t at = reader.in.position();
  q.scale_buffer_index = reader.in.u32();
  check_storage_type(reader, d.type_tag == facts::tag::uint4, Rule::Q_NF4_10);
  bool sound = check_blocks(reader, {Rule::Q_NF4_02, Rule::Q_NF4_04, Rule::Q_NF4_03, Rule::Q_NF4_14, 8});
  sound = sound && check_block_fits_axis(reader, Rule::Q_NF4_05);
  sound &= check_parameter_index(reader, {q.scale_buffer_index, at, Rule::Q_NF4_09, Rule::Q_NF4_13});
  if (sound) check_block_sizes(reader, {Rule::Q_NF4_07, Rule::Q_NF4_07}, Rule::Q_NF4_15);
}

void read_mxfp(DescriptorReader& reader) {
  constexpr std::uint32_t largest_block = 2048;
  Checks& check = reader.check;
  Descriptor& d = reader.descriptor;
  Quantization& q = d.quantization;
  q.axis = reader.in.u32();
  const std::uint64_t block_at = reader.in.position();
  q.block_size = reader.in.u32();
  const std::uint64_t at = reader.in.position();
  q.scale_buffer_index = reader.in.u32();
  check_storage_type(reader, is_microscaling_type(d.type_tag), Rule::Q_MX_09);
  bool sound = check_blocks(reader, {Rule::Q_MX_02, Rule::Q_MX_04, Rule::Q_MX_03, Rule::Q_MX_12, 16});
  const bool small = q.block_size <= largest_block || !std::has_single_bit(q.block_size);
  check.that(small, Rule::Q_MX_13, block_at, "block_size", q.block_size);
  if (sound) {
    const std::uint64_t size = d.shape[q.axis];
    sound = size > 0 && size % q.block_size == 0;
    check.that(sound, Rule::Q_MX_05, block_at, "block_size", q.block_size, "on an axis of", size);
  }
  sound &= check_parameter_index(reader, {q.scale_buffer_index, at, Rule::Q_MX_08, Rule::Q_MX_11});
  d.opaque |= !sound || !small;
  if (sound && small) check_block_sizes(reader, {Rule::Q_MX_06, Rule::Q_MX_06}, Rule::Q_MX_06);
}

}  // namespace hurray::reference
