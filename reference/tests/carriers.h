// Whole inputs spelled out for tests: tensors and heads in a row, put on each carrier.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "reference/read.h"
#include "reference/tests/descriptor_bytes.h"

namespace hurray::reference::tests {

using ByteVector = std::vector<std::uint8_t>;
using Sizes = std::vector<std::uint64_t>;

/// Descriptors in stream order; data is derived: byte i of a buffer is i + 1.
using Sequence = std::vector<DescriptorBytes>;

inline ByteVector buffer_bytes(const Handle& handle) {
  ByteVector bytes(handle.byte_size);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i + 1);
  return bytes;
}

inline DescriptorBytes head(std::uint8_t rule, std::uint8_t combine, Sizes shape, std::uint32_t members) {
  DescriptorBytes d;
  d.layout = facts::layout_tag::composite;
  d.shape = std::move(shape);
  d.fields = ByteString().u8(rule).u8(combine).u16(0).u32(members);
  return d;
}
inline DescriptorBytes partition(Sizes shape, std::uint32_t members) { return head(1, 0, std::move(shape), members); }
inline DescriptorBytes overlay(Sizes shape, std::uint32_t members) { return head(2, 1, std::move(shape), members); }
inline DescriptorBytes group(std::uint32_t members) { return head(3, 0, {2}, members); }

inline DescriptorBytes tensor(Sizes shape) {
  DescriptorBytes d;
  std::uint64_t size = 4;
  for (const std::uint64_t extent : shape) size *= extent;
  d.shape = std::move(shape);
  d.buffers = {{.byte_size = size}};
  return d;
}
inline DescriptorBytes placed(DescriptorBytes d, Sizes parent, Sizes offset) {
  d.shard = Shard{std::move(parent), std::move(offset)};
  return d;
}
inline DescriptorBytes box(Sizes shape, Sizes parent, Sizes offset) {
  return placed(tensor(std::move(shape)), std::move(parent), std::move(offset));
}
/// A tensor whose one element stands for every index (stride 0): as large a box as wanted, four bytes of data.
inline DescriptorBytes vast_box(Sizes shape, Sizes parent, Sizes offset) {
  DescriptorBytes d;
  d.layout = facts::layout_tag::strided;
  d.fields = ByteString().zeros(8 * shape.size());
  d.shape = std::move(shape);
  d.buffers = {{.byte_size = 4}};
  return placed(d, std::move(parent), std::move(offset));
}
inline DescriptorBytes with_role(DescriptorBytes d, std::uint8_t role) {
  d.member = ByteString().u8(role).zeros(15);
  return d;
}
inline DescriptorBytes base(Sizes shape) { return with_role(box(shape, shape, Sizes(shape.size(), 0)), 1); }
inline DescriptorBytes correction(Sizes shape, Sizes parent, Sizes offset) {
  return with_role(box(std::move(shape), std::move(parent), std::move(offset)), 0);
}
inline DescriptorBytes quantized(DescriptorBytes d) {  // per-tensor affine int8
  d.type = facts::tag::int8;
  for (Handle& handle : d.buffers) handle.byte_size /= 4;
  d.quantization = ByteString().u8(1).u8(1).u16(0).f32(0.5f).u32(0).zeros(4);
  return d;
}

/// The format's own partition example: 8 x 8 in two halves.
inline Sequence two_halves() {
  return {partition({8, 8}, 2), box({8, 4}, {8, 8}, {0, 0}), box({8, 4}, {8, 8}, {0, 4})};
}
inline Sequence small_overlay() {
  return {overlay({4, 4}, 3), base({4, 4}), correction({2, 2}, {4, 4}, {1, 1}), correction({2, 2}, {4, 4}, {2, 2})};
}
/// A group of a partition, an empty group and a plain tensor, and a tensor after it.
inline Sequence nested() {
  return {group(3),   partition({4}, 2), box({1}, {4}, {0}), box({3}, {4}, {1}),
          group(0),   tensor({5}),       tensor({2, 2})};
}

