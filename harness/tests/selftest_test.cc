#include "harness/selftest.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hurray::harness {
namespace {

using nlohmann::json;

SelftestPlan two_subjects() {
  SelftestPlan plan;
  plan.subjects = {{Subject::Kind::rule, "CMP-OP-01", "reject", "", {}, {}}, {Subject::Kind::mutant, "rank-65-accepted", "header.cc: limit", "", {}, {}}};
  return plan;
}

TEST(Selftest, FailsOnASurvivor) {
  const SelftestPlan plan = two_subjects();
  SelftestOutcome outcome;
  outcome.kills.resize(2);
  outcome.kills[0].killed = true;
  EXPECT_FALSE(outcome.holds(plan.subjects));
  outcome.kills[1].killed = true;
  EXPECT_TRUE(outcome.holds(plan.subjects));
  outcome.false_alarms.push_back("a case");
  EXPECT_FALSE(outcome.holds(plan.subjects));
}

TEST(Selftest, FailsOnARuleThatFailsAsWellUnstatedOrIsStatedAndDoesNot) {
  const SelftestPlan plan = two_subjects();
  SelftestOutcome outcome;
  outcome.kills.resize(2);
  outcome.kills[0].killed = outcome.kills[1].killed = true;
  outcome.kills[0].unexpected = {"VER-04"};
  EXPECT_FALSE(outcome.holds(plan.subjects));
  outcome.kills[0].unexpected.clear();
  outcome.kills[0].stale = {"VER-04"};
  EXPECT_FALSE(outcome.holds(plan.subjects));
}

TEST(Selftest, LetsARuleSurviveThatSaysWhyItCannotBeKilled) {
  SelftestPlan plan = two_subjects();
  plan.subjects[0].unkillable = "another rule rejects the same inputs";
  SelftestOutcome outcome;
  outcome.kills.resize(2);
  outcome.kills[1].killed = true;
  EXPECT_TRUE(outcome.holds(plan.subjects));
  EXPECT_EQ(outcome.count(plan.subjects, Subject::Kind::rule).unkillable, 1u);
}

TEST(Selftest, WritesTheKillMatrix) {
  const SelftestPlan plan = two_subjects();
  SelftestOutcome outcome;
  outcome.kills.resize(2);
  outcome.kills[0].killed = true;
  outcome.kills[0].cases = {"CMP-OP-01/replace@a (bare)"};
  const json written = json::parse(render_selftest_json(plan, outcome));
  EXPECT_EQ(written["rules"]["total"], 1);
  EXPECT_EQ(written["rules"]["killed"], 1);
  EXPECT_EQ(written["rules"]["matrix"][0]["rule"], "CMP-OP-01");
  EXPECT_EQ(written["rules"]["matrix"][0]["cases"], json({"CMP-OP-01/replace@a (bare)"}));
  EXPECT_EQ(written["mutants"]["killed"], 0);
  EXPECT_EQ(written["mutants"]["survivors"], json({"rank-65-accepted"}));
}

TEST(Selftest, EveryMutantNamesTheCaseThatCatchesItOrSaysWhyNoneDoes) {
  const Subjects read = mutant_subjects(HURRAY_ROOT "/harness/mutants/mutants.json");
  ASSERT_EQ(read.error, "");
  EXPECT_GE(read.subjects.size(), 150u);
  for (const Subject& subject : read.subjects) EXPECT_EQ(subject.quick_cases.size(), subject.unkillable.empty() ? 1u : 0u) << subject.name;
}

}  // namespace
}  // namespace hurray::harness
