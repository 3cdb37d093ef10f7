#include "reference/cover.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

namespace hurray::reference {
namespace {

using Shape = std::vector<std::uint64_t>;
struct Box {
  Shape offset, shape;
};

Cover cover_of(const Shape& extent, const std::vector<Box>& boxes) {
  Cover cover(extent);
  for (const Box& box : boxes) cover.add(box.offset, box.shape);
  return cover;
}

CoverVerdict decide(const Shape& extent, const std::vector<Box>& boxes, CoverDuties duties = {}) {
  return cover_of(extent, boxes).decide(duties);
}

std::uint64_t times(std::uint64_t a, std::uint64_t b) {  // in the field of 2^61 - 1
  constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  const std::uint64_t sum = static_cast<std::uint64_t>(product & prime) + static_cast<std::uint64_t>(product >> 61);
  return sum >= prime ? sum - prime : sum;
}

/// The other decision: boxes tile exactly when the sum of their products of e[low] - e[high] is the index space's,
/// e being any map of coordinates into a field. It stores no box and cuts nothing.
bool identity_holds(const Shape& extent, const std::vector<Box>& boxes, std::uint64_t key) {
  constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;
  const auto image = [key](std::size_t k, std::uint64_t coordinate) {
    std::uint64_t x = coordinate + key * (2 * k + 1);
    for (const std::uint64_t mix : {0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu, 0xd6e8feb86659fd93u})
      x = (x ^ (x >> 31)) * mix;
    return (x ^ (x >> 29)) % prime;
  };
  const auto term = [&](const Shape& offset, const Shape& shape) {
    std::uint64_t product = 1;
    for (std::size_t k = 0; k < extent.size(); ++k)
      product = times(product, (image(k, offset[k]) + prime - image(k, offset[k] + shape[k])) % prime);
    return product;
  };
  std::uint64_t sum = 0;
  for (const Box& box : boxes) sum = (sum + term(box.offset, box.shape)) % prime;
  return sum == term(Shape(extent.size(), 0), extent);
}

/// Counts the boxes at every index, the slow and obvious way.
struct Count {
  bool gap = false, overlap = false;
};
template <typename Visit>
void each_index(const Shape& extent, Visit visit) {
  Shape index(extent.size(), 0);
  for (const std::uint64_t size : extent)
    if (size == 0) return;
  while (true) {
    visit(index);
    std::size_t k = extent.size();
    while (k > 0 && ++index[k - 1] == extent[k - 1]) index[--k] = 0;
    if (k == 0) return;
  }
}
std::size_t holders(const std::vector<Box>& boxes, std::span<const std::uint64_t> index) {
  std::size_t count = 0;
  for (const Box& box : boxes) {
    bool inside = true;
    for (std::size_t k = 0; k < box.offset.size(); ++k)
      inside = inside && index[k] >= box.offset[k] && index[k] - box.offset[k] < box.shape[k];
    count += inside ? 1 : 0;
  }
  return count;
}
Count count(const Shape& extent, const std::vector<Box>& boxes) {
  Count result;
  each_index(extent, [&](const Shape& index) {
    const std::size_t held = holders(boxes, index);
    result.gap = result.gap || held == 0;
    result.overlap = result.overlap || held > 1;
  });
  return result;
}

std::uint64_t below(std::mt19937_64& random, std::uint64_t limit) { return random() % limit; }

/// Cuts the whole space at random until about `pieces` boxes are there.
std::vector<Box> random_tiling(std::mt19937_64& random, const Shape& extent, std::size_t pieces) {
  std::vector<Box> boxes{{Shape(extent.size(), 0), extent}};
  for (std::size_t cut = 1; cut < pieces; ++cut) {
    Box& box = boxes[below(random, boxes.size())];
    const std::size_t k = below(random, extent.size());
    if (box.shape[k] < 2) continue;
    const std::uint64_t low = 1 + below(random, box.shape[k] - 1);
    Box upper = box;
    upper.offset[k] += low;
    upper.shape[k] -= low;
    box.shape[k] = low;
    boxes.push_back(upper);
  }
  std::shuffle(boxes.begin(), boxes.end(), random);
  return boxes;
}

void expect_agreement(const Shape& extent, const std::vector<Box>& boxes) {
  const Count truth = count(extent, boxes);
  const CoverVerdict verdict = decide(extent, boxes);
  EXPECT_EQ(verdict.fault == CoverFault::none, !truth.gap && !truth.overlap);
  EXPECT_EQ(identity_holds(extent, boxes, 0x9e3779b97f4a7c15u), !truth.gap && !truth.overlap);
  const std::span<const std::uint64_t> cell = verdict.cell;
  if (verdict.fault == CoverFault::gap) {
    EXPECT_EQ(holders(boxes, cell), 0u);
  }
  if (verdict.fault == CoverFault::overlap) {
    EXPECT_LT(verdict.first, verdict.second);
    EXPECT_EQ(holders({boxes[verdict.first], boxes[verdict.second]}, cell), 2u);
  }
  EXPECT_EQ(decide(extent, boxes, {true, false}).fault == CoverFault::gap, truth.gap);
  EXPECT_EQ(decide(extent, boxes, {false, true}).fault == CoverFault::overlap, truth.overlap);
}

TEST(Cover, AgreesWithCountingOnRandomBoxes) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 6000; ++round) {
    const std::size_t rank = 1 + below(random, 4);
    Shape extent(rank);
    for (std::uint64_t& size : extent) size = 1 + below(random, 5);
    std::vector<Box> boxes = random_tiling(random, extent, 1 + below(random, 12));
    for (std::uint64_t changes = below(random, 3); changes > 0; --changes) {
      Box& box = boxes[below(random, boxes.size())];
      const std::size_t k = below(random, rank);
      box.offset[k] = below(random, extent[k]);
      box.shape[k] = below(random, extent[k] - box.offset[k] + 1);
    }
    expect_agreement(extent, boxes);
  }
}

