// What the reference has understood of an input, in the words of the reader protocol.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "reference/read.h"

namespace hurray::generators {

/// One entry per top-level item, composites with their members. Integers beyond 2^53-1 are decimal strings.
[[nodiscard]] nlohmann::json view_of(const reference::Reading& reading, facts::Surface surface);

/// Appends the same as JSON text, for the bundled reader, which writes one for every input that it accepts.
void append_view(std::string& out, const reference::Reading& reading, facts::Surface surface);

}  // namespace hurray::generators
