// What each certificate level rests on.
#pragma once

#include <array>
#include <string_view>

#include "conformance/facts/facts.h"
#include "conformance/facts/rules.h"

namespace hurray::harness {

/// Surfaces and modes are indexed by their enumerators. A reader must declare one surface of each group in
/// `one_of` and every mode in `modes`. `values`: the level rests on the questions of merge and lookup, and on nothing else.
struct LevelDemand {
  std::string_view code;   // as --level takes it
  std::string_view name;
  std::string_view below;  // the level that has to hold as well; empty: none
  std::array<bool, 4> surfaces;  // descriptor, bare, framed, file
  std::array<bool, 2> modes;     // strict, permissive
  std::array<std::array<bool, 4>, 2> one_of;
  bool values;
  bool rests_on(facts::RuleClass rule_class) const {
    return rule_class == facts::RuleClass::reject || rule_class == facts::RuleClass::accept;
  }
};

inline constexpr LevelDemand level_demands[] = {
    {"1", "Strict Reader", "", {true, true, false, true}, {true, false}, {{{false, true, false, true}, {true, true, true, true}}}, false},
    {"2", "Full Reader", "1", {true, true, true, true}, {true, true}, {{{false, true, false, true}, {false, false, true, false}}}, false},
    {"M", "Merge, bit-exact", "", {true, true, true, true}, {true, false}, {{{false, true, true, true}, {true, true, true, true}}}, true},
};

constexpr const LevelDemand* level_demand(std::string_view code) {
  for (const LevelDemand& demand : level_demands)
    if (demand.code == code) return &demand;
  return nullptr;
}

}  // namespace hurray::harness
