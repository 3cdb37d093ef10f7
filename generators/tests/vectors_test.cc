#include "generators/corpus/vectors.h"

#include <gtest/gtest.h>

namespace {

using namespace hurray::generators;
using nlohmann::json;

Case small_case() {
  Case one;
  one.id = "CMP-OP-01/replace@halves";
  one.rule = "CMP-OP-01";
  one.base = "halves";
  one.expect = {Expectation{Verdict::reject, ""}, Expectation{Verdict::either, "PERM-01"}};
  one.segments = {{"head.magic", {0x48, 0x52}, false}, {"head.combine_op", {1}, true}, {"data[0]", std::vector<std::uint8_t>(40), false}};
  return one;
}

TEST(Vectors, RunsFoldAndTheRestStaysHex) {
  EXPECT_EQ(folded_hex({}), "");
  EXPECT_EQ(folded_hex({0xAB, 0xCD}), "abcd");
  EXPECT_EQ(folded_hex(std::vector<std::uint8_t>(7)), "00000000000000");
  std::vector<std::uint8_t> mixed(12, 0xFF);
  mixed.insert(mixed.begin(), 1);
  mixed.push_back(2);
  EXPECT_EQ(folded_hex(mixed), "01 ff*12 02");
}

TEST(Vectors, ACaseIsOneJsonObject) {
  const json vector = json::parse(vector_text(small_case(), {false, "DESC-HDR-01", {}}));
  EXPECT_EQ(vector.at("expect").at("permissive").at("either"), "PERM-01");
  EXPECT_EQ(vector.at("twin"), "halves");
  EXPECT_EQ(vector.at("isolates"), false);
  EXPECT_EQ(vector.at("also"), "DESC-HDR-01");
  EXPECT_EQ(vector.at("bytes"), json::parse(R"([["head.magic", "4852"], ["head.combine_op*", "01"], ["data[0]", "00*40"]])"));
}

TEST(Vectors, FilesFollowTheFamily) {
  EXPECT_EQ(vector_file(small_case()), "cmp.json");
  Case base = small_case();
  base.rule.clear();
  EXPECT_EQ(vector_file(base), "bases.json");
}

}  // namespace
