// An input taken apart. Every part is bytes as the wire has them, so that whatever stands there can be carried on.
#pragma once

#include <vector>

#include "conformance/facts/limits.h"
#include "fuzz/mutator/arena.h"
#include "fuzz/mutator/mutator.h"

namespace hurray::fuzz::mutator {

template <typename Value>
using List = std::pmr::vector<Value>;

/// The optional sections in the order of the wire.
enum class Section : std::uint8_t { quantization, shard, statistics, extension, member };
inline constexpr std::size_t section_count = 5;
inline constexpr std::uint32_t section_flags[section_count] = {facts::flag::quantization, facts::flag::shard, facts::flag::statistics,
                                                               facts::flag::extension_type, facts::flag::composite_member};

namespace at {  // where fields of the fixed header and of others lie
inline constexpr std::size_t minor = 5, length = 6, flags = 10, type = 14, layout = 15, rank = 16;
inline constexpr std::size_t head_rule = 0, head_combine = 1, head_count = 4;
inline constexpr std::size_t buffer_size = 0, buffer_alignment = 8, buffer_device = 12, buffer_memory = 14;
}  // namespace at

/// A tensor; nodes stand in pre-order and the depth says whose members they are.
struct Node {
  std::uint32_t depth = 0;
  std::uint32_t kept = 0;                // bit for each Fix whose field the header keeps as it is
  Part header, shape, byte_offset, layout, table;
  std::array<Part, section_count> sections;
  Part trailing;
  std::span<Part> data;                  // of each entry of the table
  Part name;                             // in files
  std::uint32_t entry_flags = 0;
  std::uint32_t stream = 1, frame_bytes = 0;

  std::uint8_t type() const { return header[at::type]; }
  std::uint8_t layout_tag() const { return header[at::layout]; }
  bool is_head() const { return layout_tag() == facts::layout_tag::composite && layout.size() >= facts::limit::composite_head; }
  std::size_t rank() const { return shape.size() / 8; }
  std::uint64_t size(std::size_t axis) const { return load(shape, 8 * axis, 8); }
  std::size_t buffers() const { return table.size() / facts::limit::buffer_handle; }
  Part& section(Section which) { return sections[static_cast<std::size_t>(which)]; }
  const Part& section(Section which) const { return sections[static_cast<std::size_t>(which)]; }
  bool keeps(Fix fix) const { return (kept >> static_cast<unsigned>(fix) & 1u) != 0; }
  void keep(Fix fix) { kept |= 1u << static_cast<unsigned>(fix); }
};

/// One key with its value: the tag, then what follows it, lengths left out of strings and bytes.
struct KeyValue {
  Part key;
  std::uint8_t tag = 1;
  Part value;
};

struct Tree {
  explicit Tree(Arena& memory) : arena(memory), nodes(memory.resource()), kv(memory.resource()) {}

  Arena& arena;
  List<Node> nodes;
  Part tail;              // bytes after the last tensor of a stream
  Part file_header;       // 64 bytes
  List<KeyValue> kv;

  /// One past the last node of the subtree.
  std::size_t end_of(std::size_t node) const {
    std::size_t at = node + 1;
    while (at < nodes.size() && nodes[at].depth > nodes[node].depth) ++at;
    return at;
  }
  std::size_t members_of(std::size_t head) const;
  /// The k-th member of the head.
  std::size_t member(std::size_t head, std::size_t k) const;
};

/// More nodes than this are not taken in: an input is not worth its time then.
inline constexpr std::size_t most_nodes = 96;
inline constexpr std::size_t most_data = 1u << 15;

/// Reads what is there and stops at nothing.
void decode(Bytes input, facts::Surface surface, Tree& tree);

/// Bytes in which `count` elements of the type are stored; 0 for types of unknown width.
std::uint64_t storage_bytes(std::uint8_t type, std::uint64_t count);
/// Product of the dimensions, at most 2^32.
std::uint64_t volume(Part shape);
bool is_dense(std::uint8_t layout_tag);
/// Elements that the buffer of a dense layout holds; 0 for others.
std::uint64_t stored_elements(const Node& node);
/// Makes buffer 0 of a dense tensor as large as type, shape and layout ask for, where that is not too much.
void refit(Arena& arena, Node& node);

}  // namespace hurray::fuzz::mutator
