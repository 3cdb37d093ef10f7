#include "generators/arrival.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "generators/build.h"

namespace hurray::generators {
namespace {

using facts::Surface;
using nlohmann::json;

const json halves = json::parse(R"({"name": "halves", "head": {"type": "int8", "shape": [4], "rule": "partition"},
  "members": [{"shape": [2], "offset": [0]}, {"shape": [2], "offset": [2]}]})");
const json inner_first = json::parse(R"({"name": "inner-first", "head": {"type": "int8", "shape": [4], "rule": "partition"},
  "members": [{"head": {"type": "int8", "shape": [2], "rule": "partition", "offset": [0]}, "members": [{"shape": [2], "offset": [0]}]},
              {"shape": [2], "offset": [2]}]})");
const json two_items = json::parse(R"({"name": "two", "items": [{"tensor": {"type": "int8", "shape": [3]}}, {"tensor": {"type": "int8", "shape": [3]}}]})");

json whole_after(const json& base, const char* edits, Surface surface = Surface::bare) {
  const Built built = build(base, json::parse(edits), surface);
  EXPECT_EQ(built.error, "");
  return built.whole_composites;
}

TEST(Arrival, ClaimsNothingOfWhatIsNotTorn) {
  EXPECT_EQ(whole_after(halves, "[]"), nullptr);
  EXPECT_EQ(whole_after(halves, R"([{"set": "head.combine_op", "to": 7}])"), nullptr);
  EXPECT_EQ(whole_after(two_items, R"([{"cut_at": "items[1].tensor.magic"}])"), nullptr);
}

TEST(Arrival, HoldsATornCompositeForIncomplete) {
  EXPECT_EQ(whole_after(halves, R"([{"cut_at": "members[1].magic"}])"), json::array());
  EXPECT_EQ(whole_after(halves, R"([{"cut_at": "members[1].end.type"}])", Surface::framed), json::array());
  EXPECT_EQ(whole_after(halves, R"([{"add": "head.member_count", "by": 1}])"), json::array());
}

TEST(Arrival, HoldsANestedCompositeThatArrivedForWhole) {
  EXPECT_EQ(whole_after(inner_first, R"([{"cut_at": "members[1].data[0]", "plus": 1}])"),
            json::parse(R"([{"rule": "partition", "shape": [2], "members": 1}])"));
  EXPECT_EQ(whole_after(inner_first, R"([{"cut_at": "members[0].members[0].data[0]"}])"), json::array());
}

TEST(Arrival, LeavesOpenWhatWouldBeBoundInstead) {
  EXPECT_EQ(whole_after(inner_first, R"([{"add": "members[0].head.member_count", "by": 1}])"), nullptr);
}

std::vector<Cut> cuts_of(const json& base, Surface surface) { return cuts(parse_model(base).model, surface); }

bool has(const std::vector<Cut>& all, const std::string& field, Torn torn) {
  return std::any_of(all.begin(), all.end(), [&](const Cut& cut) { return cut.field == field && cut.plus == 0 && cut.torn == torn; });
}

TEST(Cuts, SayWhatEndsTooEarly) {
  const std::vector<Cut> bare = cuts_of(halves, Surface::bare), framed = cuts_of(halves, Surface::framed), file = cuts_of(halves, Surface::file);
  EXPECT_TRUE(has(bare, "head.rank", Torn::descriptor));
  EXPECT_TRUE(has(bare, "members[0].magic", Torn::composite));
  EXPECT_TRUE(has(bare, "members[1].data[0]", Torn::composite));
  EXPECT_TRUE(has(framed, "head.total_data_bytes", Torn::message));
  EXPECT_TRUE(has(framed, "head.end.type", Torn::composite));
  EXPECT_TRUE(has(cuts_of(two_items, Surface::framed), "items[0].tensor.end.type", Torn::between_messages));
  EXPECT_TRUE(has(cuts_of(two_items, Surface::bare), "items[1].tensor.data[0]", Torn::data));
  EXPECT_TRUE(has(file, "file.version_major", Torn::file));
}

TEST(Cuts, LeaveOutTheEndsOfWholeItems) {
  const std::vector<Cut> all = cuts_of(two_items, Surface::bare);
  EXPECT_TRUE(std::none_of(all.begin(), all.end(), [](const Cut& cut) { return cut.field == "items[1].tensor.magic" && cut.plus == 0; }));
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const Cut& cut) { return cut.field == "items[1].tensor.magic" && cut.plus == 1; }));
}

TEST(Cuts, StandOnceEachAndBuild) {
  for (const Surface surface : {Surface::descriptor, Surface::bare, Surface::framed, Surface::file}) {
    std::size_t last = 0;
    for (const Cut& cut : cuts_of(inner_first, surface)) {
      const Built built = build(inner_first, json::array({{{"cut_at", cut.field}, {"plus", cut.plus}}}), surface);
      ASSERT_EQ(built.error, "") << cut.field;
      std::size_t size = 0;
      for (const Segment& segment : built.segments) size += segment.bytes.size();
      EXPECT_NE(size, last) << cut.field << "+" << cut.plus;
      EXPECT_EQ(size, cut.left) << cut.field << "+" << cut.plus;
      EXPECT_EQ(built.whole_composites, cut.whole_composites) << cut.field << "+" << cut.plus;
      last = size;
    }
  }
}

}  // namespace
}  // namespace hurray::generators
