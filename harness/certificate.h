// Certificates: all or nothing for each level, with everything that is missing.
#pragma once

#include <string>
#include <vector>

#include "harness/levels.h"
#include "harness/runner.h"
#include "harness/score.h"

namespace hurray::harness {

struct LevelResult {
  const LevelDemand* demand = nullptr;
  bool holds = false;
  std::vector<std::string> missing;
  std::size_t rules = 0;          // that the level rests on and the run scored
  std::size_t values = 0;         // questions of merge and lookup that were answered
  std::size_t without_cases = 0;  // rules it should rest on for which the matrix has no case
};

struct Certificate {
  std::vector<LevelResult> levels;  // in the order of level_demands

  bool holds(std::string_view code) const;
  bool any() const;
};

/// `narrowed` says in a few words how the run was less than the whole matrix; empty where it was not.
[[nodiscard]] Certificate certify(const generators::Matrix& matrix, const RunOutcome& outcome, const std::string& narrowed);

}  // namespace hurray::harness
