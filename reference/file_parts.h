// The parts of a Hurray file around its tensors: header, trailer, index and key-value section (file-format.md).
#pragma once

#include <vector>

#include "conformance/facts/limits.h"
#include "reference/checks.h"
#include "reference/cursor.h"

namespace hurray::reference {

/// Bytes [offset, offset + length) of the file.
struct Region {
  std::uint64_t offset = 0, length = 0;

  /// Whether it lies in the first `size` bytes; no sum is formed that could wrap.
  bool lies_in(std::uint64_t size) const { return offset <= size && length <= size - offset; }
  /// Whether two regions that lie in the file share a byte.
  bool meets(const Region& other) const {
    return length != 0 && other.length != 0 && offset < other.offset + other.length && other.offset < offset + length;
  }
};

struct FileFrame {
  std::uint32_t flags = 0;
  std::uint64_t alignment = facts::limit::file_alignment_min;
  bool alignment_legal = true;  // false only where FILE-HDR-04, -05 or -06 is waived
  std::uint64_t trailer = 0;    // where the trailer starts
  Region index, kv;             // both inside the file; kv is empty where there is none or it is not to be read
  std::uint32_t index_crc = 0;

  bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
};

struct IndexEntry {
  std::uint64_t at;  // where the entry starts
  std::string_view name;
  std::uint64_t descriptor_offset;
  std::uint32_t descriptor_length;
  Region data;

  std::uint64_t descriptor_offset_at() const { return at + 2 + name.size(); }
  std::uint64_t descriptor_length_at() const { return descriptor_offset_at() + 8; }
  std::uint64_t data_offset_at() const { return descriptor_offset_at() + 12; }
  std::uint64_t data_length_at() const { return descriptor_offset_at() + 20; }
};

/// Header and trailer: every rule that they alone can break. False when the rest of the file cannot be read.
bool read_file_frame(Bytes input, Checks& check, FileFrame& frame);

/// The index: entries in the order they are written.
bool read_index(Bytes input, const FileFrame& frame, Checks& check, std::vector<IndexEntry>& entries);

/// The key-value section, whose values are checked and not kept.
bool read_key_values(Bytes input, const FileFrame& frame, Checks& check);

}  // namespace hurray::reference
