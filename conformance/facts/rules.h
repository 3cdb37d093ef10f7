// One enumerator per entry of conformance/rules/, in register order: CMP-PART-01 is Rule::CMP_PART_01.
// rules.inc is generated at build time by conformance/generate_rules.py.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hurray::facts {

enum class Rule : std::uint16_t {
#define RULE(enumerator, id, rule_class, section, relief) enumerator,
#include "rules.inc"
#undef RULE
};

enum class RuleClass : std::uint8_t { reject, reject_implied, reject_should, either, accept, behaviour, untestable };

struct RuleFacts {
  std::string_view id;
  RuleClass rule_class;
  std::string_view section;  // where the public text states it
  bool permissive_relief;    // whether permissive mode may let an input pass that breaks this rule
};

inline constexpr RuleFacts rules[] = {
#define RULE(enumerator, id, rule_class, section, relief) {id, RuleClass::rule_class, section, relief},
#include "rules.inc"
#undef RULE
};

inline constexpr std::size_t rule_count = sizeof(rules) / sizeof(rules[0]);

constexpr const RuleFacts& facts_of(Rule rule) { return rules[static_cast<std::size_t>(rule)]; }

}  // namespace hurray::facts
