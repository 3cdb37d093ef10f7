#include "harness/judge.h"

#include <gtest/gtest.h>

#include "harness/tests/fixture.h"

namespace hurray::harness {
namespace {

using generators::Verdict;

Judgement judged(Verdict expected, Observed observed, bool with_view = true) {
  const generators::Case c = fixture_case("FIX-01/x", "FIX-01", "Ax", expected);
  Observation seen;
  seen.kind = observed;
  if (with_view) seen.view = c.view;
  return judge(c, facts::Mode::strict, seen, tier_one()).judgement;
}

TEST(Judge, HoldsVerdictsAgainstExpectations) {
  EXPECT_EQ(judged(Verdict::accept, Observed::accept), Judgement::pass);
  EXPECT_EQ(judged(Verdict::accept, Observed::reject), Judgement::false_reject);
  EXPECT_EQ(judged(Verdict::accept, Observed::accept, false), Judgement::pass);
  EXPECT_EQ(judged(Verdict::reject, Observed::reject), Judgement::pass);
  EXPECT_EQ(judged(Verdict::reject, Observed::accept), Judgement::false_accept);
  EXPECT_EQ(judged(Verdict::reject, Observed::partial), Judgement::false_accept);
  EXPECT_EQ(judged(Verdict::either, Observed::accept), Judgement::choice);
  EXPECT_EQ(judged(Verdict::either, Observed::reject), Judgement::choice);
}

TEST(Judge, NotesAPassWithoutAView) {
  const generators::Case c = fixture_case("FIX-01/x", "FIX-01", "Ax", Verdict::accept);
  Observation seen;
  seen.kind = Observed::accept;
  EXPECT_TRUE(judge(c, facts::Mode::strict, seen, tier_one()).unseen);
  seen.view = c.view;
  EXPECT_FALSE(judge(c, facts::Mode::strict, seen, tier_one()).unseen);
}

TEST(Judge, TakesNoBreakdownForARejection) {
  for (const Observed observed : {Observed::crash, Observed::exit, Observed::hang, Observed::oom, Observed::protocol})
    for (const Verdict expected : {Verdict::accept, Verdict::reject, Verdict::either})
      EXPECT_EQ(judged(expected, observed), Judgement::robustness) << name_of(observed);
}

TEST(Judge, TakesUnsupportedOfSomethingDeclaredForAFailure) {
  for (const Verdict expected : {Verdict::accept, Verdict::reject, Verdict::either})
    EXPECT_TRUE(is_failure(judged(expected, Observed::unsupported)));
}

TEST(Judge, LetsAReaderThatDeclaresNothingDecline) {
  Declaration exec = tier_one();
  exec.may_decline = true;
  Observation seen;
  seen.kind = Observed::unsupported;
  const generators::Case c = fixture_case("FIX-01/x", "FIX-01", "Ax", Verdict::reject);
  EXPECT_EQ(judge(c, facts::Mode::strict, seen, exec).judgement, Judgement::not_applicable);
}

TEST(Judge, HoldsNobodyToAReadingWhereItIsDisputed) {
  generators::Case c = fixture_case("FIX-01/x", "FIX-01", "Ax", Verdict::reject);
  c.expect[0].reading = "AMB-33";
  Observation seen;
  seen.kind = Observed::accept;
  EXPECT_EQ(judge(c, facts::Mode::strict, seen, tier_one()).judgement, Judgement::disputed);
}

TEST(Judge, ComparesLookedUpBytes) {
  generators::Case c = fixture_case("FIX-01/x", "FIX-01", "Ax", Verdict::accept);
  c.question.kind = generators::ValueQuestion::Kind::lookup;
  c.question.type = facts::tag::uint16;
  c.question.elements.push_back({{{0x1234, 0}}, false, false, {}});
  Observation seen;
  seen.kind = Observed::accept;
  seen.body = {0x34, 0x12};
  EXPECT_EQ(judge(c, facts::Mode::strict, seen, tier_one()).judgement, Judgement::pass);
  seen.body = {0x12, 0x34};
  EXPECT_EQ(judge(c, facts::Mode::strict, seen, tier_one()).judgement, Judgement::wrong_value);
  seen.body = {};
  EXPECT_EQ(judge(c, facts::Mode::strict, seen, tier_one()).judgement, Judgement::wrong_value);
}

TEST(Judge, RefusesAWrongCompletenessEvenWhereTheVerdictIsOpen) {
  generators::Case c = fixture_case("FIX-01/x", "FIX-01", "Ax", Verdict::either);
  c.view = nlohmann::json::parse(R"([{"kind":"composite","complete":false}])");
  Observation seen;
  seen.kind = Observed::accept;
  seen.view = nlohmann::json::parse(R"([{"kind":"composite","complete":true}])");
  EXPECT_EQ(judge(c, facts::Mode::strict, seen, tier_one()).judgement, Judgement::wrong_value);
}

}  // namespace
}  // namespace hurray::harness
