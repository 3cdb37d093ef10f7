// Where every element lies: a node's buffers as bytes (layouts/*.md, element-types.md packing, quantization/*.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/facts/limits.h"
#include "generators/bytes.h"
#include "generators/element.h"
#include "generators/model.h"

namespace hurray::generators {

/// What a model may expand to; beyond it the writer answers with an error instead of an allocation.
inline constexpr std::uint64_t most_elements = std::uint64_t{1} << 24;
inline constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28;

struct Storage {
  std::vector<Bytes> buffers;                            // table order
  std::uint64_t byte_offset = 0;
  std::uint32_t scale_buffer = facts::limit::no_buffer, zero_point_buffer = facts::limit::no_buffer;
  std::string error;                                     // not empty: why the node cannot be stored

};

[[nodiscard]] Storage store(const Node& node);

/// How many entries `elements` of a tensor has, or why that cannot be said.
struct ElementCount {
  std::uint64_t count = 0;
  std::string error;
};
[[nodiscard]] ElementCount count_elements(const Node& node);

[[nodiscard]] ElementFormat format_of(const Node& node);

}  // namespace hurray::generators
