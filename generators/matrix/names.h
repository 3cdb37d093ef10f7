// Model values by the names that the data files and the reader protocol use.
#pragma once

#include <string>

#include "generators/model.h"

namespace hurray::generators {

/// A tag that no table knows is named by its byte: 0xf3.
[[nodiscard]] std::string byte_name(std::uint8_t tag);
[[nodiscard]] std::string type_name(std::uint8_t tag);
[[nodiscard]] std::string device_name(std::uint8_t tag);

/// "composite" of a head.
[[nodiscard]] std::string layout_name(const Node& node);

/// "none" where the node is not quantized.
[[nodiscard]] std::string scheme_name(const Node& node);

}  // namespace hurray::generators
