// The worked examples of layouts/*.md and element-types.md, byte for byte.
#include "generators/storage.h"

#include <gtest/gtest.h>

#include "generators/addressing.h"
#include "generators/build.h"
#include "generators/tests/hex.h"

namespace hurray::generators {
namespace {

Node tensor(const char* text) {
  const ParsedModel parsed = parse_model({{"tensor", nlohmann::json::parse(text)}});
  EXPECT_EQ(parsed.error, "") << text;
  return parsed.model.items.empty() ? Node{} : parsed.model.items.front();
}

Storage stored(const char* text) {
  Storage out = store(tensor(text));
  EXPECT_EQ(out.error, "") << text;
  return out;
}

std::string data(const char* text) { return to_hex(stored(text).buffers.at(0)); }

std::vector<std::uint64_t> words(const Bytes& bytes) {
  std::vector<std::uint64_t> out;
  for (std::size_t k = 0; k + 8 <= bytes.size(); k += 8) out.push_back(from_little_endian(std::span(bytes).subspan(k, 8)));
  return out;
}
using Words = std::vector<std::uint64_t>;

TEST(Packing, FourSixBitElementsFillThreeBytes) {
  EXPECT_EQ(data(R"({"type": "float6_e2m3", "shape": [4], "values": ["0x01", "0x02", "0x04", "0x08"]})"), "814020");
  EXPECT_EQ(data(R"({"type": "float6_e3m2", "shape": [5], "values": ["0x01", "0x02", "0x04", "0x08", "0x3f"]})"), "8140203f0000");
}

TEST(Packing, SubByteElementsStartAtTheLowEnd) {
  EXPECT_EQ(data(R"({"type": "bool", "shape": [5], "values": [true, false, true, true, false]})"), "0d");
  EXPECT_EQ(data(R"({"type": "uint4", "shape": [3], "values": [5, 12, 3]})"), "c503");
  EXPECT_EQ(data(R"({"type": "int2", "shape": [5], "values": [0, 1, -2, -1, 1]})"), "e401");
}

TEST(Packing, UnusedBitsAreZeroWhateverThePadding) {
  EXPECT_EQ(data(R"({"type": "bool", "shape": [3], "values": "ones", "padding": "0xff"})"), "07");
  EXPECT_EQ(data(R"({"type": "uint4", "shape": [1], "byte_offset": 1, "padding": "0xff", "spare_bytes": 1})"), "ff00ff");
}

TEST(Dense, ColumnMajorVariesTheFirstDimensionFastest) {
  EXPECT_EQ(data(R"({"type": "int8", "shape": [2, 3], "layout": "column-major"})"), "000301040205");
}

TEST(Dense, NegativeStridesRunBackwardsFromTheByteOffset) {
  const Storage out = stored(R"({"type": "float32", "shape": [3, 4], "layout": {"strided": {"strides": [-4, 1]}}})");
  EXPECT_EQ(out.byte_offset, 32u);
  EXPECT_EQ(out.buffers[0].size(), 48u);
  EXPECT_EQ(to_hex(Bytes(out.buffers[0].begin() + 32, out.buffers[0].begin() + 40)), "000000000000803f");
}

TEST(Dense, SubByteStridesStartAtAByte) {
  const Storage out = stored(R"({"type": "uint4", "shape": [3], "layout": {"strided": {"strides": [-1]}}, "values": [1, 2, 3]})");
  EXPECT_EQ(out.byte_offset, 1u);
  EXPECT_EQ(to_hex(out.buffers[0]), "2301");
}

TEST(Dense, BroadcastDimensionsCostNothing) {
  EXPECT_EQ(data(R"({"type": "uint8", "shape": ["1099511627776", "1099511627776"], "layout": {"strided": {"strides": [0, 0]}}, "values": [7]})"), "07");
  EXPECT_EQ(data(R"({"type": "uint8", "shape": [2, 3], "layout": {"strided": {"strides": [0, 1]}}})"), "000102");
  EXPECT_EQ(data(R"({"type": "uint8", "shape": [2, 2], "layout": {"strided": {"strides": [1, 1]}}})"), "000102");
  EXPECT_EQ(data(R"({"type": "uint8", "shape": [2, 2], "layout": {"strided": {"strides": [1, 1]}}, "values": [5, 6, 6, 7]})"), "050607");
}

TEST(Dense, ElementsThatShareStorageMustAgree) {
  Node node = tensor(R"({"type": "uint8", "shape": [2, 2], "layout": {"strided": {"strides": [1, 1]}}})");
  node.elements = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};
  EXPECT_EQ(store(node).error, "values: elements 1 and 2 share storage and differ");
}

TEST(Dense, TilesFollowTheWorkedExample) {
  const Addressing addressing =
      address(tensor(R"({"type": "int8", "shape": [6, 8], "layout": {"tiled": {"tile": [2, 4], "outer": "row-major", "inner": "row-major"}}})"), 48);
  EXPECT_EQ(addressing.offsets[3 * 8 + 5], 29);
  EXPECT_EQ(addressing.slots, 48u);
}

TEST(Dense, EdgeTilesAreStoredWhole) {
  EXPECT_EQ(data(R"({"type": "uint8", "shape": [3, 3], "padding": "0xee", "layout": {"tiled": {"tile": [2, 2]}}})"),
            "00010304" "02ee05ee" "0607eeee" "08eeeeee");
}

TEST(Dense, NestedTilesOrderTilesWithinTiles) {
  EXPECT_EQ(data(R"({"type": "uint8", "shape": [4, 4], "layout": {"tiled": {"tile": [4, 2], "inner": {"tiled": {"tile": [2, 1], "outer": "column-major"}}}}})"),
            "0004" "080c" "0105" "090d" "0206" "0a0e" "0307" "0b0f");
}

TEST(Dense, MortonInterleavesIndexBits) {
  const Addressing addressing = address(tensor(R"({"type": "int8", "shape": [4, 4], "layout": "morton"})"), 16);
  EXPECT_EQ(addressing.offsets[2 * 4 + 3], 14);
  EXPECT_EQ(data(R"({"type": "uint8", "shape": [3, 3], "padding": "0xee", "layout": {"morton": {"bits": [2, 2]}}})"),
            "0003" "0104" "06ee" "07ee" "0205" "eeee" "08ee" "eeee");
}

TEST(Dense, HilbertVisitsTheTableOfTheText) {
  constexpr std::uint64_t table[16][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}, {0, 3}, {1, 3}, {1, 2},
                                          {2, 2}, {2, 3}, {3, 3}, {3, 2}, {3, 1}, {2, 1}, {2, 0}, {3, 0}};
  for (std::uint64_t h = 0; h < 16; ++h) EXPECT_EQ(hilbert_index({table[h][0], table[h][1]}, 2), h);
}

