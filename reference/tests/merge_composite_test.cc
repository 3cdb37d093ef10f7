// layouts/composite.md, Composition Semantics: which member gives an element its value, and what add makes of several.
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "reference/tests/reading_builder.h"

namespace hurray::reference {
namespace {

namespace tag = facts::tag;
namespace layout_tag = facts::layout_tag;

ByteVector counting(std::size_t n, float first = 0) {
  std::vector<float> numbers(n);
  std::iota(numbers.begin(), numbers.end(), first);
  return floats(numbers);
}

TEST(Partition, ElementThreeSixOfTheExampleIsMemberOnesThreeTwo) {
  ReadingBuilder b;
  b.partition(tag::float32, {8, 8});
  b.tensor(tag::float32, {8, 4}, {counting(32)});
  b.tensor(tag::float32, {8, 4}, {counting(32, 100)});
  b.at({0, 4}).close();
  EXPECT_EQ(looked_up_float(b.reading(), {3, 6}), 100 + 3 * 4 + 2);
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Partition, ColumnMajorMemberUnderARowMajorView) {
  ReadingBuilder b;
  b.partition(tag::float32, {2, 4});
  b.tensor(tag::float32, {2, 2}, {counting(4)}, layout_tag::column_major);
  b.tensor(tag::float32, {2, 2}, {counting(4, 10)});
  b.at({0, 2}).close();
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 2, 10, 11, 1, 3, 12, 13}));
}

/// A partition into boxes as wide as `widths` say, over and over, along the last axis of `shape`.
void cut_into_columns(ReadingBuilder& b, std::uint8_t type, const Indices& shape, const Indices& widths) {
  const std::size_t bytes = facts::element_type(type)->bits / 8u;
  b.partition(type, shape);
  std::uint8_t next = 0;
  for (std::uint64_t column = 0, turn = 0; column < shape.back(); ++turn) {
    Indices box = shape, offset(shape.size(), 0);
    box.back() = std::min(widths[turn % widths.size()], shape.back() - column);
    offset.back() = column;
    column += box.back();
    ByteVector elements(bytes * std::accumulate(box.begin(), box.end(), std::uint64_t{1}, std::multiplies<>()));
    for (std::uint8_t& byte : elements) byte = next = static_cast<std::uint8_t>(next * 5 + 1);
    b.tensor(type, box, {elements}, turn % 7 == 3 ? layout_tag::column_major : layout_tag::row_major);
    b.at(offset);
  }
  b.close();
}

TEST(Partition, NarrowColumnsOfEveryWidthOfElement) {
  for (const std::uint8_t type : {tag::int8, tag::float16, tag::float32, tag::float64, tag::complex128})
    for (const Indices& widths : {Indices{1}, Indices{4}, Indices{1, 2, 3}, Indices{40, 1}})
      for (const Indices& shape : {Indices{9, 70}, Indices{2, 3, 5, 33}}) {
        ReadingBuilder b;
        cut_into_columns(b, type, shape, widths);
        EXPECT_TRUE(lookup_agrees_with_merge(b.reading())) << int{type} << " rank " << shape.size() << " first width " << widths[0];
      }
}

