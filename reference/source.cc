#include "reference/source.h"

namespace hurray::reference {

std::optional<std::uint64_t> element_count(const U64Array& shape) {
  // An empty dimension makes the count zero however long the others are.
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] == 0) return 0;
  std::uint64_t count = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (__builtin_mul_overflow(count, shape[axis], &count)) return std::nullopt;
  return count;
}

Source::Source(const Reading& reading, std::uint32_t tensor)
    : descriptor_(reading.tensors[tensor].descriptor),
      buffers_(std::span{reading.buffers}.subspan(reading.tensors[tensor].first_buffer, descriptor_.buffer_count)),
      sparse_(is_sparse(descriptor_.layout_tag)),
      address_(descriptor_, buffers_),
      elements_(buffers_[0], descriptor_.byte_offset, facts::element_type(descriptor_.type_tag)->bits),
      dequantizer_(descriptor_, buffers_) {}

std::int64_t Source::parameter(const std::uint64_t* index) const {
  std::int64_t sum = 0;
  for (std::size_t axis = 0; axis < descriptor_.rank; ++axis) sum += dequantizer_.parameter_term(axis, index[axis]);
  return sum;
}

void Source::decode_row(std::int64_t base, std::span<const std::int64_t> terms, std::uint8_t view_type, Pattern* row) const {
  if (!quantized()) return;
  const bool narrower = view_type != facts::tag::float32;
  const FloatFormat format = float_format(view_type).value_or(float32_format);
  std::int64_t current = base + terms[0];  // neighbours mostly share their parameters
  Dequantizer::Parameters parameters = dequantizer_.parameters(current);
  for (std::size_t j = 0; j < terms.size(); ++j) {
    if (const std::int64_t parameter = base + terms[j]; parameter != current) {
      parameters = dequantizer_.parameters(parameter);
      current = parameter;
    }
    const Pattern value = std::bit_cast<std::uint32_t>(dequantizer_.value(row[j], parameters));
    row[j] = narrower ? convert(float32_format, value, format) : value;
  }
}

Pattern Source::value_at(std::int64_t position, const std::uint64_t* index, std::uint8_t view_type) const {
  Pattern value = elements_.at(position);
  const std::int64_t no_term = 0;
  decode_row(parameter(index), {&no_term, 1}, view_type, &value);
  return value;
}

}  // namespace hurray::reference
