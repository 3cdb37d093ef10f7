#include "harness/value_trace.h"

#include <gtest/gtest.h>

#include "generators/build.h"

namespace hurray::harness {
namespace {

std::string trace(const char* base, const std::vector<std::uint64_t>& index, std::uint64_t item = 0) {
  const generators::ParsedModel parsed = generators::parse_model(nlohmann::json::parse(base));
  EXPECT_EQ(parsed.error, "");
  const std::vector<std::uint8_t> bytes = generators::write(parsed.model, facts::Surface::bare);
  const reference::Reading reading = reference::read(bytes, facts::Surface::bare, reference::Waivers::none());
  EXPECT_TRUE(reading.accepted());
  return trace_text(trace_value(reading, item, index));
}

constexpr const char* two_columns = R"({"name": "two-columns", "head": {"type": "float32", "shape": [8, 8], "rule": "partition"},
  "members": [{"shape": [8, 4], "offset": [0, 0], "values": "iota"}, {"shape": [8, 4], "offset": [0, 4], "values": "iota+32"}]})";

TEST(ValueTrace, SaysWhichMemberHoldsTheIndexAndWhere) {
  EXPECT_EQ(trace(two_columns, {3, 6}), R"(item 0 at [3, 6] is float32 46 (0x42380000)
  partition at [3, 6]
    member 1 holds it
      row-major at local [3, 2]: element 14 of its data, float32 46 (0x42380000)
    1 other member does not cover the index
  gives float32 46 (0x42380000)
)");
}

TEST(ValueTrace, ShowsEveryStepOfASum) {
  EXPECT_EQ(trace(R"({"name": "sum", "head": {"type": "float16", "shape": [4], "rule": "overlay", "combine": "add"},
    "members": [{"type": "int8", "shape": [4], "scheme": {"per-tensor-affine": {"scale": 0.5, "zero_point": 1}}, "values": [1, 2, 3, 4]},
                {"shape": [2], "offset": [2], "values": [2048, 1]},
                {"shape": [4], "layout": {"coo": {"at": [[0]], "sorted": true}}, "values": [7]}]})", {2}),
            R"(item 0 at [2] is float16 2048 (0x6800)
  overlay add at [2]
    member 0 is the base
      row-major at local [2]: element 2 of its data, int8 3 (0x03)
      per-tensor-affine: parameter 0, scale float32 0.5 (0x3f000000), zero point 1
      decoded float32 1 (0x3f800000)
      gives float16 1 (0x3c00)
    member 1 is added
      row-major at local [0]: element 0 of its data, float16 2048 (0x6800)
      sum float16 2048 (0x6800)
    member 2 adds nothing where it stores nothing
      coo at local [2]: stores nothing there
  gives float16 2048 (0x6800)
)");
}

TEST(ValueTrace, SaysWhyThereIsNoValue) {
  EXPECT_EQ(trace(two_columns, {8, 0}), "the index lies outside the shape\n");
  EXPECT_EQ(trace(two_columns, {8}), "the index has 1 dimensions, item 0 has 2\n");
  EXPECT_EQ(trace(two_columns, {0, 0}, 1), "there is no item 1\n");
  EXPECT_NE(trace(R"({"name": "pair", "head": {"type": "int8", "shape": [2], "rule": "group"}, "members": [{"type": "int8", "shape": [2]}]})", {0}).find("there is no value"),
            std::string::npos);
}

TEST(ValueTrace, FollowsNestedComposites) {
  const std::string text = trace(R"({"name": "nested", "head": {"type": "int8", "shape": [4], "rule": "partition"},
    "members": [{"shape": [1], "offset": [0]},
                {"head": {"type": "int8", "shape": [3], "rule": "overlay", "combine": "replace", "offset": [1]},
                 "members": [{"shape": [3], "values": [1, 2, 3]}, {"shape": [1], "offset": [2], "values": [9]}]}]})", {3});
  EXPECT_NE(text.find("overlay replace at [2]"), std::string::npos) << text;
  EXPECT_NE(text.find("member 1 replaces it"), std::string::npos) << text;
  EXPECT_EQ(text.find("item 0 at [3] is int8 9"), 0u) << text;
}

}  // namespace
}  // namespace hurray::harness
