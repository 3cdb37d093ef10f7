// Holds every case against the reference: does it break its rule and nothing else?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/matrix.h"

namespace hurray::generators {

/// What the reference made of one case.
struct Isolation {
  std::optional<bool> isolates;  // reject cases: accepted once the one rule is waived
  std::string also;              // the rule that still rejects then
  std::vector<std::string> problems;  // disagreements with the case, each one line
};

/// The rule that the reference checks for `rule`: itself, or what its `same_as` leads to.
[[nodiscard]] std::string checked_rule(const Matrix& matrix, const std::string& rule);

/// A reject case must be rejected by its rule (or one that it `forces`) in strict mode and accepted without it; an accept
/// case must be accepted, show the expected view and answer its question.
[[nodiscard]] Isolation isolate(const Matrix& matrix, const Case& one);

}  // namespace hurray::generators
