#include "generators/corpus/isolate.h"

#include <gtest/gtest.h>

#include "generators/build.h"

namespace {

using namespace hurray::generators;
using nlohmann::json;

const json halves = json::parse(R"({"name": "halves", "why": "w", "head": {"type": "int8", "shape": [4], "rule": "partition"},
  "members": [{"shape": [2], "offset": [0]}, {"shape": [2], "offset": [2]}]})");

Matrix register_of(std::initializer_list<const char*> entries) {
  Matrix matrix;
  for (const char* text : entries) {
    RuleEntry rule;
    rule.entry = json::parse(text);
    rule.id = rule.entry.at("id").get<std::string>();
    matrix.rules.push_back(std::move(rule));
  }
  return matrix;
}

Case broken(const char* rule, const char* edit) {
  Case one;
  one.id = std::string(rule) + "/x";
  one.rule = rule;
  one.expect = {Expectation{Verdict::reject, ""}, Expectation{Verdict::reject, ""}};
  Built built = build(halves, json::parse(edit), one.surface);
  EXPECT_EQ(built.error, "");
  one.segments = std::move(built.segments);
  return one;
}

TEST(Isolation, OneEditBreaksOneRule) {
  const Isolation found = isolate(register_of({}), broken("CMP-OP-01", R"([{"set": "head.combine_op", "to": 1}])"));
  EXPECT_TRUE(found.problems.empty());
  EXPECT_EQ(found.isolates, true);
}

TEST(Isolation, AnotherRuleThanTheCasesIsReported) {
  const Isolation found = isolate(register_of({}), broken("CMP-RSV-01", R"([{"set": "head.combine_op", "to": 1}])"));
  ASSERT_EQ(found.problems.size(), 1u);
  EXPECT_NE(found.problems[0].find("expected CMP-RSV-01, got CMP-OP-01"), std::string::npos) << found.problems[0];
}

TEST(Isolation, ASecondRuleMustBeForced) {
  Case one = broken("CMP-OP-01", R"([{"set": "head.combine_op", "to": 1}, {"set": "head.layout_reserved.u8[0]", "to": 7}])");
  const Isolation unsaid = isolate(register_of({}), one);
  ASSERT_EQ(unsaid.problems.size(), 1u);
  EXPECT_NE(unsaid.problems[0].find("expected accept without CMP-OP-01, got CMP-RSV-01"), std::string::npos) << unsaid.problems[0];
  one.forces = {"CMP-RSV-01"};
  const Isolation said = isolate(register_of({}), one);
  EXPECT_TRUE(said.problems.empty());
  EXPECT_EQ(said.isolates, false);
  EXPECT_EQ(said.also, "CMP-RSV-01");
}

TEST(Isolation, AForcedRuleMayNotHideThatTheCasesOwnIsKept) {
  Case one = broken("CMP-RSV-01", R"([{"set": "head.combine_op", "to": 1}])");
  one.forces = {"CMP-OP-01"};
  EXPECT_FALSE(isolate(register_of({}), one).problems.empty());
}

TEST(Isolation, ARestatedRuleIsShownByTheOneThatIsChecked) {
  const Matrix matrix = register_of({R"({"id": "CMP-VAL-03", "same_as": "CMP-OP-01"})"});
  EXPECT_EQ(checked_rule(matrix, "CMP-VAL-03"), "CMP-OP-01");
  EXPECT_TRUE(isolate(matrix, broken("CMP-VAL-03", R"([{"set": "head.combine_op", "to": 1}])")).problems.empty());
}

TEST(Isolation, AnAcceptedCaseMustShowItsView) {
  Case one = broken("CMP-OP-01", "[]");
  one.expect = {};
  one.view = json::parse(R"([{"kind": "composite", "shape": [4]}])");
  EXPECT_TRUE(isolate(register_of({}), one).problems.empty());
  one.view[0]["shape"] = {5};
  const Isolation found = isolate(register_of({}), one);
  ASSERT_EQ(found.problems.size(), 2u) << "in both modes";
  EXPECT_NE(found.problems[0].find("view[0].shape[0] is 4, expected 5"), std::string::npos) << found.problems[0];
}

}  // namespace
