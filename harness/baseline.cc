#include "harness/baseline.h"

#include <algorithm>

#include "harness/certificate.h"
#include "harness/null_reader.h"

namespace hurray::harness {
namespace {

constexpr std::size_t sample_size = 8;

bool breaks_down(std::string_view name) { return name == "crash" || name == "hang" || name == "echo"; }

std::vector<Task> sample(const std::vector<Task>& tasks) {
  if (tasks.size() <= sample_size) return tasks;
  std::vector<Task> chosen;
  for (std::size_t i = 0; i < sample_size; ++i) chosen.push_back(tasks[i * tasks.size() / sample_size]);
  return chosen;
}

Baseline run_baseline(const RunPlan& plan, const std::string& program, std::string_view name) {
  RunPlan null_plan = plan;
  null_plan.program = find_program({program, "reader", "--null", std::string(name)});
  null_plan.door = make_framed_door;
  null_plan.confirm = false;
  null_plan.done = null_plan.failed = nullptr;
  null_plan.limits.memory_bytes = 0;
  if (breaks_down(name)) {
    null_plan.tasks = sample(plan.tasks);
    null_plan.limits.per_case = std::chrono::milliseconds(100);
  }
  const RunOutcome outcome = run(null_plan);
  const Scorer scorer(*plan.matrix, outcome.results);
  Baseline baseline;
  baseline.name = name;
  baseline.error = outcome.reader_error;
  baseline.of = plan.tasks.size();
  for (const Result& result : outcome.results) {
    if (result.ran) ++baseline.asked;
    if (result.ran && result.judgement == Judgement::pass) ++baseline.passed_cases;
  }
  baseline.passed_rules = scorer.passed();
  baseline.certified = certify(*plan.matrix, outcome, {}).any();
  return baseline;
}

}  // namespace

std::vector<Baseline> run_baselines(const RunPlan& plan, const std::string& program) {
  std::vector<Baseline> baselines;
  for (const std::string_view name : null_reader_names) {
    if (plan.stop != nullptr && *plan.stop) break;
    baselines.push_back(run_baseline(plan, program, name));
  }
  return baselines;
}

}  // namespace hurray::harness
