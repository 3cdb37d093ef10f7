// The parts of label.h: a map of named runs, the walk over one descriptor, the naming of nodes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/matrix.h"

namespace hurray::harness {

/// Named runs of bytes in any order.
class LabelMap {
 public:
  explicit LabelMap(std::span<const std::uint8_t> input) : input_(input) {}

  std::uint64_t size() const { return input_.size(); }
  /// Little-endian; bytes beyond the end count as zero.
  std::uint64_t number(std::uint64_t at, std::uint64_t bytes) const;
  /// Names up to `bytes` bytes at `at`, fewer where the input ends before. No bytes at all still end the padding before.
  void name(std::uint64_t at, std::uint64_t bytes, std::string label);
  /// All bytes in order; what nobody named is padding of what follows it, or `rest` at the end.
  std::vector<generators::Segment> segments() const;

 private:
  struct Run {
    std::uint64_t at, bytes;
    std::string label;
  };
  std::span<const std::uint8_t> input_;
  std::vector<Run> runs_;
};

/// Gives tensors their paths in pre-order: items[0].head, items[0].members[0], …
class NodePaths {
 public:
  std::string next(bool is_head, std::uint32_t member_count);

 private:
  struct Open {
    std::string prefix;
    std::uint64_t next, count;
  };
  std::vector<Open> open_;
  std::uint64_t items_ = 0;
};

/// What the walk over a descriptor found out for those who place what follows.
struct DescriptorOutline {
  std::uint64_t end = 0;  // where descriptor_length says that it ends, or the end of the input
  std::string path;
  std::vector<std::uint64_t> buffer_sizes;
};

/// Names the fields of the descriptor at `at`.
DescriptorOutline label_descriptor(LabelMap& map, NodePaths& paths, std::uint64_t at);

void label_framed(LabelMap& map);
void label_file(LabelMap& map);

}  // namespace hurray::harness
