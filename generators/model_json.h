// The model in JSON (conformance/bases/*.json): reading with errors that name the path and what was expected, and
// printing so that reading gives the same model again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "generators/model.h"

namespace hurray::generators {

/// What to do with lists that do not have the length that the rest of the model asks for.
enum class Lengths : std::uint8_t {
  exact,   // an error: a base means what it says
  adapted  // cut or repeated from the start: an edit of the shape must not also be an edit of every list
};

struct ModelOrError {
  Model model;
  std::string error;
};
[[nodiscard]] ModelOrError model_from_json(const nlohmann::json& base, Lengths lengths);

/// Whether defaults and patterns are spelled out, so that an edit finds every key to act on.
enum class Detail : std::uint8_t { brief, explicit_ };
[[nodiscard]] nlohmann::json model_to_json(const Model& model, Detail detail);

}  // namespace hurray::generators
