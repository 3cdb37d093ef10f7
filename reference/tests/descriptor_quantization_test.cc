#include <limits>

#include "reference/tests/descriptor_expect.h"

namespace hurray::reference::tests {
namespace {

namespace tags = facts::tag;
constexpr std::uint32_t none = facts::limit::no_buffer;

struct PerTensor {
  std::uint8_t type = tags::int8, version = 1;
  std::uint16_t flags = 0;
  float scale = 0.5F;
  std::int32_t zero_point = 3;
  std::uint32_t reserved = 0;
};
DescriptorBytes quantized(const PerTensor& q) {
  DescriptorBytes d = plain();
  d.type = q.type;
  ByteString section;
  section.u8(1).u8(q.version).u16(q.flags).f32(q.scale).u32(static_cast<std::uint32_t>(q.zero_point)).u32(q.reserved);
  d.quantization = section;
  return d;
}

/// 2 x 4, two channels along axis 0.
struct PerChannel {
  std::uint8_t type = tags::int8;
  std::uint16_t flags = 0;
  std::uint32_t axis = 0, scales = 1, zero_points = 2;
  std::uint8_t scale_type = tags::float32;
  std::uint32_t reserved = 0;
  std::vector<std::uint64_t> sizes{8, 8, 8};
};
void set_sizes(DescriptorBytes& d, const std::vector<std::uint64_t>& sizes) {
  d.buffers.clear();
  for (const std::uint64_t size : sizes) d.buffers.push_back({.byte_size = size});
}
DescriptorBytes quantized(const PerChannel& q) {
  DescriptorBytes d = plain();
  d.type = q.type;
  d.shape = {2, 4};
  set_sizes(d, q.sizes);
  ByteString section;
  section.u8(2).u8(1).u16(q.flags).u32(q.axis).u32(q.scales).u32(q.zero_points).u8(q.scale_type);
  d.quantization = section.u8(q.reserved).u16(q.reserved >> 8);
  return d;
}

/// 2 x 10, blocks of 4 along axis 1: three a row, the last one partial.
struct PerBlock {
  std::uint8_t type = tags::int8;
  std::uint16_t flags = 0;
  std::uint32_t axis = 1, block = 4, scales = 1, zero_points = 2;
  std::uint8_t scale_type = tags::float16;
  std::uint32_t reserved = 0;
  std::vector<std::uint64_t> sizes{20, 12, 24};
  std::vector<std::uint64_t> shape{2, 10};
};
DescriptorBytes quantized(const PerBlock& q) {
  DescriptorBytes d = plain();
  d.type = q.type;
  d.shape = q.shape;
  set_sizes(d, q.sizes);
  ByteString section;
  section.u8(3).u8(1).u16(q.flags).u32(q.axis).u32(q.block).u32(q.scales).u32(q.zero_points).u8(q.scale_type);
  d.quantization = section.u8(q.reserved).u16(q.reserved >> 8);
  return d;
}

struct Blocks {
  std::uint8_t scheme = 4, type = tags::uint4;
  std::uint16_t flags = 0;
  std::uint32_t axis = 0, block = 8, scales = 1;
  std::vector<std::uint64_t> shape{20}, sizes{10, 12};
};
DescriptorBytes quantized(const Blocks& q) {
  DescriptorBytes d = plain();
  d.type = q.type;
  d.shape = q.shape;
  set_sizes(d, q.sizes);
  d.quantization = ByteString().u8(q.scheme).u8(1).u16(q.flags).u32(q.axis).u32(q.block).u32(q.scales);
  return d;
}
Blocks microscaling() {
  return {.scheme = 5, .type = tags::float8_e4m3, .block = 32, .shape = {64}, .sizes = {64, 2}};
}

TEST(DescriptorQuantization, KnowsEverySchemeTagByItsRule) {
  for (unsigned tag = 0; tag < 256; ++tag) {
    DescriptorBytes d = quantized(PerTensor{});
    (*d.quantization)[0] = static_cast<std::uint8_t>(tag);
    if (tag == 0) expect_broken(d, Rule::Q_TAG_01);
    else if (tag == 0xFF) expect_broken(d, Rule::Q_TAG_07);
    else if (tag >= 0xF0) expect_broken(d, Rule::Q_TAG_05);
    else if (tag >= 0x80) expect_broken(d, Rule::Q_TAG_08);
    else if (tag >= 0x60) expect_broken(d, Rule::Q_TAG_04);
    else if (tag > 5) expect_broken(d, Rule::Q_HDR_01);
  }
  DescriptorBytes d = quantized(PerTensor{});
  (*d.quantization)[0] = 0x33;
  EXPECT_TRUE(read(d, Waivers::of(Mode::permissive)).descriptor.opaque);
}

TEST(DescriptorQuantization, FramesItsSection) {
  DescriptorBytes d = quantized(PerTensor{});
  d.quantization->insert(d.quantization->end(), 5, 0xAA);  // padding that a writer may choose
  expect_accepted(d);
  d.shard = Shard{{3, 4}, {0, 0}};
  expect_accepted(d);
  d = quantized(PerTensor{});
  d.quantization_length = 15;
  expect_broken(d, Rule::Q_HDR_07);
  d.quantization_length = 3;
  expect_broken(d, Rule::Q_HDR_07);
  d.quantization_length = 0;
  expect_broken(d, Rule::Q_HDR_07);
  d.quantization_length = 17;
  expect_broken(d, Rule::DESC_Q_02);
  d.quantization_length = 0xFFFFFFFF;
  d.shard = Shard{{3, 4}, {0, 0}};
  expect_broken(d, Rule::DESC_Q_02);
}

TEST(DescriptorQuantization, HoldsVersionAndFlagsPerScheme) {
  const DescriptorBytes schemes[] = {quantized(PerTensor{}), quantized(PerChannel{}), quantized(PerBlock{}),
                                     quantized(Blocks{}), quantized(microscaling())};
  const Rule flag_rules[] = {Rule::Q_HDR_05, Rule::Q_HDR_10, Rule::Q_HDR_11, Rule::Q_HDR_12, Rule::Q_HDR_13};
  for (std::size_t i = 0; i < std::size(schemes); ++i) {
    expect_accepted(schemes[i]);
    DescriptorBytes d = schemes[i];
    (*d.quantization)[1] = 2;
    expect_broken(d, Rule::Q_HDR_03);
    (*d.quantization)[1] = 0;
    expect_broken(d, Rule::Q_HDR_04);
    for (unsigned bit = i == 1 || i == 2 ? 1 : 0; bit < 16; ++bit) {
      d = schemes[i];
      (*d.quantization)[2 + bit / 8] = static_cast<std::uint8_t>(1u << (bit % 8));
      expect_broken(d, flag_rules[i]);
    }
  }
}

TEST(DescriptorQuantization, HoldsPerTensorParametersToTheirRanges) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const float scale : {0.0F, -0.0F, infinity, -infinity, nan})
    expect_broken(quantized(PerTensor{.scale = scale}), Rule::Q_PTA_02);
  expect_accepted(quantized(PerTensor{.scale = -std::numeric_limits<float>::denorm_min()}));
  struct Range {
    std::uint8_t type;
    std::int64_t low, high;
  };
  for (const Range range : {Range{tags::int8, -128, 127}, Range{tags::uint8, 0, 255}, Range{tags::int16, -32768, 32767},
                            Range{tags::uint16, 0, 65535}, Range{tags::int4, -8, 7}, Range{tags::uint4, 0, 15},
                            Range{tags::int2, -2, 1}, Range{tags::uint2, 0, 3}}) {
    const auto with = [&](std::int64_t zero_point) {
      return quantized(PerTensor{.type = range.type, .zero_point = static_cast<std::int32_t>(zero_point)});
    };
    expect_accepted(with(range.low));
    expect_accepted(with(range.high));
    expect_broken(with(range.low - 1), Rule::Q_PTA_03);
    expect_broken(with(range.high + 1), Rule::Q_PTA_03);
  }
  expect_accepted(quantized(PerTensor{.type = tags::int32, .zero_point = std::numeric_limits<std::int32_t>::min()}));
  expect_broken(quantized(PerTensor{.type = tags::uint32, .zero_point = -1}), Rule::Q_PTA_03);
  for (const std::uint32_t reserved : {1u, 0x80000000u})
    expect_broken(quantized(PerTensor{.reserved = reserved}), Rule::Q_PTA_04);
}

