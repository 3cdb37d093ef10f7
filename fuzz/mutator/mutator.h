// The structure-aware mutator: decodes any bytes leniently into a tree of tensors, edits the tree and encodes it again with
// lengths, counts, offsets, index and checksum that fit. Knows the format's tables and no rule, and no fuzz engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "conformance/facts/facts.h"

namespace hurray::fuzz::mutator {

using Bytes = std::span<const std::uint8_t>;

enum class Edit : std::uint8_t {
  boundary,          // a field of a descriptor to a boundary value
  known_value,       // a tag, or any byte, to a value that the format assigns or reserves
  stray_flag,        // a flag without its section
  stray_section,     // a section without its flag
  section,           // a section with its flag, in or out
  insert_member,
  remove_member,
  duplicate_member,
  swap_members,
  move_member,
  wrap,              // in one more head, or in as many as the limit on depth or one more or less
  unwrap,
  split_member,      // along an axis, both halves with their boxes
  merge_members,     // two neighbours whose boxes join
  graft,             // a subtree of the second input
  resize_table,      // the buffer table, with or without the data
  alias,             // a box, a role or an offset becomes another's
  product,           // dimensions whose product lies near 2^32, 2^63 or 2^64
  fresh,             // a new tensor or composite of any kind in place of one
  relayout,          // the same tensor in another layout, type or shape
  contents,          // of a buffer
  newer,             // a later minor version, with bytes that only it knows
  carrier,           // what the carrier adds: messages, header, keys, index, trailer
  cut,               // the end is missing, or something follows it
};
inline constexpr std::size_t edit_count = static_cast<std::size_t>(Edit::cut) + 1;
extern const std::string_view edit_names[edit_count];

/// What encoding derives. One mutant in eight has exactly one of them left out.
enum class Fix : std::uint8_t {
  descriptor_length, rank, flags, buffer_count, byte_size, section_length, member_count,
  payload_length, total_data_bytes, frame_offset,
  first_descriptor, entry_offset, entry_length, data_offset, data_length, index_count, name_length,
  kv_count, key_length, value_length, index_offset, index_length, kv_offset, kv_length, checksum, file_flags,
  padding,
};
inline constexpr std::size_t fix_count = static_cast<std::size_t>(Fix::padding) + 1;

/// What was done to get a mutant.
struct Report {
  std::uint32_t edits = 0;     // one bit for each Edit
  std::optional<Fix> left_out;
  bool raw = false;            // bytes were changed without regard to structure
};

/// Writes a mutant of `input` and returns its size, at most out.size(). `other` is what grafts are taken from; it may be
/// empty. `input` may overlap `out`. The same arguments give the same bytes; terminates and stays in bounds for any.
std::size_t mutate(Bytes input, Bytes other, facts::Surface surface, std::uint64_t seed, std::span<std::uint8_t> out,
                   Report* report = nullptr);

}  // namespace hurray::fuzz::mutator
