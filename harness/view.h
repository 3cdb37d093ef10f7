// Compares what a reader says it understood with what the input says.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace hurray::harness {

/// Empty where `shown` says all that `expected` says and claims none of the protocol's optional keys besides; else the
/// first difference: its path, what the input says, what the reader showed. Numbers may be decimal strings, unknown keys
/// and names that were not asked for are ignored, null counts as left out.
[[nodiscard]] std::string view_difference(const nlohmann::json& expected, const nlohmann::json& shown);

/// The same for the key `complete` alone: the one thing that may not be claimed wrongly even where the rest is open.
[[nodiscard]] std::string completeness_difference(const nlohmann::json& expected, const nlohmann::json& shown);

/// Empty where every composite that `shown` calls complete is among `whole` ({"rule", "shape", "members"}); else the path
/// of one that is not.
[[nodiscard]] std::string torn_shown_complete(const nlohmann::json& whole, const nlohmann::json& shown);

}  // namespace hurray::harness
