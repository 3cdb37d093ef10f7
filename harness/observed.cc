#include "harness/observed.h"

#include <fmt/format.h>

namespace hurray::harness {

std::string Observation::text() const {
  if (kind == Observed::crash || kind == Observed::exit) return fmt::format("{}({})", name_of(kind), number);
  return std::string(name_of(kind));
}

}  // namespace hurray::harness
