#include <gtest/gtest.h>

#include "generators/matrix/data.h"
#include "generators/matrix/expand.h"

namespace {

using namespace hurray::generators;
using nlohmann::json;

const std::set<std::string> readings{"AMB-06", "AMB-31", "AMB-39", "PERM-01"};

ExpectedVerdicts of_fault(const char* rule, const char* expect = "null") {
  return expectations(json::parse(expect), json::parse(rule), true, readings);
}

TEST(Expectations, AFaultOfAnEnforcedRuleIsRejectedInBothModes) {
  const auto expected = of_fault(R"({"class": "reject", "permissive": {"expect": "reject"}})").by_mode;
  EXPECT_EQ(expected[0].verdict, Verdict::reject);
  EXPECT_EQ(expected[1].verdict, Verdict::reject);
}

TEST(Expectations, ReliefNamesTheReadingOfTheRulesClass) {
  EXPECT_EQ(of_fault(R"({"class": "reject-implied", "permissive": {"expect": "either"}})").by_mode[1].reading, "AMB-31");
  EXPECT_EQ(of_fault(R"({"class": "reject-should", "permissive": {"expect": "either"}})").by_mode[1].reading, "AMB-39");
  EXPECT_EQ(of_fault(R"({"class": "reject", "permissive": {"expect": "partial"}})").by_mode[1].reading, "PERM-01");
  EXPECT_EQ(of_fault(R"({"class": "reject", "permissive": {"expect": "either", "reading": "AMB-06"}})").by_mode[1].reading, "AMB-06");
}

TEST(Expectations, WhatIsToleratedIsNoFailureInPermissiveMode) {
  const auto expected = of_fault(R"({"class": "reject", "permissive": {"expect": "reject", "tolerates": "AMB-06"}})").by_mode;
  EXPECT_EQ(expected[0].verdict, Verdict::reject);
  EXPECT_EQ(expected[1].verdict, Verdict::either);
  EXPECT_EQ(expected[1].reading, "AMB-06");
}

TEST(Expectations, WhatStrictAcceptsPermissiveAccepts) {
  const auto expected = of_fault(R"({"class": "reject", "permissive": {"expect": "either"}})", R"({"strict": "accept"})").by_mode;
  EXPECT_EQ(expected[1].verdict, Verdict::accept);
}

TEST(Expectations, EitherNeedsAReadingThatExists) {
  EXPECT_NE(of_fault(R"({"class": "reject"})", R"({"strict": {"either": "AMB-99"}})").error.find("AMB-99"), std::string::npos);
  EXPECT_FALSE(of_fault(R"({"class": "reject"})", R"({"strict": "either"})").error.empty());
  EXPECT_TRUE(of_fault(R"({"class": "reject"})", R"({"strict": {"either": "AMB-06"}})").error.empty());
}

TEST(Expectations, AFaultOfARuleWithoutADutyMustSaySo) {
  EXPECT_FALSE(of_fault(R"({"class": "accept"})").error.empty());
  EXPECT_TRUE(of_fault(R"({"class": "accept"})", R"({"strict": "reject"})").error.empty());
}

TEST(DataFiles, PlacesPointAtTheLineOfTheEntry) {
  const DataFile file{"rules/x.json", "[\n {\"id\": \"A\",\n  \"name\": \"one\"},\n {\"id\" : \"B\",\n  \"name\": \"one\"}\n]\n", {}};
  EXPECT_EQ(file.place("id", "A"), "rules/x.json:2");
  EXPECT_EQ(file.place("id", "B"), "rules/x.json:4");
  EXPECT_EQ(file.place("name", "one", file.find("id", "B")), "rules/x.json:5");
}

}  // namespace
