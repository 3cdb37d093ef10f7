// Descriptors spelled out for tests: fields as written, nothing checked, lengths derived unless given.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "conformance/facts/facts.h"
#include "conformance/facts/limits.h"

namespace hurray::reference::tests {

using Octets = std::initializer_list<std::uint8_t>;

class ByteString {
 public:
  ByteString& u8(std::uint64_t value) { return number(value, 1); }
  ByteString& u16(std::uint64_t value) { return number(value, 2); }
  ByteString& u32(std::uint64_t value) { return number(value, 4); }
  ByteString& u64(std::uint64_t value) { return number(value, 8); }
  ByteString& f32(float value) { return u32(std::bit_cast<std::uint32_t>(value)); }
  ByteString& zeros(std::size_t count) { return fill(count, 0); }
  ByteString& fill(std::size_t count, std::uint8_t value) {
    bytes_.insert(bytes_.end(), count, value);
    return *this;
  }
  ByteString& u64s(std::initializer_list<std::uint64_t> values) {
    for (const std::uint64_t value : values) u64(value);
    return *this;
  }
  ByteString& u32s(std::initializer_list<std::uint64_t> values) {
    for (const std::uint64_t value : values) u32(value);
    return *this;
  }
  ByteString& append(const std::vector<std::uint8_t>& more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
    return *this;
  }
  operator std::vector<std::uint8_t>() const { return bytes_; }  // NOLINT(google-explicit-constructor)
  std::vector<std::uint8_t>& bytes() { return bytes_; }

 private:
  ByteString& number(std::uint64_t value, int width) {
    for (int byte = 0; byte < width; ++byte) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * byte)));
    return *this;
  }
  std::vector<std::uint8_t> bytes_;
};

struct Handle {
  std::uint64_t byte_size = 0;
  std::uint32_t alignment = 64;
  std::uint8_t device = 0, sync = 0, memory = 0, reserved = 0;
};

struct Shard {
  std::vector<std::uint64_t> parent, offset;
};

struct DescriptorBytes {
  std::uint32_t magic = 0x59525248;
  std::uint8_t major = 1, minor = 0;
  std::optional<std::uint32_t> length;
  std::optional<std::uint32_t> flags;  // else those of the sections that are there
  std::uint8_t type = facts::tag::float32, layout = facts::layout_tag::row_major;
  std::optional<std::uint32_t> rank;
  std::vector<std::uint64_t> shape;
  std::uint64_t byte_offset = 0;
  std::vector<std::uint8_t> fields;  // layout fields
  std::optional<std::uint8_t> buffer_count;
  std::vector<Handle> buffers;
  std::optional<std::uint32_t> quantization_length;
  std::optional<std::vector<std::uint8_t>> quantization, statistics, extension, member;
  std::optional<Shard> shard;
  std::vector<std::uint8_t> trailing;

  std::vector<std::uint8_t> bytes() const {
    ByteString rest;
    for (const std::uint64_t size : shape) rest.u64(size);
    rest.u64(byte_offset).append(fields).u8(buffer_count.value_or(static_cast<std::uint8_t>(buffers.size())));
    for (const Handle& handle : buffers)
      rest.u64(handle.byte_size).u32(handle.alignment).u8(handle.device).u8(handle.sync).u8(handle.memory).u8(handle.reserved);
    if (quantization)
      rest.u32(quantization_length.value_or(static_cast<std::uint32_t>(quantization->size()))).append(*quantization);
    if (shard) {
      for (const std::uint64_t size : shard->parent) rest.u64(size);
      for (const std::uint64_t offset : shard->offset) rest.u64(offset);
    }
    for (const auto& section : {statistics, extension, member})
      if (section) rest.append(*section);
    rest.append(trailing);
    std::uint32_t present = 0;
    if (quantization) present |= facts::flag::quantization;
    if (shard) present |= facts::flag::shard;
    if (statistics) present |= facts::flag::statistics;
    if (extension) present |= facts::flag::extension_type;
    if (member) present |= facts::flag::composite_member;
    const auto whole = static_cast<std::uint32_t>(facts::limit::fixed_header + rest.bytes().size());
    ByteString all;
    all.u32(magic).u8(major).u8(minor).u32(length.value_or(whole)).u32(flags.value_or(present));
    all.u8(type).u8(layout).u32(rank.value_or(static_cast<std::uint32_t>(shape.size()))).append(rest);
    return all;
  }
};

/// A valid float32 3 x 4.
inline DescriptorBytes plain() {
  DescriptorBytes d;
  d.shape = {3, 4};
  d.buffers = {{.byte_size = 48}};
  return d;
}

/// A valid tensor with that layout.
inline DescriptorBytes with_layout(std::uint8_t layout, std::vector<std::uint64_t> shape, std::vector<std::uint8_t> fields,
                                   std::initializer_list<std::uint64_t> sizes) {
  DescriptorBytes d;
  d.layout = layout;
  d.shape = std::move(shape);
  d.fields = std::move(fields);
  for (const std::uint64_t size : sizes) d.buffers.push_back({.byte_size = size});
  return d;
}

}  // namespace hurray::reference::tests
