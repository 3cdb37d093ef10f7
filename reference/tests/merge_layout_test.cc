// Worked examples of layouts/*.md, and what they leave to be tried: poisoned padding, every walk order, broken structures.
#include <gtest/gtest.h>

#include <numeric>

#include "reference/tests/reading_builder.h"

namespace hurray::reference {
namespace {

namespace tag = facts::tag;
namespace layout_tag = facts::layout_tag;

/// n floats 0, 1, 2 …: an element's value tells the position that it was read from.
ByteVector counting(std::size_t n) {
  std::vector<float> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  return floats(numbers);
}

TEST(RowMajor, ExampleElementLiesAtOffsetSix) {
  ReadingBuilder b;
  b.tensor(tag::float32, {3, 4}, {counting(12)});
  EXPECT_EQ(looked_up_float(b.reading(), {1, 2}), 6);
  EXPECT_EQ(merged(b.reading()), counting(12));
}

TEST(ColumnMajor, ExampleElementLiesAtOffsetSeven) {
  ReadingBuilder b;
  b.tensor(tag::float32, {3, 4}, {counting(12)}, layout_tag::column_major);
  EXPECT_EQ(looked_up_float(b.reading(), {1, 2}), 7);
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}));
}

TEST(Strided, NegativeStrideRunsBackwardsFromByteOffset) {
  ReadingBuilder b;
  b.strided(tag::float32, {3, 4}, counting(12), {-4, 1}, 8 * 4);
  EXPECT_EQ(looked_up_float(b.reading(), {2, 3}), 3);  // element 8 - 5
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Strided, ZeroStrideBroadcasts) {
  ReadingBuilder b;
  b.strided(tag::float32, {2, 3}, counting(3), {0, 1});
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 1, 2, 0, 1, 2}));
}

TEST(Strided, SubByteElementsBehindByteOffsetKeepTheirBits) {
  ReadingBuilder b;  // uint4, from byte 2 backwards: elements 0, -1, -2, -3 are nibbles 4, 3, 2, 1 of the buffer
  b.strided(tag::uint4, {4}, {0x21, 0x43, 0x65}, {-1}, 2);
  EXPECT_EQ(merged(b.reading()), (ByteVector{0x45, 0x23}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

std::uint32_t tiled(ReadingBuilder& b, std::uint8_t type, const Indices& shape, const ByteVector& data,
                    const std::vector<TileLevel>& levels) {
  const std::uint32_t at = b.tensor(type, shape, {data}, layout_tag::tiled);
  b.descriptor(at).layout.tiles = levels;
  b.descriptor(at).layout.tile_levels = static_cast<std::uint8_t>(levels.size());
  return at;
}

TEST(Tiled, ExampleElementLiesAtOffset29) {
  ReadingBuilder b;
  tiled(b, tag::float32, {6, 8}, counting(48), {{b.u64_array({2, 4}), 1, 1, {}, {}}});
  EXPECT_EQ(looked_up_float(b.reading(), {3, 5}), 29);
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Tiled, PaddingOfEdgeTilesIsNeverSeen) {
  ReadingBuilder b;  // [3,3] in tiles of [2,2]: the element at tile (t,u), inside (i,j) is 4*(2t+u) + 2i + j
  std::vector<float> data(16, std::numeric_limits<float>::quiet_NaN());
  for (const int at : {0, 1, 2, 3, 4, 6, 8, 9, 12}) data[static_cast<std::size_t>(at)] = static_cast<float>(at);
  tiled(b, tag::float32, {3, 3}, floats(data), {{b.u64_array({2, 2}), 1, 1, {}, {}}});
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 1, 4, 2, 3, 6, 8, 9, 12}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Tiled, ColumnMajorOutsideAndInside) {
  ReadingBuilder b;  // [4,4], tiles [2,2]: tile number t0 + 2*t1, inside i0 + 2*i1
  tiled(b, tag::float32, {4, 4}, counting(16), {{b.u64_array({2, 2}), 2, 2, {}, {}}});
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 2, 8, 10, 1, 3, 9, 11, 4, 6, 12, 14, 5, 7, 13, 15}));
}

