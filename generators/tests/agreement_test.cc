// The central property of values: for every grown composite, merge and lookup give what the oracle admits. The two share
// no code, so a slip in addressing, decoding or rounding shows unless it was made twice.
#include <gtest/gtest.h>

#include <random>

#include "generators/build.h"
#include "generators/grow.h"
#include "generators/oracle.h"
#include "reference/merge.h"

namespace hurray::generators {
namespace {

std::vector<std::uint8_t> random_decisions(std::mt19937_64& random) {
  std::vector<std::uint8_t> decisions(20 + random() % 2000);
  for (std::uint8_t& byte : decisions) byte = static_cast<std::uint8_t>(random());
  return decisions;
}

/// Bits from whole little-endian bytes.
Bits bits_of(const std::uint8_t* bytes, std::size_t size) {
  Bits bits;
  for (std::size_t at = size; at-- > 0;) (at < 8 ? bits.low : bits.high) |= std::uint64_t{bytes[at]} << (8 * (at % 8));
  return bits;
}

Index index_of(std::uint64_t position, const Shape& shape) {
  Index index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; position /= shape[axis]) index[axis] = position % shape[axis];
  return index;
}

/// Compares one top-level item, `tensor` in the reading; returns how many elements were compared.
std::uint64_t compare(const Node& item, const reference::Reading& reading, std::uint32_t tensor) {
  const auto view = oracle_view(item, 4096);
  if (!view) return 0;
  const std::uint8_t type = view_type(item);
  const auto size = reference::merged_size(reading, tensor);
  EXPECT_TRUE(size.has_value()) << "the oracle has values";
  std::vector<std::uint8_t> merged(size.value_or(0));
  if (reference::merge(reading, tensor, merged) != reference::ValueStatus::ok) {
    ADD_FAILURE() << "merge fails";
    return 0;
  }
  const std::vector<Bits> elements = unpack(type, merged, view->size());
  EXPECT_EQ(elements.size(), view->size());
  EXPECT_EQ(pack(type, elements), merged) << "padding bits are zero";
  for (std::size_t at = 0; at < elements.size(); ++at) {
    EXPECT_TRUE((*view)[at].admits(type, elements[at])) << "element " << at << " is " << elements[at].low;
    std::uint8_t bytes[16];
    std::size_t width = 0;
    const Index index = index_of(at, item.shape);
    if (reference::lookup(reading, tensor, index, bytes, width) != reference::ValueStatus::ok)
      ADD_FAILURE() << "lookup of element " << at << " fails";
    else
      EXPECT_EQ(bits_of(bytes, width), elements[at]) << "lookup and merge differ at " << at;
  }
  return elements.size();
}

TEST(Agreement, ReferenceGivesWhatTheOracleAdmitsForEveryGrownComposite) {
  std::mt19937_64 random{20};
  std::uint64_t elements = 0;
  for (int round = 0; round < 1500 && !testing::Test::HasFailure(); ++round) {
    SCOPED_TRACE(round);
    const std::vector<std::uint8_t> bytes = random_decisions(random);
    Decisions decisions{bytes};
    GrowthLimits limits;
    limits.readings = round % 2 == 0;
    const Model model = grow(decisions, limits);
    const std::vector<std::uint8_t> input = write(model, facts::Surface::bare);
    const reference::Reading reading = reference::read(input, facts::Surface::bare, reference::Waivers::none());
    ASSERT_TRUE(reading.accepted()) << reading.violation->message.text();
    std::uint32_t tensor = 0;
    for (const Node& item : model.items) {
      elements += compare(item, reading, tensor);
      tensor += reading.tensors[tensor].skip;
    }
  }
  EXPECT_GT(elements, 50000u);
}

TEST(Growth, ScalarsGrowAlsoWhenNothingMayBeStored) {
  std::mt19937_64 random{21};
  GrowthLimits limits;
  limits.elements = 0;
  for (int round = 0; round < 500; ++round) {
    const std::vector<std::uint8_t> bytes = random_decisions(random);
    Decisions decisions{bytes};
    const Model model = grow(decisions, limits);
    EXPECT_FALSE(model.items.empty());
  }
}

}  // namespace
}  // namespace hurray::generators
