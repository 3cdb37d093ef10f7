#include "harness/runner.h"

#include <gtest/gtest.h>

#include "harness/tests/fixture.h"

namespace hurray::harness {
namespace {

using generators::Verdict;

generators::Matrix matrix_with_misdeed() {
  generators::Matrix matrix = fixture_matrix();
  matrix.cases.push_back(fixture_case("FIX-01/mis@plain", "FIX-01", "Mis", Verdict::reject));
  return matrix;
}

TEST(Run, JudgesEveryCase) {
  const generators::Matrix matrix = fixture_matrix();
  const RunOutcome outcome = run(fixture_plan(matrix, {}));
  EXPECT_EQ(outcome.reader_error, "");
  EXPECT_EQ(outcome.declaration.name, "scripted");
  for (const Result& result : outcome.results) EXPECT_TRUE(result.ran);
  EXPECT_EQ(result_of(matrix, outcome, "plain").judgement, Judgement::pass);
  EXPECT_EQ(result_of(matrix, outcome, "FIX-01/one@plain").judgement, Judgement::pass);
  EXPECT_EQ(result_of(matrix, outcome, "FIX-03/three@plain").judgement, Judgement::choice);
}

TEST(Run, ComesOutTheSameWithManyChildren) {
  const generators::Matrix matrix = fixture_matrix();
  RunPlan plan = fixture_plan(matrix, {});
  const RunOutcome one = run(plan);
  plan.jobs = 4;
  const RunOutcome four = run(plan);
  for (std::size_t i = 0; i < one.results.size(); ++i)
    EXPECT_EQ(one.results[i].judgement, four.results[i].judgement);
}

TEST(Run, GoesOnAfterABreakdown) {
  const generators::Matrix matrix = matrix_with_misdeed();
  const RunOutcome outcome = run(fixture_plan(matrix, {"exit", "3"}));
  EXPECT_EQ(outcome.reader_error, "");
  EXPECT_EQ(result_of(matrix, outcome, "FIX-01/mis@plain").judgement, Judgement::robustness);
  EXPECT_EQ(result_of(matrix, outcome, "FIX-01/mis@plain").observed_text, "exit(3)");
  EXPECT_EQ(result_of(matrix, outcome, "FIX-04/four").judgement, Judgement::pass);
}

TEST(Run, BlamesNoCaseForWhatHappensOnlyInCompany) {
  const generators::Matrix matrix = fixture_matrix();
  const RunOutcome outcome = run(fixture_plan(matrix, {"crash-on-second"}));
  const Result& second = result_of(matrix, outcome, "FIX-01/one@plain");
  EXPECT_EQ(second.judgement, Judgement::pass);
  EXPECT_NE(second.first_try, "");
  EXPECT_TRUE(second.first_try_unstable);
}

TEST(Run, FindsTheCaseThatWasAnsweredAndBrokeTheReaderAllTheSame) {
  generators::Matrix matrix = fixture_matrix();
  matrix.cases.insert(matrix.cases.begin() + 1, fixture_case("FIX-01/mis@plain", "FIX-01", "Mis", Verdict::reject));
  const RunOutcome outcome = run(fixture_plan(matrix, {"answer-and-die"}));
  EXPECT_EQ(result_of(matrix, outcome, "FIX-01/mis@plain").judgement, Judgement::robustness);
  EXPECT_EQ(result_of(matrix, outcome, "FIX-01/one@plain").judgement, Judgement::pass);
}

TEST(Run, SendsNothingOutsideTheDeclaration) {
  generators::Matrix matrix = matrix_with_misdeed();
  matrix.cases.back().surface = facts::Surface::file;
  const RunOutcome outcome = run(fixture_plan(matrix, {"bare-only"}));
  EXPECT_EQ(result_of(matrix, outcome, "FIX-01/mis@plain").judgement, Judgement::not_applicable);
}

TEST(Run, GivesUpAReaderThatOnlyBreaksDownAndKeepsWhatItHas) {
  generators::Matrix matrix = fixture_matrix();
  for (int i = 0; i < 80; ++i)
    matrix.cases.push_back(fixture_case("FIX-01/mis" + std::to_string(i), "FIX-01", "Mis", Verdict::reject));
  RunPlan plan = fixture_plan(matrix, {"exit", "3"});
  plan.confirm = false;
  const RunOutcome outcome = run(plan);
  EXPECT_NE(outcome.reader_error.find("gave the reader up"), std::string::npos);
  EXPECT_TRUE(outcome.results[10].ran);
  EXPECT_FALSE(outcome.results.back().ran);
}

TEST(Run, StopsWhenToldAndKeepsWhatItHas) {
  const generators::Matrix matrix = fixture_matrix();
  const std::atomic<bool> stop{true};
  RunPlan plan = fixture_plan(matrix, {});
  plan.stop = &stop;
  const RunOutcome outcome = run(plan);
  EXPECT_TRUE(outcome.stopped);
  EXPECT_FALSE(outcome.results.front().ran);
}

TEST(Run, OfAReaderThatDiesAtHelloSaysWhy) {
  const generators::Matrix matrix = fixture_matrix();
  const RunOutcome outcome = run(fixture_plan(matrix, {"die-at-hello"}));
  EXPECT_NE(outcome.reader_error.find("exited with code 7"), std::string::npos) << outcome.reader_error;
}

}  // namespace
}  // namespace hurray::harness
