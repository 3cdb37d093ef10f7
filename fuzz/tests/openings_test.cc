// The predicates of fuzz/diff against the matrix: what a reading leaves open is recognised in the bytes alone, and nothing
// that every reader must accept or reject is taken for open.
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/diff/openings.h"
#include "generators/build.h"
#include "generators/grow.h"
#include "generators/matrix.h"

namespace {

using namespace hurray;
using generators::Case;
using generators::Verdict;
using reference::Waivers;

const generators::Matrix& matrix() {
  static const generators::LoadedMatrix loaded = generators::load_matrix(HURRAY_SOURCE_DIR, generators::Breadth::standard);
  return loaded.matrix;
}

std::string list(const std::vector<std::string_view>& readings) {
  std::string text;
  for (const std::string_view reading : readings) text += std::string(reading) + " ";
  return text;
}

std::string where(const Case& one) { return one.id + " on " + std::string(facts::surface_names[static_cast<std::size_t>(one.surface)]); }

TEST(Openings, AreFoundInEveryAcceptedCaseThatIsEitherAndInNoOther) {
  ASSERT_FALSE(matrix().cases.empty());
  for (const Case& one : matrix().cases) {
    const std::vector<std::uint8_t> bytes = one.bytes();
    const reference::Reading reading = reference::read(bytes, one.surface, Waivers::none());
    if (!reading.accepted()) continue;
    const std::vector<std::string_view> found = fuzz::openings(reading, bytes, one.surface);
    const generators::Expectation& expected = one.expect[0];
    EXPECT_EQ(!found.empty(), expected.verdict == Verdict::either) << where(one) << ": " << list(found) << "for " << expected.reading;
  }
}

TEST(Openings, AreFoundInEveryRejectedCaseThatIsEitherAndInNoOther) {
  for (const Case& one : matrix().cases) {
    const std::vector<std::uint8_t> bytes = one.bytes();
    const reference::Reading reading = reference::read(bytes, one.surface, Waivers::none());
    if (reading.accepted()) continue;
    const facts::Rule rule = reading.violation->rule;
    const std::string_view open = fuzz::open_rejection(*reading.violation, bytes, one.surface);
    const generators::Expectation& expected = one.expect[0];
    // Private devices are open, so no class of theirs can be rejected for certain.
    const bool disputed = rule == facts::Rule::VER_02 || rule == facts::Rule::BUF_MEM_03 || rule == facts::Rule::Q_PCA_10;
    const bool may_accept = expected.verdict == Verdict::either || !expected.reading.empty() || disputed;
    EXPECT_EQ(!open.empty(), may_accept) << where(one) << ": rejected with " << facts::facts_of(rule).id << ", " << open << " for " << expected.reading;
  }
}

TEST(Openings, AreInNothingThatGrows) {
  std::uint32_t state = 1;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::uint8_t> seed(static_cast<std::size_t>(16 + round % 200));
    for (std::uint8_t& byte : seed) byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
    generators::Decisions decisions(seed);
    const generators::Model model = generators::grow(decisions);
    for (const facts::Surface surface : {facts::Surface::bare, facts::Surface::framed, facts::Surface::file}) {
      const std::vector<std::uint8_t> bytes = generators::write(model, surface);
      const reference::Reading reading = reference::read(bytes, surface, Waivers::none());
      ASSERT_TRUE(reading.accepted());
      const auto found = fuzz::openings(reading, bytes, surface);
      ASSERT_TRUE(found.empty()) << list(found) << "in " << generators::print_model(model).dump();
    }
  }
}

}  // namespace
