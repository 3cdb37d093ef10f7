#include "harness/breakdown.h"

#include <fmt/format.h>
#include <string.h>

namespace hurray::harness {

Observation ended_observation(const Ending& ending, const Tail& errors, const ChildLimits& limits) {
  Observation seen;
  seen.number = ending.number;
  seen.errors = errors.text();
  if (ran_out_of_memory(ending, seen.errors, limits.memory_bytes)) {
    seen.kind = Observed::oom;
    seen.detail = fmt::format("ended for want of memory under a ceiling of {} MiB", limits.memory_bytes >> 20);
  } else if (ending.by_signal) {
    const char* name = sigdescr_np(ending.number);
    seen.kind = Observed::crash;
    seen.detail = fmt::format("killed by signal {} ({})", ending.number, name != nullptr ? name : "unknown");
  } else {
    seen.kind = Observed::exit;
    seen.detail = fmt::format("exited with code {} instead of answering", ending.number);
  }
  return seen;
}

Observation protocol_observation(std::string detail, const Tail& errors) {
  Observation seen;
  seen.kind = Observed::protocol;
  seen.detail = std::move(detail);
  seen.errors = errors.text();
  return seen;
}

Observation hang_observation(std::chrono::milliseconds patience, const Tail& errors) {
  Observation seen;
  seen.kind = Observed::hang;
  seen.detail = fmt::format("no answer within {} ms", patience.count());
  seen.errors = errors.text();
  return seen;
}

}  // namespace hurray::harness