TEST(DescriptorQuantization, ListsTheStorageTypesOfEachScheme) {
  for (const facts::ElementType& type : facts::element_types) {
    const bool integer = type.kind == facts::Kind::signed_integer || type.kind == facts::Kind::unsigned_integer;
    DescriptorBytes d = quantized(PerTensor{.type = type.tag, .zero_point = 0});
    d.buffers[0].byte_size = 192;
    if (integer && type.bits <= 32) expect_accepted(d);
    else expect_broken(d, Rule::Q_PTA_05);
    d = quantized(PerChannel{.type = type.tag, .sizes = {128, 8, 8}});
    if (integer && type.bits <= 32) expect_accepted(d);
    else expect_broken(d, Rule::Q_PCA_13);
    d = quantized(PerBlock{.type = type.tag, .sizes = {320, 12, 24}});
    if (integer && type.bits <= 8) expect_accepted(d);
    else expect_broken(d, Rule::Q_PBA_15);
    d = quantized(Blocks{.type = type.tag, .sizes = {320, 12}});
    if (type.tag == tags::uint4) expect_accepted(d);
    else expect_broken(d, Rule::Q_NF4_10);
    Blocks mx = microscaling();
    mx.type = type.tag;
    mx.sizes = {1024, 2};
    const bool small_float = type.kind == facts::Kind::small_float;
    if (small_float || type.tag == tags::int8 || type.tag == tags::int4) expect_accepted(quantized(mx));
    else expect_broken(quantized(mx), Rule::Q_MX_09);
  }
}