inline ByteVector bare(const Sequence& sequence) {
  ByteString all;
  for (const DescriptorBytes& d : sequence) {
    all.append(d.bytes());
    for (const Handle& handle : d.buffers) all.append(buffer_bytes(handle));
  }
  return all;
}

struct MessageBytes {
  std::uint32_t type, stream = 1;
  ByteVector payload;
  std::optional<std::uint32_t> length;
};
inline MessageBytes data_message(std::uint64_t offset, const ByteVector& data) {
  return {facts::message_type::tensor_data, 1, ByteString().u64(offset).append(data), {}};
}
inline MessageBytes descriptor_message(const DescriptorBytes& d, std::uint64_t total) {
  return {facts::message_type::tensor_descriptor, 1, ByteString().append(d.bytes()).u64(total).u32(0).u32(1), {}};
}
inline MessageBytes end_message() { return {facts::message_type::tensor_data_end, 1, {}, {}}; }

inline std::vector<MessageBytes> messages(const Sequence& sequence, std::size_t frame_bytes = 16) {
  std::vector<MessageBytes> all;
  for (const DescriptorBytes& d : sequence) {
    ByteString data;
    for (const Handle& handle : d.buffers) data.append(buffer_bytes(handle));
    const ByteVector bytes = data;
    all.push_back(descriptor_message(d, bytes.size()));
    for (std::size_t at = 0; at < bytes.size(); at += frame_bytes) {
      const std::size_t end = std::min(bytes.size(), at + frame_bytes);
      all.push_back(data_message(at, {bytes.begin() + static_cast<std::ptrdiff_t>(at),
                                      bytes.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
    all.push_back(end_message());
  }
  return all;
}
inline ByteVector framed(const std::vector<MessageBytes>& all) {
  ByteString bytes;
  for (const MessageBytes& message : all) {
    bytes.u32(message.type).u32(message.stream);
    bytes.u32(message.length.value_or(static_cast<std::uint32_t>(message.payload.size()))).append(message.payload);
  }
  return bytes;
}

std::uint32_t slow_crc32c(const ByteVector& bytes);

struct EntryBytes {
  std::string name;
  std::uint64_t descriptor_offset = 0;
  std::uint32_t descriptor_length = 0;
  std::uint64_t data_offset = 0, data_length = 0;
  std::uint32_t flags = 0;
  std::optional<std::uint16_t> name_length;
};

/// A file before its last step. Change any field between the constructor and bytes().
struct FileBytes {
  explicit FileBytes(const Sequence& sequence, std::uint32_t with_alignment = 4096, bool close_buffers = false);
  ByteVector bytes() const;

  ByteVector magic{'H', 'R', 'R', 'Y', 'F', 'I', 'L', 'E'};
  std::uint8_t major = 1, minor = 0;
  std::uint16_t reserved = 0;
  std::uint32_t flags = facts::file_flag::has_index_crc32c, alignment;
  std::uint64_t first_descriptor = 64, hint = ~std::uint64_t{0};
  ByteVector header_reserved = ByteVector(28, 0);
  ByteVector body;  // from byte 64 on
  std::optional<ByteVector> kv;
  std::size_t index_padding = 0;  // extra bytes before the index
  std::vector<EntryBytes> entries;
  std::optional<std::uint64_t> count, index_offset, index_length, kv_offset;
  std::optional<std::uint32_t> kv_length, crc;
  std::uint32_t trailer_reserved = 0;
  ByteVector trailer_magic{'H', 'R', 'R', 'Y'};
};

std::string described(const Reading& reading);

/// Accepted in strict mode, with nothing left out.
void expect_accepted(const ByteVector& bytes, Surface surface);

/// Strict reading names `rule`, and with that one rule waived the input is accepted.
void expect_broken(const ByteVector& bytes, Surface surface, Rule rule);

/// The same where the text forces further rules: strict reading names `rule`, all of them waived accepts.
void expect_broken(const ByteVector& bytes, Surface surface, Rule rule, std::initializer_list<Rule> forced);

}  // namespace hurray::reference::tests
