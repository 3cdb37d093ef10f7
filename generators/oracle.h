// What a composite's values must be, computed from the model by brute force and exact arithmetic. Shares no code with
// the reference reader: no addressing, no byte decoding, no rounding routine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/model.h"

namespace hurray::generators {

/// What one element of a logical view may be. One pattern and nothing else: the exact class.
struct AdmissibleElement {
  std::vector<Bits> patterns;  // preferred first
  bool any_nan = false;        // any NaN of the type as well: the text leaves payloads open
  bool any = false;            // anything: the text leaves the value open (integer overflow under add …)
  std::string reading;         // why there is more than one answer; empty where there is one

  bool exact() const { return patterns.size() == 1 && !any_nan && !any; }
  bool admits(std::uint8_t type, const Bits& pattern) const;
};

/// The element type of a node's view: a quantized plain tensor is seen in float32, all else in its own type.
std::uint8_t view_type(const Node& node);

/// The element at `index` of the node's logical view. Nothing where the node has no values: a group, a private type or
/// layout, a block-paged tensor whose sequences' lengths the format does not tell.
[[nodiscard]] std::optional<AdmissibleElement> oracle_element(const Node& node, const Index& index);

/// The whole view in row-major order. Nothing where an element has no value or there are more than `limit`.
[[nodiscard]] std::optional<std::vector<AdmissibleElement>> oracle_view(const Node& node, std::uint64_t limit = 1u << 20);

/// Packs elements as their type packs; padding bits are zero.
[[nodiscard]] std::vector<std::uint8_t> pack(std::uint8_t type, const std::vector<Bits>& elements);

/// The inverse of pack for `count` elements; fewer where the bytes end early.
[[nodiscard]] std::vector<Bits> unpack(std::uint8_t type, const std::vector<std::uint8_t>& bytes, std::uint64_t count);

}  // namespace hurray::generators