TEST(DescriptorQuantization, FindsPerChannelParameters) {
  expect_accepted(quantized(PerChannel{.flags = 1, .zero_points = none, .sizes = {8, 8}}));
  expect_broken(quantized(PerChannel{.axis = 2}), Rule::Q_PCA_02);
  expect_broken(quantized(PerChannel{.flags = 1, .zero_points = 1, .sizes = {8, 8}}), Rule::Q_PCA_03);
  expect_broken(quantized(PerChannel{.scales = 3}), Rule::Q_PCA_07);
  expect_broken(quantized(PerChannel{.scales = 257}), Rule::Q_PCA_07);
  expect_broken(quantized(PerChannel{.scales = 0}), Rule::Q_PCA_08);
  expect_broken(quantized(PerChannel{.zero_points = none}), Rule::Q_PCA_16);
  expect_broken(quantized(PerChannel{.zero_points = 0}), Rule::Q_PCA_17);
  expect_broken(quantized(PerChannel{.flags = 1, .zero_points = 0, .sizes = {8, 8}}), Rule::Q_PCA_17);
  for (const std::uint8_t type : Octets{0, 1, 2, 4}) expect_broken(quantized(PerChannel{.scale_type = type}), Rule::Q_PCA_05);
  for (const std::uint32_t reserved : {1u, 0x800000u}) expect_broken(quantized(PerChannel{.reserved = reserved}), Rule::Q_PCA_06);
  for (const std::uint64_t size : {4u, 7u, 9u, 12u}) {
    expect_broken(quantized(PerChannel{.sizes = {8, size, 8}}), Rule::Q_PCA_09);
    expect_broken(quantized(PerChannel{.sizes = {8, 8, size}}), Rule::Q_PCA_15);
  }
  DescriptorBytes d = quantized(PerChannel{});
  d.shape = {facts::limit::dynamic, 4};
  expect_broken(d, Rule::Q_PCA_04);
  d.shape = {2, facts::limit::dynamic};
  expect_accepted(d);
  expect_broken(quantized(PerChannel{.sizes = {8, 8, 8, 8}}), Rule::DESC_BUF_10);
  expect_broken(quantized(PerChannel{.flags = 1, .zero_points = none, .sizes = {8, 8, 8}}), Rule::DESC_BUF_10);
}

TEST(DescriptorQuantization, LetsScalesAndZeroPointsShareABuffer) {
  const DescriptorBytes d = quantized(PerChannel{.zero_points = 1, .sizes = {8, 16}});
  expect_accepted(d);
  EXPECT_EQ(read(d).descriptor.quantization.zero_point_offset, 8u);
  expect_accepted(quantized(PerBlock{.zero_points = 1, .sizes = {20, 36}}));
  EXPECT_EQ(read(quantized(PerBlock{})).descriptor.quantization.zero_point_offset, 0u);
}

