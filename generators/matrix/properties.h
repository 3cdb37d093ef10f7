// The keys and properties that `when` may ask of a base or of one of its nodes.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "generators/matrix/when.h"

namespace hurray::generators {

/// A property's value; null stands for absent.
struct Property {
  bool known = false;
  nlohmann::json value;
};

/// `name` is what follows the root: type, shape[0], layout.coo.sorted, rank … (generators/README.md lists them).
[[nodiscard]] Property node_property(const BoundBase& base, std::size_t node, std::string_view name);

/// Global ones: base, items, file.*, framed.*.
[[nodiscard]] Property base_property(const BoundBase& base, std::string_view name);

/// Whether `value` fulfils a condition: scalar, list (any of), min, max, not, or true and false for presence.
[[nodiscard]] bool satisfies(const nlohmann::json& value, const nlohmann::json& condition, std::string& error);

}  // namespace hurray::generators
