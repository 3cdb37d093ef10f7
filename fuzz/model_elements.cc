// Elements out of a buffer (layouts/*.md, element-types.md packing): the inverse of generators/storage.
#include <algorithm>

#include "fuzz/model_of.h"
#include "generators/addressing.h"
#include "generators/element.h"
#include "generators/storage.h"

namespace hurray::fuzz {
namespace {

using generators::Bits;
using generators::Node;

/// The element that lies `slot` elements from the one at `byte_offset`; zero bits where the bytes end.
Bits element_at(reference::Bytes data, const generators::Packing& packing, std::uint64_t byte_offset, std::int64_t slot) {
  const std::int64_t per_group = packing.per_group;
  const std::int64_t group = slot >= 0 ? slot / per_group : -((per_group - 1 - slot) / per_group);
  const std::int64_t first = 8 * (static_cast<std::int64_t>(byte_offset) + group * packing.group_bytes) + (slot - group * per_group) * packing.bits;
  Bits out;
  for (std::uint32_t k = 0; k < packing.bits && k < 128; ++k) {
    const std::int64_t bit = first + k;
    if (bit < 0 || static_cast<std::uint64_t>(bit) / 8 >= data.size()) continue;
    const std::uint64_t value = data[static_cast<std::size_t>(bit / 8)] >> (bit % 8) & 1u;
    (k < 64 ? out.low : out.high) |= value << (k % 64);
  }
  return out;
}

bool is_dense(const Node& node) {
  return std::holds_alternative<generators::RowMajor>(node.layout) || std::holds_alternative<generators::ColumnMajor>(node.layout) ||
         std::holds_alternative<generators::Strided>(node.layout) || std::holds_alternative<generators::Tiled>(node.layout) ||
         std::holds_alternative<generators::Morton>(node.layout) || std::holds_alternative<generators::Hilbert>(node.layout);
}

}  // namespace

std::vector<Bits> stored_elements(const Node& node, const reference::Descriptor& descriptor, reference::Bytes data) {
  const bool is_private = std::holds_alternative<generators::PrivateLayout>(node.layout);
  const generators::Packing packing = is_private ? generators::Packing{} : generators::packing_of(generators::format_of(node));
  std::vector<Bits> out;
  if (packing.bits == 0) return out;
  if (is_dense(node)) {
    const generators::Addressing addressing = generators::address(node, 0);
    for (const std::int64_t offset : addressing.offsets) out.push_back(element_at(data, packing, descriptor.byte_offset, offset));
    return out;
  }
  const generators::ElementCount stored = generators::count_elements(node);
  const std::uint64_t count = is_private ? data.size() : std::min<std::uint64_t>(stored.count, data.size() * packing.per_group);
  for (std::uint64_t at = 0; at < count; ++at) out.push_back(element_at(data, packing, descriptor.byte_offset, static_cast<std::int64_t>(at)));
  return out;
}

}  // namespace hurray::fuzz
