// A tree to bytes, with everything derived that the wire repeats.
#pragma once

#include "fuzz/mutator/tree.h"

namespace hurray::fuzz::mutator {

/// What is to be wrong in an encoding that is otherwise right.
struct Plan {
  std::optional<Fix> left_out;
  std::uint64_t occurrence = 0;   // which of the fields of that kind, counted over the whole input
  bool edit_carrier = false;      // messages, entries, header, trailer
};

/// Returns the size; what does not fit is cut.
std::size_t encode(Tree& tree, facts::Surface surface, Plan plan, Random& random, std::span<std::uint8_t> out);

/// A value at the edge of something: 0, the largest, one more, powers of two and their neighbours.
std::uint64_t boundary(Random& random, std::uint64_t now, std::size_t width);

}  // namespace hurray::fuzz::mutator
