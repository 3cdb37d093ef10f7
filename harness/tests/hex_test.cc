#include "harness/hex.h"

#include <gtest/gtest.h>

namespace hurray::harness {
namespace {

using generators::Segment;

TEST(HexLines, FoldRunsAndShowNumbers) {
  const std::vector<Segment> segments{{"head.rank", {2, 0, 0, 0}, false}, {"data[0]", std::vector<std::uint8_t>(128, 0), true}};
  const auto lines = hex_lines(segments, 0);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].bytes, "02 00 00 00");
  EXPECT_EQ(lines[0].value, "2");
  EXPECT_EQ(lines[1].at, 4u);
  EXPECT_EQ(lines[1].bytes, "00 * 128");
  EXPECT_TRUE(lines[1].edited);
}

TEST(HexLines, CutLongSegmentsShort) {
  std::vector<std::uint8_t> bytes(100);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  const auto lines = hex_lines({{"data[0]", bytes, false}}, 2);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[2].bytes, "... 68 more bytes");
}

TEST(HexLines, ShowWhereBytesWereRemoved) {
  const auto lines = hex_lines({{"gone", {}, true}, {"empty", {}, false}}, 0);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].bytes, "(no bytes)");
}

TEST(Twin, IsMarkedWhereTheInputWasEdited) {
  const auto twin = marked_twin({{"a", {1}, true}, {"b", {2}, false}}, {{"a", {3}, false}, {"b", {2}, false}});
  EXPECT_TRUE(twin[0].edited);
  EXPECT_FALSE(twin[1].edited);
}

}  // namespace
}  // namespace hurray::harness
