// What each certificate level rests on.
#pragma once

#include <array>
#include <string_view>

#include "conformance/facts/facts.h"
#include "conformance/facts/rules.h"

namespace hurray::harness {

/// Surfaces and modes are indexed by their enumerators. A reader must declare one surface of each group in
/// `one_of` and every mode in `modes`.
struct LevelDemand {
  int level;
  std::string_view name;
  std::array<bool, 4> surfaces;  // descriptor, bare, framed, file
  std::array<bool, 2> modes;     // strict, permissive
  std::array<std::array<bool, 4>, 2> one_of;
  bool rests_on(facts::RuleClass rule_class) const {
    return rule_class == facts::RuleClass::reject || rule_class == facts::RuleClass::accept;
  }
};

inline constexpr LevelDemand level_demands[] = {
    {1, "Strict Reader", {true, true, false, true}, {true, false}, {{{false, true, false, true}, {true, true, true, true}}}},
    {2, "Full Reader", {true, true, true, true}, {true, true}, {{{false, true, false, true}, {false, false, true, false}}}},
};

constexpr const LevelDemand* level_demand(int level) {
  for (const LevelDemand& demand : level_demands)
    if (demand.level == level) return &demand;
  return nullptr;
}

}  // namespace hurray::harness
