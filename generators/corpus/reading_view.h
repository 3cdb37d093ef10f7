// What the reference has understood of an input, in the words of the reader protocol.
#pragma once

#include <nlohmann/json.hpp>

#include "reference/read.h"

namespace hurray::generators {

/// One entry per top-level item, composites with their members. Integers beyond 2^53-1 are decimal strings.
[[nodiscard]] nlohmann::json view_of(const reference::Reading& reading, facts::Surface surface);

}  // namespace hurray::generators