TEST(Partition, NarrowColumnsOfRowsLongerThanASlab) {
  ReadingBuilder b;
  cut_into_columns(b, tag::float64, {2, 40000}, {32700, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3});
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Partition, NarrowColumnsOfANestedHead) {
  ReadingBuilder b;
  b.partition(tag::int16, {6, 6});
  b.tensor(tag::int16, {6, 2}, {ByteVector(24, 9)});
  const std::uint32_t nested = b.partition(tag::int16, {6, 4});
  for (std::uint64_t column = 0; column < 4; ++column) {
    ByteVector elements(12);
    std::iota(elements.begin(), elements.end(), static_cast<std::uint8_t>(column * 16));
    b.tensor(tag::int16, {6, 1}, {elements});
    b.at({0, column});
  }
  b.close();
  b.at(nested, {0, 2});
  b.close();
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Partition, SparseMemberSuppliesImplicitZeros) {
  ReadingBuilder b;
  b.partition(tag::float32, {4});
  b.coo(tag::float32, {3}, floats({5}), {1});
  b.tensor(tag::float32, {1}, {floats({7})});
  b.at({3}).close();
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 5, 0, 7}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Partition, BoxesOfSubByteElementsShareBytes) {
  ReadingBuilder b;  // uint4 [2,3]: columns 0 and 1 from one member, column 2 from another; rows straddle bytes
  b.partition(tag::uint4, {2, 3});
  b.tensor(tag::uint4, {2, 2}, {{0x21, 0x43}});
  b.tensor(tag::uint4, {2, 1}, {{0xBA}});
  b.at({0, 2}).close();
  EXPECT_EQ(merged(b.reading()), (ByteVector{0x21, 0x3A, 0xB4}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Partition, BoolAndSixBitBoxesShareBytesAndLeavePaddingZero) {
  ReadingBuilder bools;
  bools.partition(tag::boolean, {5});
  bools.tensor(tag::boolean, {3}, {{0xFD}});  // padding bits poisoned
  bools.tensor(tag::boolean, {2}, {{0xFE}});
  bools.at({3}).close();
  EXPECT_EQ(merged(bools.reading()), (ByteVector{0b10101}));
  ReadingBuilder sixes;
  sixes.partition(tag::float6_e2m3, {5});
  sixes.tensor(tag::float6_e2m3, {2}, {{0x81, 0x00, 0x00}});  // 1, 2
  sixes.tensor(tag::float6_e2m3, {3}, {{0x04, 0xF2, 0x03}});  // 4, 8, 63
  sixes.at({2}).close();
  EXPECT_EQ(merged(sixes.reading()), (ByteVector{0x81, 0x40, 0x20, 0x3F, 0x00, 0x00}));
  EXPECT_TRUE(lookup_agrees_with_merge(sixes.reading()));
}

TEST(Partition, BitPatternsAreCopiedUntouched) {
  ReadingBuilder b;
  const std::vector<std::uint32_t> patterns{0x7F800001, 0xFFC12345, 0x80000000, 0x00000001};
  b.partition(tag::float32, {4});
  b.tensor(tag::float32, {4}, {bytes_of(patterns)});
  b.close();
  EXPECT_EQ(merged(b.reading()), bytes_of(patterns));
}

TEST(Partition, EmptyBoxesAndEmptyHeadsHoldNothing) {
  ReadingBuilder b;
  b.partition(tag::float32, {2, 2});
  b.tensor(tag::float32, {2, 0}, {{}});
  b.tensor(tag::float32, {2, 2}, {counting(4)});
  b.tensor(tag::float32, {0, 1}, {{}});
  b.at({2, 1}).close();
  EXPECT_EQ(merged(b.reading()), counting(4));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
  ReadingBuilder empty;
  empty.partition(tag::float32, {0, std::uint64_t{1} << 63, 4});
  empty.close();
  EXPECT_EQ(merged_size(empty.reading(), 0), 0u);
  EXPECT_EQ(merge(empty.reading(), 0, {}), ValueStatus::ok);
}

TEST(Partition, EveryRankUpTo64) {
  for (const std::size_t rank : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{5}, std::size_t{8}, std::size_t{64}}) {
    // Extent 2 along the first and the last axes, 1 between; cut along the last one with elements.
    Indices shape(rank, 1);
    for (std::size_t axis = 0; axis < std::min<std::size_t>(rank, 4); ++axis) shape[axis] = 2;
    shape[rank - 1] = 3;
    std::uint64_t count = 1;
    for (const std::uint64_t extent : shape) count *= extent;
    Indices left = shape, right = shape, offset(rank, 0);
    left[rank - 1] = 1;
    right[rank - 1] = 2;
    offset[rank - 1] = 1;
    ReadingBuilder b;
    b.partition(tag::float32, shape);
    b.tensor(tag::float32, left, {counting(count / 3)});
    b.tensor(tag::float32, right, {counting(count / 3 * 2, 1000)}, layout_tag::column_major);
    b.at(offset).close();
    EXPECT_EQ(merged(b.reading()).size(), count * 4) << rank;
    EXPECT_EQ(looked_up_float(b.reading(), Indices(rank, 0)), 0) << rank;
    EXPECT_TRUE(lookup_agrees_with_merge(b.reading())) << rank;
  }
}

TEST(Replace, LatestCoveringCorrectionWins) {
  ReadingBuilder b;
  b.replace(tag::float32, {6});
  b.tensor(tag::float32, {6}, {counting(6)});
  b.tensor(tag::float32, {3}, {counting(3, 10)});
  b.at({1});
  b.tensor(tag::float32, {2}, {counting(2, 20)});
  b.at({3}).close();
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 10, 11, 20, 21, 5}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Replace, AHundredCorrectionsOnOneIndex) {
  ReadingBuilder b;
  b.replace(tag::float32, {3});
  b.tensor(tag::float32, {3}, {counting(3)});
  for (int correction = 1; correction <= 100; ++correction) {
    b.tensor(tag::float32, {1}, {floats({static_cast<float>(correction)})});
    b.at({1});
  }
  b.close();
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 100, 2}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Replace, SpanningCorrectionHidesAllBelow) {
  ReadingBuilder b;
  b.replace(tag::float32, {3});
  b.tensor(tag::float32, {3}, {counting(3)});
  b.tensor(tag::float32, {3}, {counting(3, 10)});
  b.tensor(tag::float32, {1}, {floats({7})});
  b.close();
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{7, 11, 12}));
}