TEST(Dense, HilbertMovesOneStepAtATimeInThreeDimensions) {
  std::vector<Index> visited(512);
  for (std::uint64_t k = 0; k < 512; ++k) {
    const Index point{k / 64, k / 8 % 8, k % 8};
    visited[hilbert_index(point, 3)] = point;
  }
  for (std::size_t h = 1; h < visited.size(); ++h) {
    std::uint64_t moved = 0;
    for (std::size_t d = 0; d < 3; ++d)
      moved += std::max(visited[h][d], visited[h - 1][d]) - std::min(visited[h][d], visited[h - 1][d]);
    ASSERT_EQ(moved, 1u) << h;
  }
}

TEST(Dense, EmptyTensorsStoreNothing) {
  EXPECT_EQ(data(R"({"type": "float32", "shape": [0, 4]})"), "");
  EXPECT_EQ(data(R"({"type": "float32", "shape": ["1099511627776", "1099511627776", 0], "layout": "column-major"})"), "");
  EXPECT_EQ(data(R"({"type": "float32", "shape": [0, 4], "layout": {"tiled": {"tile": [2, 2]}}})"), "");
}

TEST(Sparse, CooListsCoordinates) {
  const Storage out = stored(R"({"type": "float32", "shape": [4, 4], "layout": {"coo": {"at": [[0, 1], [2, 0], [3, 3]]}}, "values": [1.5, -0.5, 2]})");
  EXPECT_EQ(to_hex(out.buffers[0]), "0000c03f" "000000bf" "00000040");
  EXPECT_EQ(words(out.buffers[1]), (Words{0, 1, 2, 0, 3, 3}));
}

TEST(Sparse, CsrPointsAtRows) {
  const Storage out = stored(R"({"type": "float32", "shape": [4, 5], "layout": {"csr": {"at": [[0, 0], [0, 3], [1, 2], [2, 1], [2, 4]]}}, "values": "iota+1"})");
  EXPECT_EQ(words(out.buffers[1]), (Words{0, 3, 2, 1, 4}));
  EXPECT_EQ(words(out.buffers[2]), (Words{0, 2, 3, 5, 5}));
}

TEST(Sparse, CscPointsAtColumns) {
  const Storage out = stored(R"({"type": "float32", "shape": [4, 5], "layout": {"csc": {"at": [[0, 0], [2, 1], [1, 2], [0, 3], [2, 4]]}}, "values": [1, 4, 3, 2, 5]})");
  EXPECT_EQ(words(out.buffers[1]), (Words{0, 2, 1, 0, 2}));
  EXPECT_EQ(words(out.buffers[2]), (Words{0, 1, 2, 3, 4, 5}));
}

TEST(Sparse, CsfIsTheTreeOfTheText) {
  const Storage out = stored(R"({"type": "float32", "shape": [2, 3, 4], "layout": {"csf": {"at": [[0, 0, 1], [0, 2, 3], [1, 1, 0], [1, 1, 2]]}}})");
  ASSERT_EQ(out.buffers.size(), 7u);
  EXPECT_EQ(words(out.buffers[1]), (Words{0, 2}));
  EXPECT_EQ(words(out.buffers[2]), (Words{0, 1}));
  EXPECT_EQ(words(out.buffers[3]), (Words{0, 2, 3}));
  EXPECT_EQ(words(out.buffers[4]), (Words{0, 2, 1}));
  EXPECT_EQ(words(out.buffers[5]), (Words{0, 1, 2, 4}));
  EXPECT_EQ(words(out.buffers[6]), (Words{1, 3, 0, 2}));
}

