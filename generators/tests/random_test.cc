// Cases that grow are cases like others: the reference agrees with every one of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "generators/corpus/isolate.h"
#include "generators/matrix/random.h"

namespace {

using namespace hurray::generators;

std::vector<Case> grown(std::size_t count, std::uint64_t seed) {
  LoadedMatrix loaded = load_matrix(HURRAY_SOURCE_DIR, Breadth::standard);
  const std::size_t before = loaded.matrix.cases.size();
  add_random_cases(loaded.matrix, count, seed);
  return {loaded.matrix.cases.begin() + static_cast<std::ptrdiff_t>(before), loaded.matrix.cases.end()};
}

TEST(RandomCases, AreTheSameForTheSameSeedAndOthersForAnother) {
  const std::vector<Case> first = grown(50, 7), again = grown(50, 7), other = grown(50, 8);
  ASSERT_EQ(first.size(), again.size());
  for (std::size_t at = 0; at < first.size(); ++at) {
    EXPECT_EQ(first[at].id, again[at].id);
    EXPECT_EQ(first[at].bytes(), again[at].bytes());
  }
  EXPECT_NE(first.front().bytes(), other.front().bytes());
}

TEST(RandomCases, BreakTheirRuleAloneAndAreValidOtherwise) {
  LoadedMatrix loaded = load_matrix(HURRAY_SOURCE_DIR, Breadth::standard);
  const std::size_t before = loaded.matrix.cases.size();
  add_random_cases(loaded.matrix, 500, 11);
  std::size_t broken = 0, asked = 0;
  for (std::size_t at = before; at < loaded.matrix.cases.size(); ++at) {
    const Case& one = loaded.matrix.cases[at];
    for (const std::string& problem : isolate(loaded.matrix, one).problems) ADD_FAILURE() << problem;
    broken += one.is_base() ? 0 : 1;
    asked += one.question.kind == ValueQuestion::Kind::none ? 0 : 1;
  }
  EXPECT_GT(broken, 380u);
  EXPECT_GT(asked, 200u);
}

}  // namespace