TEST(DescriptorQuantization, FindsPerBlockParameters) {
  expect_accepted(quantized(PerBlock{.flags = 1, .zero_points = 77, .sizes = {20, 12}}));  // the index is ignored
  expect_accepted(quantized(PerBlock{.scale_type = tags::float32, .sizes = {20, 24, 24}}));
  expect_broken(quantized(PerBlock{.block = 3}), Rule::Q_PBA_02);
  expect_broken(quantized(PerBlock{.block = 0}), Rule::Q_PBA_02);
  expect_broken(quantized(PerBlock{.block = 1}), Rule::Q_PBA_20);
  expect_broken(quantized(PerBlock{.block = 16}), Rule::Q_PBA_04);
  expect_broken(quantized(PerBlock{.axis = 2}), Rule::Q_PBA_03);
  expect_broken(quantized(PerBlock{.shape = {2, facts::limit::dynamic}}), Rule::Q_PBA_06);
  expect_broken(quantized(PerBlock{.scales = 3}), Rule::Q_PBA_10);
  expect_broken(quantized(PerBlock{.zero_points = none}), Rule::Q_PBA_23);
  expect_broken(quantized(PerBlock{.scales = 0}), Rule::Q_PLACE_02);
  expect_broken(quantized(PerBlock{.zero_points = 0}), Rule::Q_PLACE_02);
  for (const std::uint8_t type : Octets{0, 4, 255}) expect_broken(quantized(PerBlock{.scale_type = type}), Rule::Q_PBA_07);
  for (const std::uint32_t reserved : {1u, 0x800000u}) expect_broken(quantized(PerBlock{.reserved = reserved}), Rule::Q_PBA_08);
  for (const std::uint64_t size : {4u, 10u, 13u, 24u}) expect_broken(quantized(PerBlock{.sizes = {20, size, 24}}), Rule::Q_PBA_09);
  expect_broken(quantized(PerBlock{.sizes = {20, 8, 24}}), Rule::Q_PART_03);  // the full blocks alone
  for (const std::uint64_t size : {20u, 28u}) expect_broken(quantized(PerBlock{.sizes = {20, 12, size}}), Rule::Q_PBA_19);
  expect_broken(quantized(PerBlock{.sizes = {20, 12, 24, 0}}), Rule::DESC_BUF_11);
}

TEST(DescriptorQuantization, WaivesTheUpperBoundOnAnEmptyAxis) {
  expect_accepted(quantized(PerBlock{.block = 64, .sizes = {0, 0, 0}, .shape = {2, 0}}));
  expect_broken(quantized(PerBlock{.block = 48, .sizes = {0, 0, 0}, .shape = {2, 0}}), Rule::Q_PBA_02);
  expect_broken(quantized(PerBlock{.sizes = {0, 2, 0}, .shape = {2, 0}}), Rule::Q_PBA_21);
  expect_accepted(quantized(PerBlock{.sizes = {0, 0, 0}, .shape = {0, 10}}));
  expect_broken(quantized(PerBlock{.sizes = {0, 2, 0}, .shape = {0, 10}}), Rule::Q_PBA_09);
  expect_accepted(quantized(Blocks{.block = 64, .shape = {0}, .sizes = {0, 0}}));
  expect_broken(quantized(Blocks{.shape = {0}, .sizes = {0, 4}}), Rule::Q_NF4_15);
}

TEST(DescriptorQuantization, CountsBlocksBeyondSixtyFourBits) {
  const std::uint64_t huge = std::uint64_t{1} << 62;  // blocks of two: 2^64 bytes of float32 scales
  const PerBlock q{.flags = 1, .block = 2, .scale_type = tags::float32, .sizes = {huge * 2, 0}, .shape = {huge, 2}};
  expect_broken(quantized(q), Rule::Q_PBA_09);
}

TEST(DescriptorQuantization, FindsNf4Parameters) {
  expect_broken(quantized(Blocks{.axis = 1}), Rule::Q_NF4_02);
  expect_broken(quantized(Blocks{.block = 12}), Rule::Q_NF4_03);
  expect_broken(quantized(Blocks{.shape = {facts::limit::dynamic}}), Rule::Q_NF4_04);
  expect_broken(quantized(Blocks{.block = 32}), Rule::Q_NF4_05);
  expect_broken(quantized(Blocks{.sizes = {10, 16}}), Rule::Q_NF4_07);
  expect_broken(quantized(Blocks{.sizes = {10, 8}}), Rule::Q_PART_03);
  expect_broken(quantized(Blocks{.scales = 2}), Rule::Q_NF4_09);
  expect_broken(quantized(Blocks{.scales = 0}), Rule::Q_NF4_13);
  for (const std::uint32_t block : {1u, 2u, 4u}) expect_broken(quantized(Blocks{.block = block}), Rule::Q_NF4_14);
  expect_broken(quantized(Blocks{.sizes = {10, 12, 0}}), Rule::DESC_BUF_12);
}

