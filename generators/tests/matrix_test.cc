#include "generators/matrix.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

namespace {

using namespace hurray::generators;
using hurray::facts::Surface;
namespace fs = std::filesystem;

/// A small conformance/ of its own in a temporary folder.
class SmallMatrix : public testing::Test {
 protected:
  void SetUp() override {
    root = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root);
    write("readings.json", R"([{"id": "AMB-06", "question": "q", "sections": [], "expect": "e", "why": "w"}])");
    write("bases/a.json", R"([
      {"name": "one-row", "why": "w", "tensor": {"type": "int8", "shape": [4]}},
      {"name": "halves", "why": "w", "head": {"type": "int8", "shape": [4], "rule": "partition"},
       "members": [{"shape": [2], "offset": [0]}, {"shape": [2], "offset": [2]}]}])");
    rules(R"({"name": "replace", "when": {"head.rule": "partition"}, "edit": [{"set": "head.combine_op", "to": 1}]})");
    write("cases/c.json", R"([
      {"id": "CMP-OP-01/two", "rule": "CMP-OP-01", "base": "halves", "expect": {"strict": "reject"}, "edit": [{"set": "head.combine_op", "to": 2}]}
    ])");
  }
  void TearDown() override { fs::remove_all(root); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((root / "conformance" / name).parent_path());
    std::ofstream(root / "conformance" / name) << text;
  }
  void rules(const std::string& faults) {
    write("rules/cmp.json", R"([
  {"id": "CMP-OP-01", "level": "MUST", "class": "reject", "section": "s", "says": "x", "permissive": {"expect": "reject"},
   "faults": [
    )" + faults + "]}\n]");
  }
  std::string errors() {
    std::string all;
    for (const MatrixError& error : load_matrix(root, Breadth::standard).errors) all += error.message + "\n";
    return all;
  }
  fs::path root;
};

TEST_F(SmallMatrix, HoldsBasesThenFaultsThenCases) {
  const LoadedMatrix loaded = load_matrix(root, Breadth::standard);
  ASSERT_EQ(errors(), "");
  std::vector<std::string> ids;
  for (const Case& one : loaded.matrix.cases)
    ids.push_back(one.id + " " + std::string(hurray::facts::surface_names[static_cast<std::size_t>(one.surface)]));
  EXPECT_EQ(ids, (std::vector<std::string>{
                     "one-row descriptor", "one-row bare", "one-row framed", "one-row file", "halves descriptor", "halves bare",
                     "halves framed", "halves file", "CMP-OP-01/replace@halves bare", "CMP-OP-01/replace@halves framed",
                     "CMP-OP-01/replace@halves file", "CMP-OP-01/two bare"}));
}

TEST_F(SmallMatrix, AFaultDiffersFromItsTwinOnlyInWhatTheEditTouches) {
  const LoadedMatrix loaded = load_matrix(root, Breadth::standard);
  std::map<std::string, const Case*> bare;
  for (const Case& one : loaded.matrix.cases)
    if (one.surface == Surface::bare) bare[one.id] = &one;
  const Case &broken = *bare.at("CMP-OP-01/replace@halves"), &twin = *bare.at("halves");
  ASSERT_EQ(broken.segments.size(), twin.segments.size());
  for (std::size_t i = 0; i < broken.segments.size(); ++i) {
    EXPECT_EQ(broken.segments[i].label, twin.segments[i].label);
    EXPECT_EQ(broken.segments[i].edited, broken.segments[i].label == "head.combine_op");
    EXPECT_EQ(broken.segments[i].bytes != twin.segments[i].bytes, broken.segments[i].edited) << broken.segments[i].label;
  }
  EXPECT_EQ(broken.types, std::vector<std::string>{"int8"});
  EXPECT_EQ(broken.layouts, (std::vector<std::string>{"composite", "row-major"}));
}

