// The storage offset of every logical index under the dense layouts, in elements (layouts/*.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/model.h"

namespace hurray::generators {

struct Addressing {
  std::vector<std::int64_t> offsets;  // of the node's elements in their order; may be negative
  std::uint64_t slots = 0;            // elements of storage from offset 0 on
  std::string error;
};

/// `node` has a dense layout. Dimensions of unknown size count as 1. Where strided elements share storage and `listed`
/// is not their full number, the offsets are the distinct ones, ascending (model.h, Node::elements).
[[nodiscard]] Addressing address(const Node& node, std::uint64_t listed);

/// The shape with 1 for dimensions of unknown size.
[[nodiscard]] Shape resolved(const Shape& shape);

/// The product of `shape`, or nothing above `most`.
[[nodiscard]] std::optional<std::uint64_t> volume(const Shape& shape, std::uint64_t most);

/// `bits` as written: of the model, or the fewest that hold each dimension, at least 1.
[[nodiscard]] std::vector<std::uint32_t> morton_bits(const Morton& layout, const Shape& shape);

/// The least order whose cube holds the shape, at least 1.
[[nodiscard]] std::uint32_t hilbert_order(const Shape& shape);

/// Skilling's index of a point (layouts/hilbert.md, Normative Index Mapping).
[[nodiscard]] std::uint64_t hilbert_index(Index point, std::uint32_t order);

}  // namespace hurray::generators
