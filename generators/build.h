// From a base and an edit to labelled bytes: JSON model -> edits on the model -> derivation -> edits on written fields
// -> recomputation of every derived field that was not set or kept -> segments.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "generators/matrix.h"
#include "generators/model.h"

namespace hurray::generators {

struct Built {
  std::vector<Segment> segments;
  Model model;         // after the edits that act on the model, before those that act on written fields
  nlohmann::json whole_composites;  // generators/arrival.h; null where no composite is torn
  std::string error;   // not empty: the base or an edit does not make sense; says which path and why
};

/// `edits` is the array of a fault or case with concrete paths. On the surface `descriptor` the input is the descriptor
/// of the node at `node` alone (empty: the first item).
[[nodiscard]] Built build(const nlohmann::json& base, const nlohmann::json& edits, facts::Surface surface,
                          std::string_view node = {});

/// The view that protocol.md asks of an accepting reader, one entry per top-level item. On the surface `descriptor`
/// the view of the node at `node`.
[[nodiscard]] nlohmann::json expected_view(const Model& model, facts::Surface surface, std::string_view node = {});

/// Bytes of the untouched model; the fast path, without labels.
[[nodiscard]] std::vector<std::uint8_t> write(const Model& model, facts::Surface surface);

struct ParsedModel {
  Model model;
  std::string error;
};
[[nodiscard]] ParsedModel parse_model(const nlohmann::json& base);
[[nodiscard]] nlohmann::json print_model(const Model& model);

}  // namespace hurray::generators
