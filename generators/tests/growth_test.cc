// What grows a model from decisions and what finds the decisions of a model are one description: they invert each other.
#include <gtest/gtest.h>

#include <random>

#include "generators/build.h"
#include "generators/grow.h"

namespace hurray::generators {
namespace {

std::vector<std::uint8_t> random_bytes(std::mt19937_64& random, std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

void expect_same(const Model& left, const Model& right) {
  EXPECT_TRUE(left.items == right.items && left.framed == right.framed && left.file == right.file) << print_model(left) << "\n" << print_model(right);
}

TEST(Growth, DecisionsOfAGrownModelGrowItAgain) {
  std::mt19937_64 random{31};
  std::size_t heads = 0;
  for (int seed = 0; seed < 4000 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    GrowthLimits limits;
    limits.readings = seed % 3 == 0;
    limits.tier_two = seed % 5 != 0;
    limits.elements = seed % 7 == 0 ? 64 : 512;
    const std::vector<std::uint8_t> bytes = random_bytes(random, 1 + random() % 1200);
    Decisions decisions{bytes};
    const Model model = grow(decisions, limits);
    const Regrown regrown = decisions_of(model, limits);
    expect_same(regrown.model, model);
    Decisions again{regrown.decisions};
    expect_same(grow(again, limits), model);
    EXPECT_TRUE(again.exhausted()) << "a recorder writes what is read, and nothing else";
    for (const Node& item : model.items) heads += item.head ? 1 : 0;
  }
  EXPECT_GT(heads, 1000u) << "the property was hardly tried on composites";
}

TEST(Growth, ARecorderTakesTheNearestThatThereIs) {
  Decisions recorder = Decisions::recorder();
  EXPECT_EQ(recorder.below(5, 9), 4u);
  EXPECT_EQ(recorder.below(std::uint64_t{1} << 60, 0x0123456789ABCDEFu), 0x0123456789ABCDEFu);
  EXPECT_TRUE(recorder.one_in(7, true));
  EXPECT_EQ(recorder.bits(12, 0x1ABC), 0xABCu);
  Decisions reader{recorder.recorded()};
  EXPECT_EQ(reader.below(5), 4u);
  EXPECT_EQ(reader.below(std::uint64_t{1} << 60), 0x0123456789ABCDEFu);
  EXPECT_TRUE(reader.one_in(7));
  EXPECT_EQ(reader.bits(12), 0xABCu);
  EXPECT_TRUE(reader.exhausted());
}

}  // namespace
}  // namespace hurray::generators
