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
  std::size_t without_cases = 0;  // rules it should rest on for which the matrix has no case
};

struct Certificate {
  int level = 0;  // the highest that holds; 0: none
  std::vector<LevelResult> levels;
};

/// `narrowed` says in a few words how the run was less than the whole matrix; empty where it was not.
[[nodiscard]] Certificate certify(const generators::Matrix& matrix, const RunOutcome& outcome, const std::string& narrowed);

}  // namespace hurray::harness