TEST(Cover, TakesPatternsThatNoStraightCutSeparates) {
  const std::vector<Box> pinwheel{{{0, 0}, {1, 2}}, {{0, 2}, {2, 1}}, {{2, 1}, {1, 2}}, {{1, 0}, {2, 1}},
                                  {{1, 1}, {1, 1}}};
  expect_agreement({3, 3}, pinwheel);
  std::vector<Box> holed = pinwheel;
  holed.pop_back();
  expect_agreement({3, 3}, holed);
}

TEST(Cover, NamesAnIndexInNoBox) {
  const CoverVerdict verdict = decide({8, 8}, {{{0, 0}, {8, 4}}, {{0, 4}, {7, 4}}});
  EXPECT_EQ(verdict.fault, CoverFault::gap);
  EXPECT_EQ(verdict.cell[0], 7u);
  EXPECT_EQ(verdict.cell[1], 4u);
}

TEST(Cover, SeesAGapBehindMatchingVolumes) {
  EXPECT_NE(decide({4, 4}, {{{0, 0}, {4, 2}}, {{0, 1}, {4, 2}}}).fault, CoverFault::none);
}

TEST(Cover, IsExactWhereVolumesWrap) {
  const std::uint64_t half = std::uint64_t{1} << 32, size = half * 2;
  const Shape extent{size, size};  // 2^66 indices
  const std::vector<Box> quarters{{{0, 0}, {half, half}}, {{0, half}, {half, half}}, {{half, 0}, {half, half}},
                                  {{half, half}, {half, half}}};
  EXPECT_EQ(decide(extent, quarters).fault, CoverFault::none);
  EXPECT_EQ(decide(extent, {}).fault, CoverFault::gap);  // 0 and 2^66 agree modulo 2^64
  for (std::size_t missing = 0; missing < quarters.size(); ++missing) {
    std::vector<Box> rest = quarters;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(missing));
    const CoverVerdict verdict = decide(extent, rest);
    EXPECT_EQ(verdict.fault, CoverFault::gap);
    EXPECT_EQ(holders({quarters[missing]}, verdict.cell), 1u);
  }
  const std::uint64_t last = ~std::uint64_t{0} - 1;
  EXPECT_EQ(decide({last}, {{{0}, {last}}}).fault, CoverFault::none);
  EXPECT_EQ(decide({last}, {{{0}, {last - 1}}}).cell[0], last - 1);
}

TEST(Cover, LetsEmptyBoxesLieAnywhere) {
  EXPECT_EQ(decide({4, 4}, {{{0, 0}, {4, 4}}, {{2, 2}, {0, 1}}, {{2, 2}, {0, 1}}, {{4, 4}, {0, 0}}}).fault,
            CoverFault::none);
  EXPECT_EQ(decide({4}, {{{2}, {0}}}).fault, CoverFault::gap);
}

