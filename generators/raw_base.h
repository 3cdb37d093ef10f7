// A base that is bytes: an input that was found, not described. Its fields have names, but nothing follows from anything,
// and its model is empty; no fault of the register applies to it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "generators/document.h"

namespace hurray::generators {

/// {"name", "why", "raw": {"surface", "fields": [[label, hex] …]}, "requires": {"types": […], "layouts", "schemes", "devices"}}
[[nodiscard]] bool is_raw(const nlohmann::json& base);

struct RawDocument {
  Document document{true};
  facts::Surface surface = facts::Surface::bare;
  std::string error;
};
[[nodiscard]] RawDocument read_raw(const nlohmann::json& base);

/// Hex in which a run of equal bytes may stand as xx*n between blanks, as the vectors write it.
[[nodiscard]] std::optional<Bytes> unfolded_hex(std::string_view text);

}  // namespace hurray::generators
