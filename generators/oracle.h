// What a composite's values must be, computed from the model by brute force and exact rational arithmetic. Shares no
// code with the reference reader: no addressing, no byte decoding, no rounding routine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/model.h"

namespace hurray::generators {

/// The admissible bit patterns of one element of the logical view; one entry is the exact class.
struct AdmissibleElement {
  std::vector<Bits> patterns;
  std::string reading;  // why there is more than one; empty where there is one
};

/// The element type tag of a node's view: a quantized plain tensor is seen in float32, all else in its own type.
std::uint8_t view_type(const Node& node);

/// The element at `index` of the node's logical view; nothing where the node has no values (group, private type …) or
/// where the text leaves the value open without bound (integer overflow under add: any value; then `patterns` is empty).
[[nodiscard]] std::optional<AdmissibleElement> oracle_element(const Node& node, const Index& index);

/// The whole dense row-major view, element by element. Empty where any element has no value.
[[nodiscard]] std::vector<AdmissibleElement> oracle_view(const Node& node);

/// Packs elements as their type packs; padding bits are zero.
[[nodiscard]] std::vector<std::uint8_t> pack(std::uint8_t type, const std::vector<Bits>& elements);

}  // namespace hurray::generators