TEST(Sparse, CsfNestsInModeOrder) {
  const Storage out = stored(R"({"type": "uint8", "shape": [2, 3, 4], "layout": {"csf": {"mode_order": [2, 0, 1], "at": [[0, 1, 0], [1, 0, 0], [1, 2, 3]]}}})");
  EXPECT_EQ(words(out.buffers[2]), (Words{0, 3}));
  EXPECT_EQ(words(out.buffers[3]), (Words{0, 2, 3}));
  EXPECT_EQ(words(out.buffers[4]), (Words{0, 1, 1}));
  EXPECT_EQ(words(out.buffers[6]), (Words{1, 0, 2}));
}

TEST(Sparse, AnEmptyCsfTreeHasOnePointerBelowTheRoot) {
  const Storage out = stored(R"({"type": "uint8", "shape": [2, 3, 4], "layout": {"csf": {"at": []}}})");
  EXPECT_EQ(words(out.buffers[1]), (Words{0, 0}));
  EXPECT_EQ(words(out.buffers[3]), (Words{0}));
  EXPECT_EQ(words(out.buffers[5]), (Words{0}));
  for (const std::size_t k : {0u, 2u, 4u, 6u}) EXPECT_TRUE(out.buffers[k].empty());
}

TEST(Indirect, BlockPagedIsTheCacheOfTheText) {
  const Storage out = stored(R"({"type": "float16", "shape": [9, 2, 8], "layout": {"block-paged": {"page_size": 4, "pages": 5, "sequences": [[0, 1], [0]], "layer": 3}}})");
  EXPECT_EQ(out.buffers[0].size(), 640u);
  EXPECT_EQ(to_hex(out.buffers[1]), "00000000" "01000000" "00000000");
  EXPECT_EQ(to_hex(out.buffers[2]), "00000000" "02000000" "03000000");
}

TEST(Quantization, ParameterBuffersFollowTheLayouts) {
  const Storage out = stored(R"({"type": "int8", "shape": [2, 3], "scheme": {"per-channel-affine": {"axis": 1, "scales": [0.5, 1, 2], "zero_points": [1, -1, 0]}}})");
  EXPECT_EQ(out.scale_buffer, 1u);
  EXPECT_EQ(out.zero_point_buffer, 2u);
  EXPECT_EQ(to_hex(out.buffers[1]), "0000003f" "0000803f" "00000040");
  EXPECT_EQ(to_hex(out.buffers[2]), "01000000" "ffffffff" "00000000");
}

TEST(Quantization, PartialBlocksPadOnlyWhereTheyAllLieAtTheEnd) {
  const auto size = [](const char* text) { return stored(text).buffers[0].size(); };
  EXPECT_EQ(size(R"({"type": "int8", "shape": [5, 3], "scheme": {"per-block-affine": {"axis": 0, "block": 4}}})"), 24u);
  EXPECT_EQ(size(R"({"type": "int8", "shape": [1, 5], "scheme": {"per-block-affine": {"axis": 1, "block": 4}}})"), 8u);
  EXPECT_EQ(size(R"({"type": "int8", "shape": [3, 5], "scheme": {"per-block-affine": {"axis": 1, "block": 4}}})"), 15u);
  EXPECT_EQ(size(R"({"type": "uint4", "shape": [9], "scheme": {"nf4": {"axis": 0, "block": 8}}})"), 8u);
}

TEST(Quantization, LeftOutParametersAreValid) {
  const Storage out = stored(R"({"type": "float8_e4m3", "shape": [2, 32], "scheme": {"mxfp": {"axis": 1, "block": 16}}})");
  EXPECT_EQ(to_hex(out.buffers[1]), "7d7e7f80");
}

TEST(Limits, WhatWouldNotFitIsAnErrorNotAnAllocation) {
  const auto error = [](const char* text) { return parse_model({{"tensor", nlohmann::json::parse(text)}}).error; };
  EXPECT_NE(error(R"({"type": "uint8", "shape": ["1099511627776"]})"), "");
  EXPECT_NE(error(R"({"type": "uint8", "shape": [4], "layout": {"strided": {"strides": ["4611686018427387904"]}}})"), "");
  EXPECT_NE(error(R"({"type": "uint8", "shape": [4, 4], "layout": {"morton": {"bits": [40, 40]}}})") +
                store(tensor(R"({"type": "uint8", "shape": [4, 4], "layout": {"morton": {"bits": [40, 40]}}})")).error, "");
  EXPECT_NE(store(tensor(R"({"type": "uint8", "shape": ["1099511627776", 2], "layout": {"csr": {"at": []}}})")).error, "");
  EXPECT_NE(error(R"({"type": "uint8", "shape": [2, 2, 2], "layout": {"block-paged": {"pages": "18446744073709551615"}}})"), "");
}

}  // namespace
}  // namespace hurray::generators
