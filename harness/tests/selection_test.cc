#include "harness/selection.h"

#include <gtest/gtest.h>

#include <set>

#include "harness/tests/fixture.h"

namespace hurray::harness {
namespace {

std::set<std::string> chosen(const Selection& selection) {
  const generators::Matrix matrix = fixture_matrix();
  const Selected selected = select(matrix, selection);
  EXPECT_EQ(selected.error, "");
  std::set<std::string> ids;
  for (const Task& task : selected.tasks) ids.insert(matrix.cases[task.case_index].id);
  return ids;
}

TEST(Selection, OfEverythingAsksEveryCaseInBothModes) {
  const generators::Matrix matrix = fixture_matrix();
  EXPECT_EQ(select(matrix, {}).tasks.size(), 2 * matrix.cases.size());
}

TEST(Selection, TakesTheTwinAlong) {
  Selection selection;
  selection.cases = {"FIX-01/one@plain"};
  EXPECT_EQ(chosen(selection), (std::set<std::string>{"plain", "FIX-01/one@plain"}));
  selection = {};
  selection.rules = {"fix-0[12]"};
  EXPECT_EQ(chosen(selection), (std::set<std::string>{"plain", "FIX-01/one@plain", "FIX-02/two@plain"}));
}

TEST(Selection, OfALevelTakesWhatItRestsOn) {
  Selection selection;
  selection.level = "1";
  EXPECT_EQ(chosen(selection), (std::set<std::string>{"plain", "FIX-01/one@plain", "FIX-04/four"}));
}

TEST(Selection, InShardsMissesNothing) {
  std::set<std::string> all;
  for (std::uint32_t k = 1; k <= 3; ++k) {
    Selection selection;
    selection.shard = {k, 3};
    const std::set<std::string> part = chosen(selection);
    EXPECT_EQ(part.count("plain"), 1u);
    all.insert(part.begin(), part.end());
  }
  EXPECT_EQ(all, chosen({}));
}

TEST(Selection, OfNothingIsAnError) {
  const generators::Matrix matrix = fixture_matrix();
  Selection selection;
  selection.cases = {"FIX-01/on"};
  EXPECT_NE(select(matrix, selection).error.find("did you mean: FIX-01/one@plain"), std::string::npos);
  selection = {};
  selection.rules = {"NOPE-*"};
  EXPECT_NE(select(matrix, selection).error, "");
}

TEST(Shard, IsWrittenAsPartOfParts) {
  Shard shard;
  EXPECT_EQ(parse_shard("2/3", shard), "");
  EXPECT_EQ(shard.number, 2u);
  EXPECT_EQ(shard.of, 3u);
  for (const char* wrong : {"0/3", "4/3", "1", "1/", "a/b", "1/3x"}) EXPECT_NE(parse_shard(wrong, shard), "") << wrong;
}

}  // namespace
}  // namespace hurray::harness
