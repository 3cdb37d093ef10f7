#include "harness/baseline.h"

#include <gtest/gtest.h>

#include "harness/null_reader.h"
#include "harness/tests/fixture.h"

namespace hurray::harness {
namespace {

TEST(Baselines, ScoreNoRuleAndEarnNoCertificate) {
  const generators::Matrix matrix = fixture_matrix();
  const std::vector<Baseline> baselines = run_baselines(fixture_plan(matrix, {}), HURRAY_CONFORM);
  ASSERT_EQ(baselines.size(), null_reader_names.size());
  for (const Baseline& baseline : baselines) {
    EXPECT_EQ(baseline.error, "") << baseline.name;
    EXPECT_EQ(baseline.asked, matrix.cases.size()) << baseline.name;
    EXPECT_EQ(baseline.passed_rules, 0u) << baseline.name;
    EXPECT_FALSE(baseline.certified) << baseline.name;
  }
}

TEST(Baselines, BreakDownAsTheirNamesSay) {
  const generators::Matrix matrix = fixture_matrix();
  RunPlan plan = fixture_plan(matrix, {});
  plan.confirm = false;
  plan.limits.per_case = std::chrono::milliseconds(200);
  const std::vector<std::pair<std::string, Observed>> expected{
      {"crash", Observed::crash}, {"hang", Observed::hang}, {"echo", Observed::protocol}, {"reject-all", Observed::reject}};
  for (const auto& [name, observed] : expected) {
    plan.program = find_program({HURRAY_CONFORM, "reader", "--null", name});
    for (const Result& result : run(plan).results) EXPECT_EQ(result.observed, observed) << name;
  }
}

TEST(Baselines, ThroughTheExecDoorScoreNothingEither) {
  const generators::Matrix matrix = fixture_matrix();
  RunPlan plan = fixture_plan(matrix, {});
  plan.door = make_exec_door;
  for (const char* command : {"true {file}", "false {file}"}) {
    plan.program = parse_command(command);
    const RunOutcome outcome = run(plan);
    EXPECT_EQ(outcome.reader_error, "");
    EXPECT_EQ(Scorer(matrix, outcome.results).passed(), 0u) << command;
  }
}

}  // namespace
}  // namespace hurray::harness
