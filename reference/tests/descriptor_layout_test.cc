#include "reference/tests/descriptor_expect.h"

namespace hurray::reference::tests {
namespace {

namespace layouts = facts::layout_tag;
constexpr std::uint64_t dynamic = facts::limit::dynamic;

std::vector<std::uint8_t> u64s(std::initializer_list<std::uint64_t> values) { return ByteString().u64s(values); }

DescriptorBytes strided(std::initializer_list<std::uint64_t> strides, std::uint64_t byte_offset, std::uint64_t size) {
  DescriptorBytes d = with_layout(layouts::strided, {3, 4}, u64s(strides), {size});
  d.byte_offset = byte_offset;
  return d;
}

TEST(DescriptorLayout, HoldsRowAndColumnMajorToTheirSize) {
  for (const std::uint8_t layout : {layouts::row_major, layouts::column_major}) {
    DescriptorBytes d = with_layout(layout, {3, 4}, {}, {48});
    const Rule undersized = layout == layouts::row_major ? Rule::LAY_RM_02 : Rule::LAY_CM_02;
    expect_accepted(d);
    d.buffers[0].byte_size = 47;
    expect_broken(d, undersized);
    d.buffers[0].byte_size = 50;
    d.byte_offset = 2;
    expect_accepted(d);
    d.byte_offset = 3;
    expect_broken(d, undersized);
    d.shape = {std::uint64_t{1} << 63, 2};  // 2^66 bytes are not 0
    d.byte_offset = 0;
    expect_broken(d, undersized);
    d.shape = {std::uint64_t{1} << 63, 2, 0};
    expect_accepted(d);
    d.shape = {dynamic, 1000};
    expect_accepted(d);
  }
}

TEST(DescriptorLayout, SizesPackedTypesByTheGroup) {
  DescriptorBytes d = with_layout(layouts::row_major, {5}, {}, {0});
  struct Size {
    std::uint8_t type;
    std::uint64_t bytes;
  };
  for (const Size size : {Size{facts::tag::boolean, 1}, Size{facts::tag::int2, 2}, Size{facts::tag::int4, 3},
                          Size{facts::tag::float6_e2m3, 4}, Size{facts::tag::float128, 80}}) {
    d.type = size.type;
    d.buffers[0].byte_size = size.bytes;
    expect_accepted(d);
    d.buffers[0].byte_size = size.bytes - 1;
    expect_broken(d, Rule::LAY_RM_02);
  }
}

TEST(DescriptorLayout, KeepsByteOffsetInsideTheBuffer) {
  DescriptorBytes d = plain();
  d.byte_offset = 49;
  expect_broken(d, Rule::DESC_OFF_01);
  d.shape = {0};
  d.byte_offset = 48;
  expect_accepted(d);
  d.byte_offset = 49;
  expect_broken(d, Rule::DESC_OFF_01);
}

TEST(DescriptorLayout, TellsTheThreeWaysInWhichStridesLeaveABuffer) {
  expect_accepted(strided({4, 1}, 0, 48));
  expect_accepted(strided({0, 0}, 44, 48));
  const std::uint64_t backwards = ~std::uint64_t{3};  // -4
  expect_accepted(strided({backwards, 1}, 32, 48));
  expect_broken(strided({backwards, 1}, 28, 48), Rule::LAY_STR_07);
  expect_broken(strided({backwards, 1}, 36, 48), Rule::LAY_STR_07);
  expect_broken(strided({4, 1}, 4, 48), Rule::LAY_STR_07);
  expect_broken(strided({0, 0}, 45, 48), Rule::LAY_STR_02);
  expect_broken(strided({4, 1}, 0, 47), Rule::LAY_STR_04);
  expect_broken(strided({std::uint64_t{1} << 62, 1}, 0, 48), Rule::LAY_STR_04);  // 2^63 elements, 2^65 bytes
  expect_broken(strided({std::uint64_t{1} << 63, 1}, 0, 48), Rule::LAY_STR_04);
  DescriptorBytes empty = strided({std::uint64_t{1} << 63, 1}, 0, 0);
  empty.shape = {3, 0};
  expect_accepted(empty);
  DescriptorBytes unknown = strided({std::uint64_t{1} << 63, 1}, 0, 0);
  unknown.shape = {dynamic, 4};
  expect_accepted(unknown);
}

std::vector<std::uint8_t> tile(std::initializer_list<std::uint64_t> shape, std::uint8_t outer, std::uint8_t inner) {
  return ByteString().u64s(shape).u8(outer).u8(inner).zeros(2);
}

TEST(DescriptorLayout, StoresWholeTiles) {
  DescriptorBytes d = with_layout(layouts::tiled, {5, 7}, tile({2, 4}, 1, 1), {6 * 8 * 4});
  expect_accepted(d);
  d.buffers[0].byte_size -= 1;
  expect_broken(d, Rule::LAY_TILE_07);
  d.fields = tile({std::uint64_t{1} << 32, std::uint64_t{1} << 32}, 1, 1);
  expect_broken(d, Rule::LAY_TILE_07);
}

TEST(DescriptorLayout, FollowsStridesOfTilesAndOfTheirInside) {
  ByteString fields;
  fields.append(tile({2, 4}, 3, 3)).u64s({2, 1}).u64s({1, 2});
  DescriptorBytes d = with_layout(layouts::tiled, {4, 8}, fields, {128});
  expect_accepted(d);
  EXPECT_EQ(read(d).descriptor.layout.tiles[0].outer_strides[0], 2);
  d.fields = ByteString().append(tile({2, 4}, 3, 3)).u64s({~std::uint64_t{1}, 1}).u64s({1, 2});
  d.byte_offset = 64;
  expect_accepted(d);
  d.byte_offset = 60;
  expect_broken(d, Rule::LAY_TILE_07);
}

TEST(DescriptorLayout, NamesEachWrongTileField) {
  DescriptorBytes d = with_layout(layouts::tiled, {4, 8}, tile({2, 0}, 1, 1), {128});
  expect_broken(d, Rule::LAY_TILE_01);
  for (const std::uint8_t outer : Octets{0, 4, 5, 255}) {
    d.fields = tile({2, 4}, outer, 1);
    expect_broken(d, Rule::LAY_TILE_02);
  }
  for (const std::uint8_t inner : Octets{0, 5, 255}) {
    d.fields = tile({2, 4}, 1, inner);
    expect_broken(d, Rule::LAY_TILE_03);
  }
  d.fields = tile({2, 4}, 1, 1);
  d.fields.back() = 1;
  expect_broken(d, Rule::LAY_TILE_04);
}

TEST(DescriptorLayout, BoundsTheDepthOfTiling) {
  for (const int levels : {1, 8, 9, 3000}) {
    ByteString fields;
    for (int level = 0; level < levels; ++level) fields.append(tile({2}, 1, level + 1 < levels ? 4 : 1));
    const DescriptorBytes d = with_layout(layouts::tiled, {2}, fields, {8});
    if (levels <= 8) expect_accepted(d);
    else expect_broken(d, Rule::LAY_TILE_05);
  }
}

TEST(DescriptorLayout, ChecksMortonBitsAgainstShapeAndBuffer) {
  const auto morton = [](std::initializer_list<std::uint64_t> bits, std::vector<std::uint64_t> shape, std::uint64_t size) {
    return with_layout(layouts::morton, std::move(shape), ByteString().u32s(bits), {size});
  };
  expect_accepted(morton({2, 2}, {4, 3}, 64));
  expect_accepted(morton({2, 2}, {4, 3}, 65));
  expect_broken(morton({2, 2}, {4, 3}, 63), Rule::LAY_MOR_03);
  expect_broken(morton({64, 2}, {4, 3}, 64), Rule::LAY_MOR_03);
  expect_broken(morton({0xFFFFFFFF, 2}, {4, 3}, 64), Rule::LAY_MOR_03);
  expect_broken(morton({2, 2}, {5, 3}, 64), Rule::LAY_MOR_02);
  expect_broken(morton({0, 2}, {1, 4}, 64), Rule::LAY_MOR_01);
  expect_broken(morton({0, 2}, {4, 4}, 64), Rule::LAY_MOR_01);
  expect_accepted(morton({2, 2}, {0, 3}, 0));
  expect_accepted(morton({2, 2}, {dynamic, 3}, 0));
}

TEST(DescriptorLayout, HoldsHilbertToItsConstraints) {
  const auto hilbert = [](std::uint64_t order, std::uint64_t rank, std::vector<std::uint64_t> shape, std::uint64_t size) {
    return with_layout(layouts::hilbert, std::move(shape), ByteString().u32(order).u32(rank), {size});
  };
  expect_accepted(hilbert(2, 2, {4, 4}, 64));
  expect_broken(hilbert(2, 2, {4, 4}, 63), Rule::LAY_HIL_05);
  expect_broken(hilbert(2, 2, {4, 4}, 65), Rule::LAY_HIL_05);
  expect_broken(hilbert(2, 2, {4, 3}, 64), Rule::LAY_HIL_01);
  EXPECT_EQ(first_broken(hilbert(64, 2, {1, 1}, 64)), Rule::LAY_HIL_01);
  expect_broken(hilbert(2, 3, {4, 4}, 64), Rule::LAY_HIL_02);
  expect_broken(hilbert(4, 1, {16}, 64), Rule::LAY_HIL_03);
  expect_broken(hilbert(0, 2, {1, 1}, 4), Rule::LAY_HIL_04);
}

TEST(DescriptorLayout, SizesSparseComponents) {
  DescriptorBytes coo = with_layout(layouts::coo, {4, 4}, ByteString().u64(3).u8(1).zeros(7), {12, 48});
  expect_accepted(coo);
  coo.buffers[1].byte_size = 47;
  expect_broken(coo, Rule::LAY_COO_12);
  coo.buffers = {{.byte_size = 11}, {.byte_size = 48}};
  expect_broken(coo, Rule::LAY_COO_12);
  coo.fields = ByteString().u64(std::uint64_t{1} << 61).u8(0).zeros(7);  // 2^61 * 8 is 0 modulo 2^64
  coo.buffers = {{.byte_size = ~std::uint64_t{0}}, {.byte_size = 0}};
  expect_broken(coo, Rule::LAY_COO_12);
  for (const std::uint8_t layout : {layouts::csr, layouts::csc}) {
    const Rule undersized = layout == layouts::csr ? Rule::LAY_CSR_12 : Rule::LAY_CSC_12;
    const std::uint64_t pointers = layout == layouts::csr ? 40 : 48;
    const DescriptorBytes d = with_layout(layout, {4, 5}, ByteString().u64(3).zeros(8), {12, 24, pointers});
    expect_accepted(d);
    for (std::size_t i = 0; i < 3; ++i) {
      DescriptorBytes less = d;
      less.buffers[i].byte_size -= 1;
      expect_broken(less, undersized);
    }
    DescriptorBytes huge = d;
    huge.shape = {dynamic - 1, dynamic - 1};
    expect_broken(huge, undersized);
  }
}

TEST(DescriptorLayout, CountsTheBuffersOfEachLayout) {
  DescriptorBytes d = plain();
  d.buffers = {};
  expect_broken(d, Rule::DESC_BUF_01);
  d.buffers.assign(2, {.byte_size = 48});
  expect_broken(d, Rule::DESC_BUF_02);
  d = with_layout(layouts::coo, {4}, ByteString().u64(1).zeros(8), {4});
  expect_broken(d, Rule::LAY_COO_01);
  d.buffers.assign(3, {.byte_size = 8});
  expect_broken(d, Rule::LAY_COO_01);
  d = with_layout(layouts::csr, {4, 5}, ByteString().u64(0).zeros(8), {0, 0});
  expect_broken(d, Rule::LAY_CSR_02);
  d.layout = layouts::csc;
  expect_broken(d, Rule::LAY_CSC_02);
  d = with_layout(layouts::csf, {4, 5, 6}, ByteString().u64(0).u32s({2, 0, 1}).zeros(8), {0, 16, 0, 8, 0, 8, 0});
  expect_accepted(d);
  d.buffers.pop_back();
  expect_broken(d, Rule::LAY_CSF_04);
}

TEST(DescriptorLayout, NamesWrongFieldsOfSparseLayouts) {
  DescriptorBytes d = with_layout(layouts::coo, {4}, ByteString().u64(1).u8(7).zeros(7), {4, 8});
  expect_accepted(d);  // an is_sorted of neither 0 nor 1 is not defined and decides nothing
  d.fields.back() = 1;
  expect_broken(d, Rule::LAY_COO_03);
  d.fields.back() = 0;
  d.byte_offset = 4;
  expect_broken(d, Rule::LAY_OFF_01);
  d = with_layout(layouts::csr, {4, 5}, ByteString().u64(0).zeros(7).u8(1), {0, 0, 48});
  expect_broken(d, Rule::LAY_CSR_04);
  d.layout = layouts::csc;
  expect_broken(d, Rule::LAY_CSC_04);
  d = with_layout(layouts::csr, {4}, ByteString().u64(0).zeros(8), {0, 0, 40});
  expect_broken(d, Rule::LAY_CSR_01);
  d.layout = layouts::csc;
  expect_broken(d, Rule::LAY_CSC_01);
  d.shape = {};
  expect_broken(d, Rule::LAY_CSC_05);
  d.layout = layouts::csr;
  expect_broken(d, Rule::LAY_CSR_05);
}

TEST(DescriptorLayout, NamesWrongFieldsOfFiberTrees) {
  const auto csf = [](std::initializer_list<std::uint64_t> order, std::uint8_t reserved) {
    return with_layout(layouts::csf, {4, 5, 6}, ByteString().u64(0).u32s(order).zeros(7).u8(reserved),
                       {0, 16, 0, 8, 0, 8, 0});
  };
  expect_broken(csf({0, 1, 1}, 0), Rule::LAY_CSF_02);
  expect_broken(csf({0, 1, 3}, 0), Rule::LAY_CSF_02);
  expect_broken(csf({0, 1, 0xFFFFFFFF}, 0), Rule::LAY_CSF_02);
  expect_broken(csf({0, 1, 2}, 1), Rule::LAY_CSF_06);
  DescriptorBytes d = with_layout(layouts::csf, {4, 5}, ByteString().u64(0).u32s({0, 1}).zeros(8), {0, 16, 0, 8, 0});
  expect_broken(d, Rule::LAY_CSF_01);
  d = csf({0, 1, 2}, 0);
  d.shard = Shard{{4, 5, 6}, {0, 0, 0}};
  expect_broken(d, Rule::LAY_CSF_12);
}

struct Paged {
  std::uint64_t page_size = 2, num_pages = 4, axis = 0, sequences = 1;
  std::uint8_t role = 0, index_type = 0, reserved = 0;
};
DescriptorBytes paged(const Paged& p) {
  ByteString fields;
  fields.u32(p.page_size).u64(p.num_pages).u32(p.axis).u32(p.sequences).u8(p.role).u32(7).u8(p.index_type);
  fields.zeros(5).u8(p.reserved);
  return with_layout(layouts::block_paged, {4, 1, 1}, fields, {32, 8, 8});
}

TEST(DescriptorLayout, NamesWrongFieldsOfPagedTensors) {
  expect_accepted(paged({}));
  expect_accepted(paged({.role = 9}));
  expect_broken(paged({.page_size = 0}), Rule::LAY_BP_03);
  expect_broken(paged({.axis = 1}), Rule::LAY_BP_02);
  expect_broken(paged({.reserved = 1}), Rule::LAY_BP_05);
  DescriptorBytes d = paged({});
  d.shape = {4, 1};
  expect_broken(d, Rule::LAY_BP_01);
  d = paged({});
  d.byte_offset = 4;
  expect_broken(d, Rule::LAY_OFF_02);
  d = paged({});
  d.buffers.pop_back();
  expect_broken(d, Rule::LAY_BUFN_02);
  d = paged({});
  d.shard = Shard{{4, 1, 1}, {0, 0, 0}};
  expect_broken(d, Rule::LAY_BP_12);
}

TEST(DescriptorLayout, FramesAPrivateLayoutBeforeRefusingIt) {
  DescriptorBytes d = with_layout(0xF3, {4}, ByteString().u64(1).u32(2).zeros(2), {5});
  expect_broken(d, Rule::LAY_EXT_01);
  const Read shown = read(d, Waivers::of(Mode::permissive));
  EXPECT_TRUE(shown.descriptor.opaque);
  EXPECT_FALSE(shown.descriptor.buffers_unknown);
  EXPECT_EQ(shown.descriptor.buffer(0).byte_size, 5u);
  d.fields = ByteString().u64(1).u32(0xFFFFFFFF).zeros(2);
  EXPECT_EQ(first_broken(d), Rule::LAY_EXT_03);
  EXPECT_TRUE(read(d, Waivers::of(Mode::permissive)).violation);
}

TEST(DescriptorLayout, HoldsHeadsToTheirFields) {
  const auto head = [](std::uint64_t rule, std::uint64_t op, std::uint64_t reserved, std::uint64_t count) {
    return with_layout(layouts::composite, {8, 8}, ByteString().u8(rule).u8(op).u16(reserved).u32(count), {});
  };
  expect_accepted(head(1, 0, 0, 2));
  expect_accepted(head(2, 1, 0, 2));
  expect_accepted(head(2, 2, 0, 2));
  expect_accepted(head(3, 0, 0, 0));
  expect_accepted(head(3, 0, 0, 0xFFFFFFFE));
  expect_broken(head(0, 0, 0, 2), Rule::CMP_RULE_01);
  expect_broken(head(0xFF, 0, 0, 2), Rule::CMP_RULE_02);
  for (const std::uint64_t rule : {0x04u, 0x80u, 0xEFu}) expect_broken(head(rule, 0, 0, 2), Rule::CMP_RULE_03);
  expect_broken(head(0xF0, 0, 0, 2), Rule::CMP_RULE_04);
  expect_broken(head(1, 1, 0, 2), Rule::CMP_OP_01);
  expect_broken(head(3, 2, 0, 2), Rule::CMP_OP_02);
  expect_broken(head(2, 0, 0, 2), Rule::CMP_OP_03);
  expect_broken(head(2, 3, 0, 2), Rule::CMP_OP_03);
  expect_broken(head(1, 0, 1, 2), Rule::CMP_RSV_01);
  expect_broken(head(1, 0, 0x100, 2), Rule::CMP_RSV_01);
  expect_broken(head(3, 0, 0, 0xFFFFFFFF), Rule::CMP_COUNT_01);
  expect_broken(head(2, 1, 0, 0), Rule::CMP_COUNT_03);
  DescriptorBytes d = head(1, 0, 0, 2);
  d.byte_offset = 1;
  expect_broken(d, Rule::CMP_HEAD_02);
  d = head(1, 0, 0, 2);
  d.buffers = {{.byte_size = 256}};
  expect_broken(d, Rule::CMP_HEAD_01);
  d = head(1, 0, 0, 2);
  d.type = facts::tag::int8;
  d.quantization = ByteString().u8(1).u8(1).u16(0).f32(0.5F).u32(0).u32(0);
  expect_broken(d, Rule::CMP_HEAD_04);
}

TEST(DescriptorLayout, NamesTheValuesOfAViolation) {
  DescriptorBytes d = with_layout(layouts::composite, {8}, ByteString().u8(1).u8(1).u16(0).u32(2), {});
  const std::optional<Violation> violation = read(d).violation;
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->at, 37u);
  EXPECT_EQ(violation->message.text(), "partition with combine_op 0x01");
}

}  // namespace
}  // namespace hurray::reference::tests
