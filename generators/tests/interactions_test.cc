#include "generators/matrix/interactions.h"

#include <gtest/gtest.h>

namespace hurray::generators {
namespace {

std::vector<std::string> missing(const std::vector<Interaction>& all) {
  std::vector<std::string> lines;
  for (const Interaction& one : all) {
    if (!one.example.empty()) continue;
    std::string line;
    for (std::size_t i = 0; i < one.values.size(); ++i) line += one.factors[i] + " " + one.values[i] + " ";
    lines.push_back(line);
  }
  return lines;
}

TEST(Interactions, EveryPairAndTripleThatTheFormatAllowsStandsInAnAcceptedCase) {
  const LoadedMatrix loaded = load_matrix(HURRAY_ROOT, Breadth::standard);
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors.front().message;
  const InteractionReport report = interactions(loaded.matrix, HURRAY_ROOT "/conformance/interactions.json");
  ASSERT_EQ(report.error, "");
  EXPECT_GT(report.pairs.size(), 500u);
  EXPECT_GT(report.triples.size(), 100u);
  EXPECT_EQ(missing(report.pairs), std::vector<std::string>{});
  EXPECT_EQ(missing(report.triples), std::vector<std::string>{});
}

TEST(Interactions, CountsNothingOfAnEmptyMatrix) {
  const InteractionReport report = interactions(Matrix{}, HURRAY_ROOT "/conformance/interactions.json");
  EXPECT_EQ(missing(report.pairs).size(), report.pairs.size());
  EXPECT_GT(report.forbidden_pairs, 0u);
}

TEST(Interactions, SaysWhichFileIsMissing) {
  EXPECT_NE(interactions(Matrix{}, "/nowhere.json").error.find("/nowhere.json"), std::string::npos);
}

}  // namespace
}  // namespace hurray::generators
