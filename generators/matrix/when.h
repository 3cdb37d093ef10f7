// Where a fault applies: the nodes of a base that satisfy its `when`, and its edit with the paths of such a node.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "generators/model.h"

namespace hurray::generators {

/// A node of a base as faults see it, in pre-order.
struct BoundNode {
  static constexpr std::size_t none = ~std::size_t{0};
  const Node* node = nullptr;
  const nlohmann::json* written = nullptr;  // the node's own object in the base (a head's `head`)
  std::string path;       // prefix of its fields: head, members[0], members[0].head, items[1].tensor
  std::string container;  // prefix of its members: empty, members[0], items[1]
  std::string element;    // the whole node in its array: members[0], items[1]
  std::size_t parent = none;
  std::size_t index = 0, siblings = 1, depth = 0;
};

/// A base whose model is known.
struct BoundBase {
  nlohmann::json entry;
  std::string name, source;
  Model model;
  std::vector<BoundNode> nodes;  // points into entry and model

  /// Fills `nodes`; to be called once entry and model have their final place.
  void bind();
};

/// What a fault quantifies over, found in its `when` keys and the paths of its edit.
struct FaultRoot {
  std::string root;   // head, member, tensor, any; empty: only global or concrete paths
  std::string error;  // not empty: two roots in one fault
};
[[nodiscard]] FaultRoot root_of(const nlohmann::json& fault);

/// Whether the fault applies to the base with its root bound to `node` (none: no root). An unknown property or a
/// condition of a wrong form sets `error`.
[[nodiscard]] bool applies(const nlohmann::json& fault, const std::string& root, const BoundBase& base, std::size_t node,
                           std::string& error);

/// The edit with every path that starts with the root or `parent` made concrete.
[[nodiscard]] nlohmann::json bind_edit(const nlohmann::json& edit, const std::string& root, const BoundBase& base,
                                       std::size_t node);

/// Every path that an edit names.
[[nodiscard]] std::vector<std::string> paths_of(const nlohmann::json& edit);

}  // namespace hurray::generators