TEST(Cover, AcceptsAnyBoxesInAnEmptyIndexSpace) {
  EXPECT_EQ(decide({0, 4}, {{{0, 0}, {0, 4}}, {{0, 0}, {0, 4}}}).fault, CoverFault::none);
  EXPECT_EQ(decide({0, 4}, {}).fault, CoverFault::none);
}

TEST(Cover, HoldsOneIndexAtRankZero) {
  EXPECT_EQ(decide({}, {{{}, {}}}).fault, CoverFault::none);
  EXPECT_EQ(decide({}, {{{}, {}}, {{}, {}}}).fault, CoverFault::overlap);
}

TEST(Cover, CutsOffWhatLiesOutside) {
  const std::uint64_t most = ~std::uint64_t{0};
  EXPECT_EQ(decide({4}, {{{0}, {most}}}).fault, CoverFault::none);
  EXPECT_EQ(decide({4}, {{{0}, {4}}, {{most}, {most}}}).fault, CoverFault::none);
}

TEST(Cover, WorksAtRank64) {
  std::mt19937_64 random(7);
  const Shape extent(64, std::uint64_t{1} << 40);
  std::vector<Box> boxes = random_tiling(random, extent, 500);
  EXPECT_EQ(decide(extent, boxes).fault, CoverFault::none);
  EXPECT_TRUE(identity_holds(extent, boxes, 3));
  const Box missing = boxes.back();
  boxes.pop_back();
  const CoverVerdict verdict = decide(extent, boxes);
  EXPECT_EQ(verdict.fault, CoverFault::gap);
  EXPECT_EQ(holders({missing}, verdict.cell), 1u);
}

TEST(Cover, AgreesWithTheIdentityOnLargeSpaces) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    Shape extent(1 + below(random, 6));
    for (std::uint64_t& size : extent) size = 1 + random() % (std::uint64_t{1} << (1 + below(random, 62)));
    std::vector<Box> boxes = random_tiling(random, extent, 1 + below(random, 60));
    if (below(random, 2) == 1) {
      Box& box = boxes[below(random, boxes.size())];
      const std::size_t k = below(random, extent.size());
      box.offset[k] = below(random, extent[k] - box.shape[k] + 1);
    }
    EXPECT_EQ(decide(extent, boxes).fault == CoverFault::none, identity_holds(extent, boxes, random()));
  }
}

double seconds(const Cover& cover, CoverFault expected) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(cover.decide({}).fault, expected);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Cover, ClosesAMillionBoxesInTime) {
  constexpr std::uint64_t side = 1000;
  std::vector<Box> grid;
  for (std::uint64_t row = 0; row < side; ++row)
    for (std::uint64_t column = 0; column < side; ++column) grid.push_back({{row * 3, column * 5}, {3, 5}});
  const double sorted = seconds(cover_of({3 * side, 5 * side}, grid), CoverFault::none);
  std::shuffle(grid.begin(), grid.end(), std::mt19937_64(3));
  const double shuffled = seconds(cover_of({3 * side, 5 * side}, grid), CoverFault::none);
  grid.pop_back();
  const double holed = seconds(cover_of({3 * side, 5 * side}, grid), CoverFault::gap);
  std::vector<Box> line;
  for (std::uint64_t at = 0; at < side * side; ++at) line.push_back({{0, at}, {7, 1}});
  const double slabs = seconds(cover_of({7, side * side}, line), CoverFault::none);
  std::vector<Box> spiral;  // nested frames: every straight cut at the border frees one box only
  for (std::uint64_t at = 0, size = 2 * 50'000; size > 0; ++at, size -= 2) {
    spiral.push_back({{at, at}, {1, size - 1}});
    spiral.push_back({{at, at + size - 1}, {size - 1, 1}});
    spiral.push_back({{at + size - 1, at + 1}, {1, size - 1}});
    spiral.push_back({{at + 1, at}, {size - 1, 1}});
  }
  const double nested = seconds(cover_of({100'000, 100'000}, spiral), CoverFault::none);
  RecordProperty("seconds", std::to_string(sorted) + " " + std::to_string(shuffled));
  std::printf("grid %.3f s, shuffled %.3f s, holed %.3f s, slabs %.3f s, spiral of 200000 %.3f s\n", sorted, shuffled,
              holed, slabs, nested);
  EXPECT_LT(sorted + shuffled + holed + slabs + nested, 30.0);  // sanitizers included; quadratic would take hours
}

}  // namespace
}  // namespace hurray::reference
