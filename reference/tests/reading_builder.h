// Readings put together by hand: what the reader would hand over for an accepted input, without any input.
#pragma once

#include <deque>
#include <initializer_list>
#include <string>
#include <vector>

#include "reference/element.h"
#include "reference/merge.h"
#include "reference/readable.h"

namespace hurray::reference {

using ByteVector = std::vector<std::uint8_t>;
using Indices = std::vector<std::uint64_t>;

/// The little-endian bytes of numbers of type T.
template <typename T>
ByteVector bytes_of(const std::vector<T>& numbers) {
  ByteVector bytes(numbers.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}
inline ByteVector floats(const std::vector<float>& numbers) { return bytes_of(numbers); }
inline ByteVector u64s(const std::vector<std::uint64_t>& numbers) { return bytes_of(numbers); }

class ReadingBuilder {
 public:
  /// Opens a head; what is added until close() are its members.
  std::uint32_t open(std::uint8_t type, const Indices& shape, std::uint8_t rule, std::uint8_t op = 0) {
    const std::uint32_t head = push(type, shape, facts::layout_tag::composite, {});
    descriptor(head).layout.composition_rule = rule;
    descriptor(head).layout.combine_op = op;
    open_.push_back(head);
    return head;
  }
  void close() {
    const std::uint32_t head = open_.back();
    open_.pop_back();
    reading_.tensors[head].skip = static_cast<std::uint32_t>(reading_.tensors.size()) - head;
  }
  std::uint32_t partition(std::uint8_t type, const Indices& shape) { return open(type, shape, facts::composition_rule::partition); }
  std::uint32_t replace(std::uint8_t type, const Indices& shape) {
    return open(type, shape, facts::composition_rule::overlay, facts::combine_op::replace);
  }
  std::uint32_t add(std::uint8_t type, const Indices& shape) {
    return open(type, shape, facts::composition_rule::overlay, facts::combine_op::add);
  }

  std::uint32_t tensor(std::uint8_t type, const Indices& shape, const std::vector<ByteVector>& buffers,
                       std::uint8_t layout = facts::layout_tag::row_major) {
    return push(type, shape, layout, buffers);
  }
  /// Gives the tensor added last, or a head that is open, its box.
  ReadingBuilder& at(const Indices& offset) {
    descriptor(last_).shard_offset = u64_array(offset);
    return *this;
  }
  ReadingBuilder& at(std::uint32_t tensor, const Indices& offset) {
    descriptor(tensor).shard_offset = u64_array(offset);
    return *this;
  }

  std::uint32_t coo(std::uint8_t type, const Indices& shape, const ByteVector& values, const Indices& coordinates, bool sorted = true) {
    const std::uint32_t at = tensor(type, shape, {values, u64s(coordinates)}, facts::layout_tag::coo);
    descriptor(at).layout.nnz = coordinates.size() / shape.size();
    descriptor(at).layout.is_sorted = sorted ? 1 : 0;
    return at;
  }
  std::uint32_t compressed(std::uint8_t layout, std::uint8_t type, const Indices& shape, const ByteVector& values, const Indices& minors,
                           const Indices& pointers) {
    const std::uint32_t at = tensor(type, shape, {values, u64s(minors), u64s(pointers)}, layout);
    descriptor(at).layout.nnz = minors.size();
    return at;
  }
  std::uint32_t strided(std::uint8_t type, const Indices& shape, const ByteVector& data, const std::vector<std::int64_t>& strides,
                        std::uint64_t byte_offset = 0) {
    const std::uint32_t at = tensor(type, shape, {data}, facts::layout_tag::strided);
    descriptor(at).layout.strides = i64_array(strides);
    descriptor(at).byte_offset = byte_offset;
    return at;
  }

  Quantization& quantize(std::uint32_t tensor, std::uint8_t scheme) {
    descriptor(tensor).flags |= facts::flag::quantization;
    descriptor(tensor).quantization.scheme_tag = scheme;
    return descriptor(tensor).quantization;
  }

  U64Array u64_array(const Indices& numbers) { return {keep(u64s(numbers)), numbers.size()}; }
  I64Array i64_array(const std::vector<std::int64_t>& numbers) { return {keep(bytes_of(numbers)), numbers.size()}; }
  U32Array u32_array(const std::vector<std::uint32_t>& numbers) { return {keep(bytes_of(numbers)), numbers.size()}; }
  Descriptor& descriptor(std::uint32_t tensor) { return reading_.tensors[tensor].descriptor; }
  /// What was added must break no rule.
  Reading& reading() {
    for (auto at = static_cast<std::uint32_t>(reading_.tensors.size()); at-- > 0;) {
      Tensor& tensor = reading_.tensors[at];
      const Descriptor& d = tensor.descriptor;
      tensor.readable = d.is_head() ? has_composed_values(reading_, at)
                                    : has_values(d, std::span{reading_.buffers}.subspan(tensor.first_buffer, d.buffer_count));
    }
    return reading_;
  }

 private:
  std::uint32_t push(std::uint8_t type, const Indices& shape, std::uint8_t layout, const std::vector<ByteVector>& buffers) {
    Tensor tensor;
    tensor.descriptor.type_tag = type;
    tensor.descriptor.layout_tag = layout;
    tensor.descriptor.rank = static_cast<std::uint32_t>(shape.size());
    tensor.descriptor.shape = u64_array(shape);
    tensor.descriptor.shard_offset = u64_array(Indices(shape.size(), 0));
    tensor.descriptor.buffer_count = static_cast<std::uint8_t>(buffers.size());
    tensor.enclosing = open_.empty() ? Tensor::none : open_.back();
    tensor.depth = static_cast<std::uint32_t>(open_.size());
    if (!open_.empty()) ++reading_.tensors[open_.back()].members_seen;
    tensor.skip = 1;
    tensor.first_buffer = static_cast<std::uint32_t>(reading_.buffers.size());
    for (const ByteVector& buffer : buffers) reading_.buffers.emplace_back(keep(buffer), buffer.size());
    reading_.tensors.push_back(tensor);
    return last_ = static_cast<std::uint32_t>(reading_.tensors.size() - 1);
  }
  const std::uint8_t* keep(const ByteVector& bytes) { return kept_.emplace_back(bytes).data(); }

  Reading reading_;
  std::deque<ByteVector> kept_;
  std::vector<std::uint32_t> open_;
  std::uint32_t last_ = 0;
};

/// The merged view, which must exist.
inline ByteVector merged(const Reading& reading, std::uint32_t tensor = 0) {
  ByteVector out(merged_size(reading, tensor).value_or(0), 0xA5);
  return merge(reading, tensor, out) == ValueStatus::ok ? out : ByteVector{0xDE, 0xAD};
}
inline std::vector<float> merged_floats(const Reading& reading, std::uint32_t tensor = 0) {
  const ByteVector bytes = merged(reading, tensor);
  std::vector<float> values(bytes.size() / 4);
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * 4);
  return values;
}

/// One element as its stored bits; all ones where there is none.
inline std::uint64_t looked_up(const Reading& reading, const Indices& index, std::uint32_t tensor = 0) {
  std::uint8_t out[16] = {};
  std::size_t size = 0;
  if (lookup(reading, tensor, index, out, size) != ValueStatus::ok) return ~std::uint64_t{0};
  return load_little_endian<std::uint64_t>(out);
}
inline float looked_up_float(const Reading& reading, const Indices& index, std::uint32_t tensor = 0) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(looked_up(reading, index, tensor)));
}

/// Whether every element of the merged view is what lookup says of it.
inline bool lookup_agrees_with_merge(const Reading& reading, std::uint32_t tensor = 0) {
  const Descriptor& view = reading.tensors[tensor].descriptor;
  ByteVector bytes = merged(reading, tensor);
  const std::uint8_t type = view.has(facts::flag::quantization) ? facts::tag::float32 : view.type_tag;
  const ElementArray array{bytes.data(), type, facts::element_type(type)->bits};
  std::uint64_t count = 1;
  for (std::size_t axis = 0; axis < view.rank; ++axis) count *= view.shape[axis];
  for (std::uint64_t position = 0; position < count; ++position) {
    Indices index(view.rank);
    std::uint64_t rest = position;
    for (std::size_t axis = view.rank; axis-- > 0; rest /= view.shape[axis]) index[axis] = rest % view.shape[axis];
    std::uint8_t out[16] = {};
    std::size_t size = 0;
    if (lookup(reading, tensor, index, out, size) != ValueStatus::ok) return false;
    if (ElementArray{out, type, static_cast<std::uint8_t>(size * 8)}.load(0) != array.load(position)) return false;
  }
  return true;
}

}  // namespace hurray::reference
