// Describes how a child broke down instead of answering.
#pragma once

#include "harness/child.h"
#include "harness/observed.h"

namespace hurray::harness {

/// Of a process that ended although it owed an answer: crash, exit or oom.
[[nodiscard]] Observation ended_observation(const Ending& ending, const Tail& errors, const ChildLimits& limits);

/// A breach of the protocol; `detail` says which.
[[nodiscard]] Observation protocol_observation(std::string detail, const Tail& errors);

[[nodiscard]] Observation hang_observation(std::chrono::milliseconds patience, const Tail& errors);

}  // namespace hurray::harness
