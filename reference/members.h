// The direct members of a head in a reading, and their boxes (layouts/composite.md, Members).
#pragma once

#include "reference/read.h"

namespace hurray::reference {

/// The tensor at `at`, if it is still below `head`; else Tensor::none.
inline std::uint32_t next_sibling(const Reading& reading, std::uint32_t head, std::uint32_t at) {
  return at < head + reading.tensors[head].skip ? at : Tensor::none;
}
/// The first member of `head`, Tensor::none where it has none.
inline std::uint32_t first_member(const Reading& reading, std::uint32_t head) {
  return next_sibling(reading, head, head + 1);
}
inline std::uint32_t next_member(const Reading& reading, std::uint32_t head, std::uint32_t member) {
  return next_sibling(reading, head, member + reading.tensors[member].skip);
}

/// Whether the member's box, of a readable head, is the head's whole index space.
[[nodiscard]] bool spans(const Descriptor& member, const Descriptor& head);

/// Whether the member's box holds `index`, which counts in the index space of its head.
[[nodiscard]] bool covers(const Descriptor& member, const std::uint64_t* index);

}  // namespace hurray::reference