TEST(DescriptorQuantization, FindsMicroscalingParameters) {
  const auto with = [](auto change) {
    Blocks q = microscaling();
    change(q);
    return quantized(q);
  };
  expect_broken(with([](Blocks& q) { q.axis = 1; }), Rule::Q_MX_02);
  expect_broken(with([](Blocks& q) { q.block = 48; }), Rule::Q_MX_03);
  expect_broken(with([](Blocks& q) { q.shape = {facts::limit::dynamic}; }), Rule::Q_MX_04);
  expect_broken(with([](Blocks& q) { q.shape = {63}; }), Rule::Q_MX_05);
  expect_broken(with([](Blocks& q) { q.shape = {0}; }), Rule::Q_MX_05);
  expect_broken(with([](Blocks& q) { q.block = 128; }), Rule::Q_MX_05);
  for (const std::uint64_t size : {1u, 3u, 8u}) expect_broken(with([&](Blocks& q) { q.sizes = {64, size}; }), Rule::Q_MX_06);
  expect_broken(with([](Blocks& q) { q.scales = 2; }), Rule::Q_MX_08);
  expect_broken(with([](Blocks& q) { q.scales = 0; }), Rule::Q_MX_11);
  expect_broken(with([](Blocks& q) { q.block = 8; }), Rule::Q_MX_12);
  expect_broken(with([](Blocks& q) { q.block = 4096, q.shape = {8192}, q.sizes = {8192, 2}; }), Rule::Q_MX_13);
  expect_broken(with([](Blocks& q) { q.sizes = {64, 2, 0}; }), Rule::DESC_BUF_13);
}

TEST(DescriptorQuantization, CountsTheBuffersOfPerTensorSchemes) {
  DescriptorBytes d = quantized(PerTensor{});
  d.buffers.push_back({});
  expect_broken(d, Rule::DESC_BUF_03);
}

TEST(DescriptorQuantization, PutsParametersOnTheDeviceOfTheData) {
  DescriptorBytes d = quantized(PerChannel{});
  d.buffers[2].device = facts::device_tag::cuda;
  expect_broken(d, Rule::Q_PLACE_05);
  d.buffers[2].device = facts::device_tag::cpu;
  d.buffers[2].memory = 1;
  expect_broken(d, Rule::BUF_COLOC_02);
}

DescriptorBytes sparse_per_channel(std::uint32_t scales, const std::vector<std::uint64_t>& sizes) {
  DescriptorBytes d = quantized(PerChannel{.flags = 1, .scales = scales, .zero_points = none, .sizes = sizes});
  d.layout = facts::layout_tag::coo;
  d.fields = ByteString().u64(1).zeros(8);
  return d;
}

TEST(DescriptorQuantization, PlacesParametersBehindTheBuffersOfASparseLayout) {
  expect_accepted(sparse_per_channel(2, {1, 16, 8}));
  expect_broken(sparse_per_channel(1, {1, 16, 8}), Rule::Q_PLACE_01);
  expect_broken(sparse_per_channel(2, {1, 16, 8, 0}), Rule::LAY_COO_01);
}

TEST(DescriptorQuantization, TiesPagedBlocksToPages) {
  const auto paged = [](std::uint32_t axis, std::uint32_t block) {
    DescriptorBytes d = quantized(PerBlock{.flags = 1, .axis = axis, .block = block, .scales = 3, .zero_points = none,
                                           .sizes = {64, 8, 8, 32}, .shape = {4, 4, 4}});
    d.layout = facts::layout_tag::block_paged;
    d.fields = ByteString().u32(2).u64(2).u32(0).u32(1).u8(0).u32(0).u8(0).zeros(6);
    return d;
  };
  expect_accepted(paged(0, 2));
  expect_broken(paged(1, 2), Rule::LAY_BP_16);
  expect_broken(paged(0, 4), Rule::LAY_BP_20);
}

}  // namespace
}  // namespace hurray::reference::tests
