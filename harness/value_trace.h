// How an element of a view comes about: which member wins, what is stored there, how it decodes, and every step of the
// combination. For people; the judges are reference/merge.h and the oracle.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reference/merge.h"

namespace hurray::harness {

/// The element at `index` of top-level item `item`: {"item", "index", "type", "bits", "value", "of": {...}}, where "of" is a
/// tensor ({"tensor", "local", "position", "stored", …}) or a composite ({"composite", "members": [{"member", "covers",
/// "does", "of"}], "result"}). On failure {"error": why} alone.
[[nodiscard]] nlohmann::ordered_json trace_value(const reference::Reading& reading, std::uint64_t item,
                                                 const std::vector<std::uint64_t>& index);

/// The same as lines of text, the error included.
[[nodiscard]] std::string trace_text(const nlohmann::ordered_json& trace);

}  // namespace hurray::harness