TEST(Tiled, StridedTilesCountInTilesAndStridedElementsInElements) {
  ReadingBuilder b;  // tiles of [1,2] in reverse order, elements inside swapped; the buffer starts at the last tile
  const std::uint32_t at = tiled(b, tag::float32, {1, 6}, counting(7), {{b.u64_array({1, 2}), 3, 3, b.i64_array({0, -1}), b.i64_array({0, -1})}});
  b.descriptor(at).byte_offset = 5 * 4;
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{5, 4, 3, 2, 1, 0}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Tiled, RecursionSubdividesEachTile) {
  ReadingBuilder b;  // [4,4] in tiles [4,2] in tiles [2,2]: outer (i1/2)*8, middle (i0/2)*4, inner 2*(i0%2) + i1%2
  tiled(b, tag::float32, {4, 4}, counting(16), {{b.u64_array({4, 2}), 1, 4, {}, {}}, {b.u64_array({2, 2}), 1, 1, {}, {}}});
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Tiled, SixBitElementsAreTakenFromTheirGroups) {
  ReadingBuilder b;  // codes 1, 2, 4, 8 in one group: 81 40 20 (element-types.md); tiles [2] column-major of shape [4]
  tiled(b, tag::float6_e3m2, {4}, {0x81, 0x40, 0x20}, {{b.u64_array({2}), 1, 1, {}, {}}});
  EXPECT_EQ(looked_up(b.reading(), {1}), 2u);
  EXPECT_EQ(looked_up(b.reading(), {3}), 8u);
  EXPECT_EQ(merged(b.reading()), (ByteVector{0x81, 0x40, 0x20}));
}

TEST(Morton, ExampleElementLiesAtOffset14) {
  ReadingBuilder b;
  const std::uint32_t at = b.tensor(tag::float32, {4, 4}, {counting(16)}, layout_tag::morton);
  b.descriptor(at).layout.morton_bits = b.u32_array({2, 2});
  EXPECT_EQ(looked_up_float(b.reading(), {2, 3}), 14);
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 2, 8, 10, 1, 3, 9, 11, 4, 6, 12, 14, 5, 7, 13, 15}));
}

TEST(Morton, PaddingIsNeverSeen) {
  ReadingBuilder b;
  std::vector<float> data(16, std::numeric_limits<float>::quiet_NaN());
  for (const int at : {0, 2, 8, 1, 3, 9, 4, 6, 12}) data[static_cast<std::size_t>(at)] = static_cast<float>(at);
  const std::uint32_t at = b.tensor(tag::float32, {3, 3}, {floats(data)}, layout_tag::morton);
  b.descriptor(at).layout.morton_bits = b.u32_array({2, 2});
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 2, 8, 1, 3, 9, 4, 6, 12}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

std::uint32_t hilbert(ReadingBuilder& b, std::uint32_t rank, std::uint32_t order) {
  const Indices shape(rank, std::uint64_t{1} << order);
  const std::uint32_t at = b.tensor(tag::float32, shape, {counting(std::size_t{1} << (rank * order))}, layout_tag::hilbert);
  b.descriptor(at).layout.hilbert_order = order;
  b.descriptor(at).layout.hilbert_rank = rank;
  return at;
}

TEST(Hilbert, FourByFourFollowsThePrintedTable) {
  ReadingBuilder b;
  hilbert(b, 2, 2);
  const std::uint64_t table[16][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}, {0, 3}, {1, 3}, {1, 2},
                                      {2, 2}, {2, 3}, {3, 3}, {3, 2}, {3, 1}, {2, 1}, {2, 0}, {3, 0}};
  for (std::size_t h = 0; h < 16; ++h)
    EXPECT_EQ(looked_up_float(b.reading(), {table[h][0], table[h][1]}), static_cast<float>(h));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Hilbert, ConsecutivePositionsAreNeighboursAtEveryRank) {
  const std::uint32_t cases[][2] = {{2, 1}, {2, 5}, {3, 3}, {4, 2}, {8, 1}};
  for (const auto& [rank, order] : cases) {
    ReadingBuilder b;
    hilbert(b, rank, order);
    const std::vector<float> view = merged_floats(b.reading());
    std::vector<Indices> visited(view.size());
    for (std::uint64_t position = 0; position < view.size(); ++position) {
      Indices index(rank);
      for (std::uint32_t axis = 0; axis < rank; ++axis) index[axis] = (position >> (order * (rank - 1 - axis))) & ((1u << order) - 1);
      visited[static_cast<std::size_t>(view[position])] = index;
    }
    for (std::size_t h = 0; h < visited.size(); ++h) {
      ASSERT_EQ(visited[h].size(), rank) << "position " << h << " is visited once";
      if (h == 0) continue;
      std::uint64_t distance = 0;
      for (std::uint32_t axis = 0; axis < rank; ++axis)
        distance += visited[h][axis] > visited[h - 1][axis] ? visited[h][axis] - visited[h - 1][axis] : visited[h - 1][axis] - visited[h][axis];
      ASSERT_EQ(distance, 1u) << h;
    }
  }
}

const std::vector<float> sparse_example{1, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 5, 0, 0, 0, 0, 0};

