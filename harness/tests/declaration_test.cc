#include "harness/declaration.h"

#include <gtest/gtest.h>

#include "harness/tests/fixture.h"

namespace hurray::harness {
namespace {

using nlohmann::json;

std::string complaint(const char* ready) {
  Declaration declaration;
  return parse_ready(json::parse(ready), declaration);
}

TEST(Declaration, IsAllOfTierOneWhereListsAreAbsent) {
  Declaration declaration;
  ASSERT_EQ(parse_ready(json::parse(R"({"op":"ready","protocol":"1","name":"x"})"), declaration), "");
  EXPECT_EQ(declaration.types.count("float32"), 1u);
  EXPECT_EQ(declaration.types.count("int4"), 0u);
  EXPECT_EQ(declaration.layouts.count("block-paged"), 1u);
  EXPECT_EQ(declaration.layouts.count("hilbert"), 0u);
  EXPECT_EQ(declaration.schemes.count("nf4"), 0u);
  EXPECT_EQ(declaration.devices.count("cuda"), 1u);
  EXPECT_TRUE(declaration.reads(facts::Surface::file, facts::Mode::permissive));
  EXPECT_FALSE(declaration.merge);
}

TEST(Declaration, ThatMakesNoSenseIsRefused) {
  EXPECT_NE(complaint(R"({"op":"result"})"), "");
  EXPECT_NE(complaint(R"({"op":"ready"})"), "");
  EXPECT_NE(complaint(R"({"op":"ready","protocol":1,"surfaces":["barre"]})"), "");
  EXPECT_NE(complaint(R"({"op":"ready","protocol":1,"types":"float32"})"), "");
  EXPECT_NE(complaint(R"({"op":"ready","protocol":1,"merge":[]})"), "");
}

TEST(Declaration, DecidesWhatAReaderAnswersFor) {
  generators::Case c = fixture_case("FIX-01/x", "FIX-01", "Ax", generators::Verdict::accept);
  Declaration declaration = tier_one();
  EXPECT_EQ(why_not_applicable(c, facts::Mode::strict, declaration), "");
  c.types = {"int4"};
  EXPECT_EQ(why_not_applicable(c, facts::Mode::strict, declaration), "type int4 is not declared");
  declaration.types.insert("int4");
  c.schemes = {"mxfp"};
  EXPECT_EQ(why_not_applicable(c, facts::Mode::strict, declaration), "scheme mxfp is not declared");
  c.schemes = {};
  declaration.modes[1] = false;
  EXPECT_NE(why_not_applicable(c, facts::Mode::permissive, declaration), "");
}

TEST(Declaration, OfMergeCoversNestedHeads) {
  generators::Case c = fixture_case("FIX-01/x", "FIX-01", "Ax", generators::Verdict::accept);
  c.question.kind = generators::ValueQuestion::Kind::merge;
  c.view = json::parse(R"([{"kind":"composite","rule":"partition","combine":"none","members":[
      {"kind":"composite","rule":"overlay","combine":"add","members":[]}]}])");
  Declaration declaration = tier_one();
  EXPECT_EQ(why_not_applicable(c, facts::Mode::strict, declaration), "merge is not declared");
  declaration.merge = MergeDeclaration{{"partition"}, {}, false};
  EXPECT_EQ(why_not_applicable(c, facts::Mode::strict, declaration), "merging overlay is not declared");
  declaration.merge = MergeDeclaration{{"partition", "overlay"}, {"replace"}, false};
  EXPECT_EQ(why_not_applicable(c, facts::Mode::strict, declaration), "combining by add is not declared");
  declaration.merge->combine.insert("add");
  EXPECT_EQ(why_not_applicable(c, facts::Mode::strict, declaration), "");
  c.question.kind = generators::ValueQuestion::Kind::lookup;
  EXPECT_EQ(why_not_applicable(c, facts::Mode::strict, declaration), "lookup is not declared");
}

}  // namespace
}  // namespace hurray::harness
