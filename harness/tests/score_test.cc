#include "harness/score.h"

#include <gtest/gtest.h>

#include "harness/certificate.h"
#include "harness/tests/fixture.h"

namespace hurray::harness {
namespace {

/// Results as if the reader had behaved so: judgement and observation by case.
std::vector<Result> results_of(const generators::Matrix& matrix, const std::vector<std::pair<Judgement, Observed>>& all) {
  std::vector<Result> results;
  for (std::uint32_t i = 0; i < matrix.cases.size(); ++i) {
    Result result;
    result.task = {i, facts::Mode::strict};
    result.ran = true;
    result.judgement = all[i].first;
    result.observed = all[i].second;
    results.push_back(result);
  }
  return results;
}

const std::vector<std::pair<Judgement, Observed>> all_right{{Judgement::pass, Observed::accept},
                                                            {Judgement::pass, Observed::reject},
                                                            {Judgement::pass, Observed::reject},
                                                            {Judgement::choice, Observed::accept},
                                                            {Judgement::pass, Observed::accept}};

class Score : public testing::Test {
 protected:
  std::vector<RuleJudgement> judged(const std::vector<std::pair<Judgement, Observed>>& all) {
    const std::vector<Result> results = results_of(matrix_, all);
    const Scorer scorer(matrix_, results);
    std::vector<RuleJudgement> out;
    for (const RuleScore& score : scorer.rules()) out.push_back(score.judgement);
    return out;
  }
  generators::Matrix matrix_ = fixture_matrix();
};

using enum RuleJudgement;

TEST_F(Score, OfAGoodReader) {
  EXPECT_EQ(judged(all_right), (std::vector<RuleJudgement>{pass, pass, disputed, pass, not_scored}));
}

TEST_F(Score, IsNothingForARuleWhoseTwinWasNotRead) {
  auto all = all_right;
  all[0] = {Judgement::false_reject, Observed::reject};
  EXPECT_EQ(judged(all), (std::vector<RuleJudgement>{not_scored, not_scored, disputed, not_scored, not_scored}));
}

TEST_F(Score, IsNothingForAcceptingWhereNothingWasRejected) {
  auto all = all_right;
  all[1] = all[2] = {Judgement::false_accept, Observed::accept};
  EXPECT_EQ(judged(all), (std::vector<RuleJudgement>{fail, fail, disputed, not_scored, not_scored}));
}

TEST_F(Score, TellsWhatDoesNotApply) {
  auto all = all_right;
  all[1] = {Judgement::not_applicable, Observed::accept};
  EXPECT_EQ(judged(all)[0], not_applicable);
}

TEST_F(Score, StaysAFailureWhenItWasExpected) {
  auto all = all_right;
  all[1] = {Judgement::expected_failure, Observed::accept};
  EXPECT_EQ(judged(all)[0], fail);
}

class Certify : public Score {
 protected:
  Certificate certified(const std::vector<std::pair<Judgement, Observed>>& all, const std::string& narrowed = {}) {
    RunOutcome outcome;
    outcome.declaration = tier_one();
    outcome.declaration.can_certify = can_certify_;
    outcome.declaration.merge = merge_;
    outcome.results = results_of(matrix_, all);
    return certify(matrix_, outcome, narrowed);
  }
  bool can_certify_ = true;
  std::optional<MergeDeclaration> merge_;
};

TEST_F(Certify, HoldsForAGoodReader) {
  const Certificate certificate = certified(all_right);
  EXPECT_TRUE(certificate.levels[0].holds) << certificate.levels[0].missing.front();
  EXPECT_EQ(certificate.levels[0].rules, 2u);
  EXPECT_EQ(certificate.levels[0].without_cases, 1u);
}

TEST_F(Certify, RestsOnExplicitDutiesOnly) {
  auto all = all_right;
  all[2] = {Judgement::false_accept, Observed::accept};
  EXPECT_TRUE(certified(all).levels[0].holds);
  all[1] = {Judgement::false_accept, Observed::accept};
  const Certificate certificate = certified(all);
  EXPECT_FALSE(certificate.any());
  EXPECT_EQ(certificate.levels[0].missing.front(), "FIX-01 fails");
}

TEST_F(Certify, TakesNoBreakdownInAnyClass) {
  auto all = all_right;
  all[3] = {Judgement::robustness, Observed::hang};
  EXPECT_FALSE(certified(all).levels[0].holds);
}

TEST_F(Certify, TakesNoExpectedFailureNoPartAndNoExecDoor) {
  auto all = all_right;
  EXPECT_FALSE(certified(all, "--shard").levels[0].holds);
  can_certify_ = false;
  EXPECT_FALSE(certified(all).levels[0].holds);
  can_certify_ = true;
  all[1] = {Judgement::expected_failure, Observed::accept};
  EXPECT_FALSE(certified(all).levels[0].holds);
}

TEST_F(Certify, OfMergingNeedsAllOfMergingDeclaredAndEveryValueRight) {
  matrix_.cases[4].question.kind = generators::ValueQuestion::Kind::merge;
  EXPECT_FALSE(certified(all_right).holds("M")) << "nothing is declared";
  merge_ = MergeDeclaration{{"partition", "overlay"}, {"replace"}, true};
  const Certificate partly = certified(all_right);
  ASSERT_EQ(partly.levels[2].missing.size(), 1u);
  EXPECT_EQ(partly.levels[2].missing[0], "the reader does not declare merging by add");
  merge_->combine.insert("add");
  EXPECT_TRUE(certified(all_right).holds("M"));
  EXPECT_EQ(certified(all_right).levels[2].values, 1u);
  auto all = all_right;
  all[4] = {Judgement::wrong_value, Observed::accept};
  EXPECT_FALSE(certified(all).holds("M"));
  matrix_.cases[4].question.kind = generators::ValueQuestion::Kind::none;
  EXPECT_FALSE(certified(all_right).holds("M")) << "no value was asked";
}

}  // namespace
}  // namespace hurray::harness
