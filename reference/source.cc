#include "reference/source.h"

namespace hurray::reference {

namespace {

/// A head has no data to dequantize, whatever flag a waived rule lets it carry.
bool is_quantized(const Descriptor& descriptor) {
  return descriptor.has(facts::flag::quantization) && !descriptor.is_head();
}

}  // namespace

bool has_dynamic_dimension(const U64Array& shape) {
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] == facts::limit::dynamic) return true;
  return false;
}

std::optional<std::uint64_t> element_count(const U64Array& shape) {
  // An empty dimension makes the count zero however long the others are.
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] == 0) return 0;
  std::uint64_t count = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (__builtin_mul_overflow(count, shape[axis], &count)) return std::nullopt;
  return count;
}

std::uint8_t view_type(const Descriptor& descriptor) {
  return is_quantized(descriptor) ? facts::tag::float32 : descriptor.type_tag;
}

bool is_seen_as(const Descriptor& descriptor, std::uint8_t to) {
  return is_quantized(descriptor) ? float_format(to).has_value() : descriptor.type_tag == to;
}

ValueStatus Source::prepare(const Reading& reading, std::uint32_t tensor) {
  const Tensor& read = reading.tensors[tensor];
  descriptor_ = &read.descriptor;
  if (descriptor_->opaque || descriptor_->is_head() || descriptor_->rank > facts::limit::rank ||
      descriptor_->shape.size() != descriptor_->rank || has_dynamic_dimension(descriptor_->shape))
    return ValueStatus::no_values;
  const std::size_t first = read.first_buffer, count = descriptor_->buffer_count;
  if (count == 0 || first > reading.buffers.size() || count > reading.buffers.size() - first) return ValueStatus::no_values;
  buffers_ = std::span{reading.buffers}.subspan(first, count);
  const facts::ElementType* type = facts::element_type(descriptor_->type_tag);
  if (type == nullptr) return ValueStatus::no_values;
  sparse_ = is_sparse(descriptor_->layout_tag);
  elements_ = Elements{buffers_[0], sparse_ ? 0 : descriptor_->byte_offset, type->bits};
  if (sparse_ && !can_be_searched(*descriptor_, buffers_)) return ValueStatus::no_values;
  if (!sparse_)
    if (const ValueStatus status = address_.prepare(*descriptor_, buffers_); status != ValueStatus::ok) return status;
  return dequantizer_.prepare(*descriptor_, address_, buffers_);
}

bool Source::holds_affine_box() const {
  std::int64_t lowest = 0, highest = 0;  // the extreme positions stand for all
  for (std::size_t axis = 0; axis < descriptor_->rank; ++axis) {
    const auto farthest = address_.axis_term(axis, descriptor_->shape[axis] - 1);
    if (!farthest) return false;
    (*farthest < 0 ? lowest : highest) += *farthest;
  }
  return elements_.holds(lowest) && elements_.holds(highest);
}

std::optional<std::int64_t> Source::parameter(const std::uint64_t* index) const {
  std::int64_t sum = 0;
  for (std::size_t axis = 0; axis < descriptor_->rank; ++axis) {
    const auto term = dequantizer_.parameter_term(axis, index[axis]);
    if (!term) return std::nullopt;
    sum += *term;
  }
  return sum;
}

bool Source::decode_row(std::int64_t base, std::span<const std::int64_t> terms, std::uint8_t view_type, Pattern* row) const {
  if (!quantized()) return true;
  const bool narrower = view_type != facts::tag::float32;
  const FloatFormat format = float_format(view_type).value_or(float32_format);
  std::int64_t current = -1;  // neighbours mostly share their parameters
  std::optional<Dequantizer::Parameters> parameters;
  for (std::size_t j = 0; j < terms.size(); ++j) {
    if (const std::int64_t parameter = base + terms[j]; !parameters || parameter != current) {
      parameters = dequantizer_.parameters(parameter);
      if (!parameters) return false;
      current = parameter;
    }
    const Pattern value = std::bit_cast<std::uint32_t>(dequantizer_.value(row[j], *parameters));
    row[j] = narrower ? convert(float32_format, value, format) : value;
  }
  return true;
}

ValueStatus Source::value_at(std::int64_t position, const std::uint64_t* index, std::uint8_t view_type, Pattern& value) const {
  if (!elements_.holds(position)) return ValueStatus::out_of_bounds;
  value = elements_.at(position);
  if (!quantized()) return ValueStatus::ok;
  const auto number = parameter(index);
  const std::int64_t no_term = 0;
  return number && decode_row(*number, {&no_term, 1}, view_type, &value) ? ValueStatus::ok : ValueStatus::out_of_bounds;
}

}  // namespace hurray::reference