TEST(Replace, SparseCorrectionReplacesWhatItStoresZerosIncluded) {
  ReadingBuilder b;
  b.replace(tag::float32, {5});
  b.tensor(tag::float32, {5}, {counting(5, 1)});
  b.coo(tag::float32, {4}, floats({0.0f, 9.0f}), {0, 2});
  b.at({1}).close();
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{1, 0, 3, 9, 5}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Replace, SparseBaseSuppliesZeros) {
  ReadingBuilder b;
  b.replace(tag::float32, {3});
  b.coo(tag::float32, {3}, floats({4}), {2});
  b.tensor(tag::float32, {1}, {floats({8})});
  b.close();
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{8, 0, 4}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Replace, NestedHeadReplacesItsWholeBoxAlsoWithZeros) {
  ReadingBuilder b;
  b.replace(tag::float32, {4});
  b.tensor(tag::float32, {4}, {counting(4, 1)});
  const std::uint32_t nested = b.partition(tag::float32, {2});
  b.at({1});
  b.coo(tag::float32, {2}, floats({9}), {1});
  b.close();
  b.at(nested, {1}).close();
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{1, 0, 9, 4}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Replace, NanOfTheBaseIsGoneUnderACorrectionAndKeptElsewhere) {
  ReadingBuilder b;
  b.replace(tag::float32, {2});
  b.tensor(tag::float32, {2}, {bytes_of<std::uint32_t>({0x7F800001, 0x7F800001})});
  b.tensor(tag::float32, {1}, {floats({-0.0f})});
  b.close();
  EXPECT_EQ(merged(b.reading()), bytes_of<std::uint32_t>({0x80000000, 0x7F800001}));
}

