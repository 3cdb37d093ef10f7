// An input read in spite of everything that is wrong with it.
#pragma once

#include <vector>

#include "fuzz/target.h"

namespace hurray::fuzz {

struct LenientReading {
  reference::Reading reading;
  std::vector<facts::Rule> waived;  // the rules in whose way the input stood, first things first
  bool accepted = false;            // false: even so
};

/// Waives the rule that rejects the input, and the one that rejects it then, until none does.
[[nodiscard]] LenientReading read_leniently(Bytes input, facts::Surface surface, reference::Waivers waivers);

}  // namespace hurray::fuzz
