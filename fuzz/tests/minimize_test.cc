// The reducer on planted failures: models that grow, each with one fault, and a reader that does not look for that fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "fuzz/near_miss.h"
#include "generators/build.h"
#include "generators/matrix.h"
#include "harness/minimize/reduce.h"

namespace {

using namespace hurray;
using harness::Reduction;
using reference::Waivers;

/// Accepted by a reader without the rule, rejected by it with one.
bool shows(std::span<const std::uint8_t> input, facts::Surface surface, facts::Rule rule) {
  const reference::Reading strict = reference::read(input, surface, Waivers::none());
  return !strict.accepted() && strict.violation->rule == rule && reference::read(input, surface, Waivers::none().waive(rule)).accepted();
}

struct PlantedFailure {
  std::string name;
  facts::Surface surface;
  facts::Rule rule;
  std::vector<std::uint8_t> bytes;
};

/// Composites of some size only: the least tensor takes 53 bytes bare and 93 framed, so what has few is not made ten times
/// smaller by anybody.
std::vector<PlantedFailure> plant(std::size_t count) {
  constexpr std::size_t fewest_tensors = 4, fewest_bytes = 1200;
  std::vector<PlantedFailure> failures;
  std::uint64_t state = 7;
  const auto byte = [&state] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint8_t>(state >> 56);
  };
  for (std::size_t round = 0; failures.size() < count && round < 100 * count; ++round) {
    std::vector<std::uint8_t> seed(200);
    std::generate(seed.begin(), seed.end(), byte);
    generators::Decisions decisions(seed);
    std::optional<fuzz::BrokenInput> broken = fuzz::break_model(round * 37 % fuzz::fault_count(), byte(), decisions);
    if (!broken) continue;
    const reference::Reading reading = reference::read(broken->bytes, broken->surface, Waivers::none());
    if (reading.accepted()) continue;
    const facts::Rule rule = reading.violation->rule;
    const reference::Reading waived = reference::read(broken->bytes, broken->surface, Waivers::none().waive(rule));
    if (!waived.accepted() || waived.tensors.size() < fewest_tensors || broken->bytes.size() < fewest_bytes) continue;
    failures.push_back({broken->name, broken->surface, rule, std::move(broken->bytes)});
  }
  return failures;
}

TEST(Minimize, NineOfTenPlantedFailuresBecomeTenTimesSmaller) {
  const std::vector<PlantedFailure> failures = plant(60);
  ASSERT_EQ(failures.size(), 60u);
  std::vector<double> factors;
  unsigned tries = 0;
  for (const PlantedFailure& one : failures) {
    harness::ReductionPlan plan;
    plan.surface = one.surface;
    plan.keeps = [&](std::span<const std::uint8_t> input) { return shows(input, one.surface, one.rule); };
    const Reduction reduction = harness::reduce(one.bytes, plan);
    EXPECT_TRUE(shows(reduction.bytes, one.surface, one.rule)) << one.name;
    factors.push_back(static_cast<double>(one.bytes.size()) / static_cast<double>(reduction.bytes.size()));
    tries += reduction.tries;
    if (factors.back() < 10)
      std::printf("  %-45s %-7s %6zu -> %5zu%s\n", one.name.c_str(), facts::surface_names[static_cast<std::size_t>(one.surface)].data(), one.bytes.size(),
                  reduction.bytes.size(), reduction.parsed ? "" : " (not parsed)");
  }
  const auto tenfold = std::count_if(factors.begin(), factors.end(), [](double factor) { return factor >= 10; });
  std::sort(factors.begin(), factors.end());
  std::printf("%td of %zu failures at least 10 times smaller, median %.0f times, %.0f tries each\n", tenfold, factors.size(), factors[factors.size() / 2],
              static_cast<double>(tries) / static_cast<double>(factors.size()));
  EXPECT_GE(tenfold * 10, static_cast<std::ptrdiff_t>(factors.size()) * 9);
}

TEST(Minimize, EveryCaseOfTheMatrixIsTheSumOfItsParts) {
  const auto loaded = generators::load_matrix(HURRAY_SOURCE_DIR, generators::Breadth::standard);
  std::size_t parsed = 0, all = 0;
  for (const generators::Case& one : loaded.matrix.cases) {
    const std::vector<std::uint8_t> bytes = one.bytes();
    const std::optional<harness::Tree> tree = harness::Tree::parse(bytes, one.surface);
    ++all;
    parsed += tree ? 1 : 0;
    EXPECT_TRUE(!tree || tree->bytes() == bytes) << one.id;
    if (!tree && one.is_base()) ADD_FAILURE() << one.id << " on " << facts::surface_names[static_cast<std::size_t>(one.surface)];
  }
  std::printf("%zu of %zu inputs are taken apart and put together again\n", parsed, all);
  EXPECT_GT(parsed * 100, all * 98);
}

TEST(Minimize, BytesThatAreNoInputAreReducedAllTheSame) {
  std::vector<std::uint8_t> noise(300, 0x5a);
  noise[123] = 0x77;
  harness::ReductionPlan plan;
  plan.keeps = [](std::span<const std::uint8_t> input) { return std::find(input.begin(), input.end(), std::uint8_t{0x77}) != input.end(); };
  const Reduction reduction = harness::reduce(noise, plan);
  EXPECT_EQ(reduction.bytes, std::vector<std::uint8_t>{0x77});
}

TEST(Minimize, TheSameInputGivesTheSameResultWithinItsTries) {
  const PlantedFailure one = plant(1).front();
  harness::ReductionPlan plan;
  plan.surface = one.surface;
  plan.most_tries = 40;
  plan.keeps = [&](std::span<const std::uint8_t> input) { return shows(input, one.surface, one.rule); };
  const Reduction first = harness::reduce(one.bytes, plan), second = harness::reduce(one.bytes, plan);
  EXPECT_EQ(first.bytes, second.bytes);
  EXPECT_LE(first.tries, 40u);
}

}  // namespace
