// What readers score that do not read.
#pragma once

#include <string>
#include <vector>

#include "harness/runner.h"
#include "harness/score.h"

namespace hurray::harness {

struct Baseline {
  std::string name;
  std::size_t asked = 0, of = 0;  // those that break down on every case are asked a sample
  std::size_t passed_cases = 0, passed_rules = 0;
  bool certified = false;
  std::string error;  // not empty: it could not be run
};

/// Runs the null readers of `program` (this binary) over the plan's tasks. Those that crash, hang or break the protocol
/// meet an evenly spaced sample of 8 tasks, with a deadline of 100 ms.
[[nodiscard]] std::vector<Baseline> run_baselines(const RunPlan& plan, const std::string& program);

}  // namespace hurray::harness