TEST_F(SmallMatrix, AFaultThatAppliesNowhereIsAnErrorAtItsLine) {
  rules(R"({"name": "replace", "when": {"head.rule": "group"}, "edit": [{"set": "head.combine_op", "to": 1}]})");
  EXPECT_NE(errors().find("rules/cmp.json:4: fault CMP-OP-01/replace applies to no base"), std::string::npos) << errors();
}

TEST_F(SmallMatrix, MistakesAreCollected) {
  rules(R"({"name": "replace", "when": {"head.colour": "red"}, "edit": [{"set": "head.combine_op", "to": 1}]})");
  write("cases/c.json", R"([
      {"id": "CMP-OP-01/two", "rule": "CMP-OP-01", "base": "thirds", "expect": {"strict": "reject"}},
      {"id": "CMP-OP-01/three", "rule": "CMP-OP-01", "base": "halves", "expect": {"strict": {"either": "AMB-77"}}},
      {"id": "CMP-OP-99/four", "rule": "CMP-OP-99", "base": "halves", "expect": {"strict": "accept"}}])");
  const std::string found = errors();
  EXPECT_NE(found.find("rules/cmp.json:4: fault CMP-OP-01/replace: `when` asks for 'head.colour'"), std::string::npos) << found;
  EXPECT_NE(found.find("cases/c.json:2: the base 'thirds'"), std::string::npos) << found;
  EXPECT_NE(found.find("cases/c.json:3: case CMP-OP-01/three: names the reading AMB-77"), std::string::npos) << found;
  EXPECT_NE(found.find("cases/c.json:4: the rule 'CMP-OP-99'"), std::string::npos) << found;
}

TEST_F(SmallMatrix, BrokenJsonPointsAtItsLine) {
  write("bases/a.json", "[\n  {\"name\": \"x\",\n   \"why\" \"w\"}\n]");
  EXPECT_NE(errors().find("bases/a.json:3: no valid JSON"), std::string::npos) << errors();
  EXPECT_EQ(load_matrix(root, Breadth::standard).errors.size(), 1u) << errors();
}

TEST_F(SmallMatrix, TwoCasesOfOneNameAreAnError) {
  write("cases/c.json", R"([
      {"id": "CMP-OP-01/two", "rule": "CMP-OP-01", "base": "halves", "expect": {"strict": "accept"}},
      {"id": "CMP-OP-01/two", "rule": "CMP-OP-01", "base": "halves", "expect": {"strict": "accept"}}])");
  EXPECT_NE(errors().find("CMP-OP-01/two is already defined"), std::string::npos) << errors();
}

TEST_F(SmallMatrix, TheOraclesValueWinsOverAWrittenOne) {
  write("cases/c.json", R"([
      {"id": "CMP-OP-01/two", "rule": "CMP-OP-01", "base": "one-row", "expect": {"value": "int8:2"}, "lookup": [2]},
      {"id": "CMP-OP-01/three", "rule": "CMP-OP-01", "base": "one-row", "expect": {"value": "int8:3"}, "lookup": [2]}])");
  EXPECT_EQ(errors().find("CMP-OP-01/two"), std::string::npos) << errors();
  EXPECT_NE(errors().find("CMP-OP-01/three on bare: expects int8:3, but the oracle computes"), std::string::npos) << errors();
}

TEST_F(SmallMatrix, ExhaustiveTakesEveryNodeOfEveryBase) {
  rules(R"({"name": "flag", "edit": [{"xor": "any.flags", "with": 32}]})");
  std::set<std::string> ids;
  for (const Case& one : load_matrix(root, Breadth::exhaustive).matrix.cases)
    if (one.rule == "CMP-OP-01" && one.surface == Surface::bare) ids.insert(one.id);
  EXPECT_EQ(ids, (std::set<std::string>{"CMP-OP-01/flag@halves", "CMP-OP-01/flag@halves#members[0]",
                                        "CMP-OP-01/flag@halves#members[1]", "CMP-OP-01/flag@one-row", "CMP-OP-01/two"}));
}

}  // namespace
