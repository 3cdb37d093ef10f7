// What the reference understood, in the words of the protocol.
#pragma once

#include <nlohmann/json.hpp>

#include "reference/read.h"

namespace hurray::harness {

/// The view of an accepted reading: one entry a top-level item, members inside their heads.
[[nodiscard]] nlohmann::json reference_view(const reference::Reading& reading, facts::Surface surface);

}  // namespace hurray::harness
