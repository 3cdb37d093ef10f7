#include "reference/quantization_fields.h"

namespace hurray::reference {
namespace {

constexpr std::uint64_t type_tag_at = 14;

std::uint64_t buffer_bytes(const Descriptor& d, std::uint32_t index) {
  return index < d.buffer_count ? d.buffer(index).byte_size : 0;
}

}  // namespace

bool stores_integers(const Descriptor& d, std::uint32_t bits) {
  const facts::ElementType* const type = facts::element_type(d.type_tag);
  return type != nullptr && type->bits <= bits &&
         (type->kind == facts::Kind::signed_integer || type->kind == facts::Kind::unsigned_integer);
}

bool storage_holds(const Descriptor& d, std::int64_t value) {
  if (!stores_integers(d, 32)) return true;
  const facts::ElementType& type = *facts::element_type(d.type_tag);
  const bool is_signed = type.kind == facts::Kind::signed_integer;
  const std::int64_t low = is_signed ? -(std::int64_t{1} << (type.bits - 1)) : 0;
  const std::int64_t high = (std::int64_t{1} << (is_signed ? type.bits - 1 : type.bits)) - 1;
  return value >= low && value <= high;
}

void check_storage_type(DescriptorReader& reader, bool valid, Rule rule) {
  Descriptor& d = reader.descriptor;
  reader.check.that(valid, rule, d.at.start + type_tag_at, "type_tag", hex(d.type_tag), "under scheme_tag",
                    hex(d.quantization.scheme_tag));
  d.opaque |= !valid;
}

bool check_axis(DescriptorReader& reader, Rule in_rank, Rule not_dynamic) {
  const Descriptor& d = reader.descriptor;
  const std::uint32_t axis = d.quantization.axis;
  const std::uint64_t at = scheme_field_at(d, 4);
  const bool exists = axis < d.rank;
  const bool is_static = !exists || d.shape[axis] != facts::limit::dynamic;
  reader.check.that(exists, in_rank, at, "axis", axis, "with rank", d.rank);
  reader.check.that(is_static, not_dynamic, at, "dynamic dimension on axis", axis);
  reader.descriptor.opaque |= !exists || !is_static;
  return exists && is_static;
}

bool check_parameter_index(DescriptorReader& reader, const ParameterIndex& parameter) {
  Descriptor& d = reader.descriptor;
  const std::uint32_t index = parameter.index;
  const std::uint64_t own = facts::layout(d.layout_tag) != nullptr ? layout_buffers(d) : 1;
  const bool exists = index < d.buffer_count;
  reader.check.that(exists, parameter.exists, parameter.at, "parameter buffer", index, "with buffer_count",
                    d.buffer_count);
  reader.check.that(index != 0, parameter.not_data, parameter.at, "parameters in data buffer", index);
  reader.check.that(index == 0 || index >= own || !exists, Rule::Q_PLACE_01, parameter.at, "parameters in buffer", index,
                    "of a layout with own buffers", own);
  const bool is_parameter = exists && index >= own;
  d.opaque |= !is_parameter;
  return is_parameter;
}

bool has_exactly(const Descriptor& d, std::uint32_t index, std::uint64_t count, std::uint64_t bytes) {
  const std::uint64_t size = buffer_bytes(d, index);
  if (count == ~std::uint64_t{0}) return false;  // stands for more entries than any buffer has
  return size / bytes == count && size % bytes == 0;
}

void check_parameter_sizes(DescriptorReader& reader, std::uint64_t count, const ParameterSizes& rules) {
  Descriptor& d = reader.descriptor;
  Quantization& q = d.quantization;
  const bool shared = shares_parameter_buffer(q);
  const bool separate_zero_points = !shared && parameter_buffers(q) == 2;
  const std::uint64_t width = scale_bytes(q) + (shared ? zero_point_bytes : 0);
  reader.check.that(has_exactly(d, q.scale_buffer_index, count, width), rules.scales, handle_at(d, q.scale_buffer_index),
                    "scale buffer of byte_size", buffer_bytes(d, q.scale_buffer_index), "for scales", count);
  reader.check.that(!separate_zero_points || has_exactly(d, q.zero_point_buffer_index, count, zero_point_bytes),
                    rules.zero_points, handle_at(d, q.zero_point_buffer_index), "zero-point buffer of byte_size",
                    buffer_bytes(d, q.zero_point_buffer_index), "for zero-points", count);
  d.opaque |= buffer_bytes(d, q.scale_buffer_index) / width < count;
  d.opaque |= separate_zero_points && buffer_bytes(d, q.zero_point_buffer_index) / zero_point_bytes < count;
  if (shared && !d.opaque) q.zero_point_offset = count * scale_bytes(q);
}

}  // namespace hurray::reference