TEST(Coo, ExampleStoresThreeOfSixteen) {
  ReadingBuilder b;
  b.coo(tag::float32, {4, 4}, floats({1.5f, -0.5f, 2.0f}), {0, 1, 2, 0, 3, 3});
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 1.5f, 0, 0, 0, 0, 0, 0, -0.5f, 0, 0, 0, 0, 0, 0, 2}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Coo, UnsortedCoordinatesAreFound) {
  ReadingBuilder b;
  b.coo(tag::float32, {4, 4}, floats({2.0f, -0.5f, 1.5f}), {3, 3, 2, 0, 0, 1}, false);
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 1.5f, 0, 0, 0, 0, 0, 0, -0.5f, 0, 0, 0, 0, 0, 0, 2}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Csr, ExampleDecodes) {
  ReadingBuilder b;
  b.compressed(layout_tag::csr, tag::float32, {4, 5}, floats({1, 2, 3, 4, 5}), {0, 3, 2, 1, 4}, {0, 2, 3, 5, 5});
  EXPECT_EQ(merged_floats(b.reading()), sparse_example);
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Csc, ExampleDecodes) {
  ReadingBuilder b;
  b.compressed(layout_tag::csc, tag::float32, {4, 5}, floats({1, 4, 3, 2, 5}), {0, 2, 1, 0, 2}, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(merged_floats(b.reading()), sparse_example);
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

std::uint32_t csf(ReadingBuilder& b, const Indices& shape, const std::vector<std::uint32_t>& mode_order, const std::vector<ByteVector>& buffers, std::uint64_t nnz) {
  const std::uint32_t at = b.tensor(tag::float32, shape, buffers, layout_tag::csf);
  b.descriptor(at).layout.nnz = nnz;
  b.descriptor(at).layout.mode_order = b.u32_array(mode_order);
  return at;
}

TEST(Csf, ExampleDecodes) {
  ReadingBuilder b;
  csf(b, {2, 3, 4}, {0, 1, 2}, {floats({1, 2, 3, 4}), u64s({0, 2}), u64s({0, 1}), u64s({0, 2, 3}), u64s({0, 2, 1}), u64s({0, 1, 2, 4}), u64s({1, 3, 0, 2})}, 4);
  std::vector<float> view(24, 0.0f);
  view[1] = 1, view[11] = 2, view[16] = 3, view[18] = 4;
  EXPECT_EQ(merged_floats(b.reading()), view);
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Csf, ModeOrderPermutesTheLevels) {
  ReadingBuilder b;  // levels hold axes 2, 0, 1: stored (k,i,j) = (0,1,1), (2,0,0), (2,0,2)
  csf(b, {2, 3, 4}, {2, 0, 1}, {floats({1, 2, 3}), u64s({0, 2}), u64s({0, 2}), u64s({0, 1, 2}), u64s({1, 0}), u64s({0, 1, 3}), u64s({1, 0, 2})}, 3);
  std::vector<float> view(24, 0.0f);
  view[12 + 4 + 0] = 1, view[2] = 2, view[8 + 2] = 3;
  EXPECT_EQ(merged_floats(b.reading()), view);
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(Csf, EmptyTensorIsZero) {
  ReadingBuilder b;
  csf(b, {1, 2, 2}, {0, 1, 2}, {{}, u64s({0, 0}), {}, u64s({0}), {}, u64s({0}), {}}, 0);
  EXPECT_EQ(merged_floats(b.reading()), std::vector<float>(4, 0.0f));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

std::uint32_t paged(ReadingBuilder& b, std::uint64_t tokens, const std::vector<std::uint32_t>& table, const std::vector<std::uint32_t>& sequences) {
  const std::uint32_t at = b.tensor(tag::float32, {tokens, 1, 2}, {counting(16), bytes_of(table), bytes_of(sequences)}, layout_tag::block_paged);
  LayoutFields& fields = b.descriptor(at).layout;
  fields.page_size = 2;
  fields.num_pages = 4;
  fields.num_seqs = static_cast<std::uint32_t>(sequences.size() - 1);
  return at;
}

TEST(BlockPaged, TokensFollowTheBlockTable) {
  ReadingBuilder b;
  paged(b, 3, {2, 0}, {0, 2});
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{8, 9, 10, 11, 0, 1}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(BlockPaged, FullPagesOfSeveralSequencesFollowEachOther) {
  ReadingBuilder b;
  paged(b, 6, {3, 1, 3}, {0, 2, 3});
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{12, 13, 14, 15, 4, 5, 6, 7, 12, 13, 14, 15}));
}

TEST(BlockPaged, UnfilledPagesOfSeveralSequencesHaveNoValue) {
  ReadingBuilder b;
  paged(b, 5, {3, 1, 2}, {0, 2, 3});
  EXPECT_EQ(merged_size(b.reading(), 0), std::nullopt);
}

}  // namespace
}  // namespace hurray::reference