TEST(Add, SumsCoveringCorrectionsInEmissionOrder) {
  ReadingBuilder b;
  b.add(tag::float32, {3});
  b.tensor(tag::float32, {3}, {floats({1.0f, 1.0f, 1.0f})});
  b.tensor(tag::float32, {2}, {floats({0x1p-24f, 0x1p-24f})});
  b.at({1});
  b.tensor(tag::float32, {1}, {floats({0x1p-24f})});
  b.at({2}).close();
  // 1 + 2^-24 is half way and rounds to 1, twice; the two corrections together would have reached 1 + 2^-23.
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{1, 1, 1}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Add, UnstoredCoordinatesContributeNothingAndStoredZerosDo) {
  ReadingBuilder b;
  b.add(tag::float32, {3});
  b.tensor(tag::float32, {3}, {bytes_of<std::uint32_t>({0x80000000, 0x80000000, 0x7F800001})});
  b.coo(tag::float32, {3}, floats({0.0f, 1.0f}), {1, 2});
  b.close();
  EXPECT_EQ(merged(b.reading()), bytes_of<std::uint32_t>({0x80000000, 0x00000000, 0x7FC00001}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Add, UncoveredBasePatternsStayAsTheyAre) {
  ReadingBuilder b;
  b.add(tag::float16, {3});
  b.tensor(tag::float16, {3}, {bytes_of<std::uint16_t>({0x7C01, 0x7C01, 0x8000})});
  b.tensor(tag::float16, {1}, {bytes_of<std::uint16_t>({0x0001})});
  b.at({1}).close();
  EXPECT_EQ(merged(b.reading()), bytes_of<std::uint16_t>({0x7C01, 0x7E01, 0x8000}));
}

TEST(Add, NestedHeadIsOneSummand) {
  ReadingBuilder b;
  b.add(tag::float32, {2});
  b.tensor(tag::float32, {2}, {floats({1.0f, 1.0f})});
  const std::uint32_t nested = b.add(tag::float32, {2});
  b.tensor(tag::float32, {2}, {floats({0x1p-24f, 0x1p-24f})});
  b.tensor(tag::float32, {1}, {floats({0x1p-24f})});
  b.close();
  b.at(nested, {0}).close();
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{1.0f + 0x1p-23f, 1.0f}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Add, EveryTypeAndSharedBytes) {
  ReadingBuilder b;
  b.add(tag::int4, {5});
  b.tensor(tag::int4, {5}, {{0x87, 0x21, 0x0F}});
  b.tensor(tag::int4, {3}, {{0x11, 0x01}});
  b.at({2}).close();
  EXPECT_EQ(merged(b.reading()), (ByteVector{0x87, 0x32, 0x00}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Nested, OffsetsAreLocalToTheNestedHead) {
  ReadingBuilder b;
  b.partition(tag::float32, {4, 4});
  b.tensor(tag::float32, {2, 4}, {counting(8)});
  const std::uint32_t nested = b.replace(tag::float32, {2, 4});
  b.tensor(tag::float32, {2, 4}, {counting(8, 10)});
  b.tensor(tag::float32, {1, 2}, {counting(2, 50)});
  b.at({1, 1}).close();
  b.at(nested, {2, 0}).close();
  EXPECT_EQ(merged_floats(b.reading()),
            (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 50, 51, 17}));
  EXPECT_EQ(looked_up_float(b.reading(), {3, 2}), 51);
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
  EXPECT_EQ(merged_floats(b.reading(), nested), (std::vector<float>{10, 11, 12, 13, 14, 50, 51, 17}));
}

TEST(Scalar, HasOneElement) {
  ReadingBuilder b;
  b.partition(tag::complex128, {});
  b.tensor(tag::complex128, {}, {bytes_of<double>({1.5, -2.5})});
  b.close();
  EXPECT_EQ(merged(b.reading()), bytes_of<double>({1.5, -2.5}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(NoValues, GroupsAndPrivateTypes) {
  ByteVector out(16);
  std::size_t size = 0;
  ReadingBuilder group;
  group.open(tag::float32, {1}, facts::composition_rule::group);
  group.tensor(tag::float32, {1}, {counting(1, 3)});
  group.close();
  EXPECT_EQ(merged_size(group.reading(), 0), std::nullopt);
  EXPECT_EQ(lookup(group.reading(), 0, Indices{0}, out, size), ValueStatus::no_values);
  EXPECT_EQ(looked_up_float(group.reading(), {0}, 1), 3);

  ReadingBuilder unknown;
  unknown.partition(tag::float32, {1});
  unknown.tensor(0xF0, {1}, {counting(1)});
  unknown.close();
  EXPECT_EQ(merged_size(unknown.reading(), 0), std::nullopt);
  EXPECT_EQ(merge(unknown.reading(), 0, std::span{out}.first(4)), ValueStatus::no_values);
}

TEST(NoValues, NoSuchTensorWrongIndexWrongSize) {
  ReadingBuilder b;
  b.tensor(tag::float32, {2}, {counting(2)});
  ByteVector out(16);
  std::size_t size = 0;
  EXPECT_EQ(lookup(b.reading(), 1, Indices{0}, out, size), ValueStatus::out_of_range);
  EXPECT_EQ(lookup(b.reading(), 0, Indices{2}, out, size), ValueStatus::out_of_range);
  EXPECT_EQ(lookup(b.reading(), 0, Indices{0, 0}, out, size), ValueStatus::out_of_range);
  EXPECT_EQ(merge(b.reading(), 0, out), ValueStatus::too_large);
}

TEST(HugeView, LooksUpWithoutBeingMerged) {
  ReadingBuilder b;  // 2^80 elements, all one
  const std::uint64_t side = std::uint64_t{1} << 40;
  b.partition(tag::uint8, {side, side});
  b.strided(tag::uint8, {side, side}, {7}, {0, 0});
  b.close();
  EXPECT_EQ(merged_size(b.reading(), 0), std::nullopt);
  EXPECT_EQ(looked_up(b.reading(), {side - 1, side - 1}), 7u);
}

}  // namespace
}  // namespace hurray::reference
