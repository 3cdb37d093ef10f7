// Grows one tensor: a layout that can hold the shape, a scheme that the type and shape allow, and values.
#pragma once

#include "generators/grow.h"

namespace hurray::generators::growth {

/// What is left to spend and what is allowed; shared by everything that one model grows.
struct Budget {
  GrowthLimits limits;
  std::uint64_t elements = 0;  // still free to store
};

/// Fills in layout, scheme, elements and the optional sections of a tensor whose shape, shard and role are set.
/// `view_type` is what it has to decode to. `boxed` tensors carry a shard section, which CSF and block-paged forbid. `like`
/// is what a recorder aims at.
void grow_tensor(Decisions& decisions, Budget& budget, std::uint8_t view_type, bool boxed, Node& tensor, const Node& like);

/// Any element type that the limits allow.
std::uint8_t any_type(Decisions& decisions, const GrowthLimits& limits, std::uint8_t wanted);

/// Where `wanted` stands among `choices`; 0 where it is none of them.
template <typename Choices, typename Value>
std::uint64_t place_of(const Choices& choices, const Value& wanted) {
  const auto found = std::find(std::begin(choices), std::end(choices), wanted);
  return found == std::end(choices) ? 0 : static_cast<std::uint64_t>(found - std::begin(choices));
}

/// The k-th of what is wanted, or nothing in particular.
template <typename Value>
Value wanted_at(const std::vector<Value>& wanted, std::size_t k) {
  return k < wanted.size() ? wanted[k] : Value{};
}

/// Stored elements that the shape has; saturates at 2^64-1.
std::uint64_t volume(const Shape& shape);

}  // namespace hurray::generators::growth
