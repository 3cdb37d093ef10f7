// The direct members of a head in a reading, and their boxes (layouts/composite.md, Members).
#pragma once

#include "reference/source.h"

namespace hurray::reference {

/// The first member of `head`, Tensor::none where it has none.
inline std::uint32_t next_sibling(const Reading& reading, std::uint32_t head, std::uint32_t at) {
  const std::uint64_t end = std::min<std::uint64_t>(std::uint64_t{head} + reading.tensors[head].skip, reading.tensors.size());
  return at < end ? at : Tensor::none;
}
inline std::uint32_t first_member(const Reading& reading, std::uint32_t head) {
  return next_sibling(reading, head, head + 1);
}
inline std::uint32_t next_member(const Reading& reading, std::uint32_t head, std::uint32_t member) {
  return next_sibling(reading, head, member + std::max<std::uint32_t>(reading.tensors[member].skip, 1));
}

/// Whether a head has values at all: complete, a partition or an overlay with a combine_op, of a known type and static
/// shape, and nested no deeper than evaluation will follow.
[[nodiscard]] bool is_composed(const Tensor& head);

/// Whether the member's box lies inside the head; only waived rules let one through that does not.
[[nodiscard]] bool is_placed(const Descriptor& member, const Descriptor& head);

/// Whether the member's box is the head's whole index space.
[[nodiscard]] bool spans(const Descriptor& member, const Descriptor& head);

/// Whether the member's box holds `index`, which has the head's rank.
[[nodiscard]] bool covers(const Descriptor& member, const Descriptor& head, const std::uint64_t* index);

}  // namespace hurray::reference
