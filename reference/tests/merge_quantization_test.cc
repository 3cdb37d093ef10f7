// quantization/*.md: formulas, tables, block numbers, and the rounding into a head's own type (AMB-01).
#include <gtest/gtest.h>

#include "reference/tests/reading_builder.h"

namespace hurray::reference {
namespace {

namespace tag = facts::tag;
namespace scheme_tag = facts::scheme_tag;

TEST(PerTensorAffine, SubtractsInInt32AndMultipliesInFloat32) {
  ReadingBuilder b;
  Quantization& q = b.quantize(b.tensor(tag::uint8, {4}, {{0, 128, 255, 3}}), scheme_tag::per_tensor_affine);
  q.scale = 0.1f;
  q.zero_point = 3;
  const float scale = 0.1f;
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{scale * -3, scale * 125, scale * 252, 0}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(PerTensorAffine, LargeDifferenceIsRoundedBeforeTheProduct) {
  ReadingBuilder b;
  Quantization& q = b.quantize(b.tensor(tag::int32, {1}, {bytes_of<std::int32_t>({16777217})}), scheme_tag::per_tensor_affine);
  q.scale = 3.0f;
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{50331648.0f}));  // 2^24 + 1 is 2^24 in float32; times 3
}

TEST(PerTensorAffine, DifferenceBeyondInt32Wraps) {
  ReadingBuilder b;
  Quantization& q = b.quantize(b.tensor(tag::int32, {1}, {bytes_of<std::int32_t>({INT32_MIN})}), scheme_tag::per_tensor_affine);
  q.scale = 1.0f;
  q.zero_point = 1;
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{2147483648.0f}));
}

TEST(PerTensorAffine, NegativeScaleOfZeroIsNegativeZero) {
  ReadingBuilder b;
  b.quantize(b.tensor(tag::int8, {1}, {{0}}), scheme_tag::per_tensor_affine).scale = -0.5f;
  EXPECT_EQ(merged(b.reading()), floats({-0.0f}));
}

TEST(PerTensorAffine, SubByteCodesAreSigned) {
  ReadingBuilder b;
  b.quantize(b.tensor(tag::int4, {3}, {{0x78, 0x0F}}), scheme_tag::per_tensor_affine).scale = 1.0f;
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{-8, 7, -1}));
  ReadingBuilder c;
  c.quantize(c.tensor(tag::int2, {4}, {{0b11100100}}), scheme_tag::per_tensor_affine).scale = 1.0f;
  EXPECT_EQ(merged_floats(c.reading()), (std::vector<float>{0, 1, -2, -1}));
}

TEST(PerTensorAffine, UnstoredCoordinateIsZeroWhateverTheZeroPoint) {
  ReadingBuilder b;
  Quantization& q = b.quantize(b.coo(tag::uint8, {3}, {10}, {1}), scheme_tag::per_tensor_affine);
  q.scale = 2.0f;
  q.zero_point = 4;
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 12, 0}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(PerChannelAffine, EachChannelHasItsScaleAndZeroPoint) {
  ReadingBuilder b;
  const std::uint32_t at = b.tensor(tag::int8, {2, 3}, {{1, 2, 3, 4, 5, 6}, floats({0.5f, 2.0f, 4.0f}), bytes_of<std::int32_t>({1, 0, -1})});
  Quantization& q = b.quantize(at, scheme_tag::per_channel_affine);
  q.axis = 1;
  q.scale_buffer_index = 1;
  q.zero_point_buffer_index = 2;
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0, 4, 16, 1.5f, 10, 28}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
  q.flags = 1;
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{0.5f, 4, 12, 2, 10, 24}));
}

TEST(PerBlockAffine, BlocksAreNumberedRowMajorWhateverTheLayout) {
  ReadingBuilder b;  // column-major [2,4], blocks of 2 along axis 1: block = i0*2 + i1/2
  const std::uint32_t at = b.tensor(tag::int8, {2, 4}, {{1, 1, 1, 1, 1, 1, 1, 1}, floats({1, 2, 3, 4})}, facts::layout_tag::column_major);
  Quantization& q = b.quantize(at, scheme_tag::per_block_affine);
  q.axis = 1;
  q.block_size = 2;
  q.scale_buffer_index = 1;
  q.scale_type_tag = tag::float32;
  q.flags = 1;
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{1, 1, 2, 2, 3, 3, 4, 4}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(PerBlockAffine, PartialLastBlockHasItsOwnScale) {
  ReadingBuilder b;  // [3,2] along axis 0, blocks of 2: block = i1*2 + i0/2
  const std::uint32_t at = b.tensor(tag::int8, {3, 2}, {{1, 1, 1, 1, 1, 1, 99, 99}, floats({1, 2, 3, 4}), bytes_of<std::int32_t>({0, 1, 2, 3})});
  Quantization& q = b.quantize(at, scheme_tag::per_block_affine);
  q.axis = 0;
  q.block_size = 2;
  q.scale_buffer_index = 1;
  q.zero_point_buffer_index = 2;
  q.scale_type_tag = tag::float32;
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{1, -3, 1, -3, 0, -8}));
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

TEST(PerBlockAffine, HalfScalesAreWidened) {
  for (const auto& [type, code, scale] : {std::tuple{tag::float16, std::uint16_t{0x0001}, 0x1p-24f}, std::tuple{tag::bfloat16, std::uint16_t{0x3FC0}, 1.5f}}) {
    ReadingBuilder b;
    Quantization& q = b.quantize(b.tensor(tag::int8, {2}, {{3, 0xFF}, bytes_of<std::uint16_t>({code})}), scheme_tag::per_block_affine);
    q.block_size = 2;
    q.scale_buffer_index = 1;
    q.scale_type_tag = type;
    q.flags = 1;
    EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{3 * scale, -scale}));
  }
}

TEST(PerBlockAffine, OneBufferMayHoldScalesAndThenZeroPoints) {
  ReadingBuilder b;
  ByteVector both = floats({1, 2});
  for (const std::uint8_t byte : bytes_of<std::int32_t>({5, 6})) both.push_back(byte);
  Quantization& q = b.quantize(b.tensor(tag::int8, {4}, {{10, 10, 10, 10}, both}), scheme_tag::per_block_affine);
  q.block_size = 2;
  q.scale_buffer_index = q.zero_point_buffer_index = 1;
  q.scale_type_tag = tag::float32;
  q.zero_point_offset = 8;
  EXPECT_EQ(merged_floats(b.reading()), (std::vector<float>{5, 5, 8, 8}));
}

TEST(Nf4, CodesDecodeToThePrintedTable) {
  ReadingBuilder b;
  Quantization& q = b.quantize(b.tensor(tag::uint4, {16}, {{0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE}, floats({1.0f})}), scheme_tag::nf4);
  q.block_size = 16;
  q.scale_buffer_index = 1;
  const std::vector<std::uint32_t> table{0xBF800000, 0xBF3239B1, 0xBF066B30, 0xBECA32A0, 0xBE91A24D, 0xBE3D353F, 0xBDBA7871, 0x00000000,
                                         0x3DA2FAFF, 0x3E24CAE3, 0x3E7C04DD, 0x3EAD033A, 0x3EE1A4B8, 0x3F1007AB, 0x3F3913B3, 0x3F800000};
  EXPECT_EQ(merged(b.reading()), bytes_of(table));
}

TEST(Nf4, BlockScaleIsAFloat32Factor) {
  ReadingBuilder b;
  Quantization& q = b.quantize(b.tensor(tag::uint4, {2, 8}, {{0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0}, floats({0.3f, 7.0f})}), scheme_tag::nf4);
  q.axis = 1;
  q.block_size = 8;
  q.scale_buffer_index = 1;
  std::vector<float> expected(16, 0.3f);
  std::fill(expected.begin() + 8, expected.end(), -7.0f);
  EXPECT_EQ(merged_floats(b.reading()), expected);
}

TEST(Mxfp, SharedExponentScalesEveryStorageType) {
  const struct { std::uint8_t type; std::uint8_t first; float value; } cases[] = {
      {tag::float8_e4m3, 0x7E, 448}, {tag::float8_e5m2, 0x7B, 57344}, {tag::float4_e2m1, 0x7, 6},
      {tag::float6_e2m3, 0x1F, 7.5f}, {tag::float6_e3m2, 0x1F, 28}, {tag::int8, 0x80, -128}, {tag::int4, 0x8, -8}};
  for (const auto& c : cases) {
    ReadingBuilder b;
    ByteVector data(16, 0);
    data[0] = c.first;
    Quantization& q = b.quantize(b.tensor(c.type, {16}, {data, {129}}), scheme_tag::mxfp);
    q.block_size = 16;
    q.scale_buffer_index = 1;
    EXPECT_EQ(looked_up_float(b.reading(), {0}), 4 * c.value) << int{c.type};
    EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
  }
}

TEST(Mxfp, SmallestProductIsAnExactSubnormal) {
  ReadingBuilder b;
  ByteVector data(16, 0x01);  // 2^-16
  Quantization& q = b.quantize(b.tensor(tag::float8_e5m2, {16}, {data, {1}}), scheme_tag::mxfp);
  q.block_size = 16;
  q.scale_buffer_index = 1;
  EXPECT_EQ(looked_up_float(b.reading(), {3}), 0x1p-142f);
}

TEST(Mxfp, NanElementKeepsItsSignAndPayload) {
  ReadingBuilder b;
  ByteVector data(16, 0xFE);  // float8_e5m2 NaN, sign set, fraction 2
  Quantization& q = b.quantize(b.tensor(tag::float8_e5m2, {16}, {data, {127}}), scheme_tag::mxfp);
  q.block_size = 16;
  q.scale_buffer_index = 1;
  EXPECT_EQ(looked_up(b.reading(), {0}), 0xFFC00000u);
}

TEST(QuantizedMember, IsRoundedToTheHeadsFloatType) {
  for (const auto& [type, expected] : {std::pair{tag::float16, std::uint64_t{0x2E66}}, std::pair{tag::bfloat16, std::uint64_t{0x3DCD}},
                                       std::pair{tag::float32, std::uint64_t{0x3DCCCCCD}}, std::pair{tag::float64, std::uint64_t{0x3FB99999A0000000}}}) {
    ReadingBuilder b;
    b.partition(type, {1});
    b.quantize(b.tensor(tag::int8, {1}, {{1}}), scheme_tag::per_tensor_affine).scale = 0.1f;
    b.close();
    EXPECT_EQ(looked_up(b.reading(), {0}), expected);
    EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
  }
}

TEST(QuantizedMember, HasNoValueUnderAnIntegerHead) {
  ReadingBuilder b;
  b.partition(tag::int32, {1});
  b.quantize(b.tensor(tag::int8, {1}, {{1}}), scheme_tag::per_tensor_affine).scale = 1.0f;
  b.close();
  EXPECT_EQ(merged_size(b.reading(), 0), std::nullopt);
  EXPECT_EQ(looked_up(b.reading(), {0}), ~std::uint64_t{0});
}

TEST(QuantizedPages, HaveNoValueWhereParametersFollowSlotsOrPages) {
  ReadingBuilder b;  // pages of 2 tokens, the sequence uses pages 1 and 0
  const std::uint32_t at = b.tensor(tag::int8, {3, 1, 1}, {{1, 1, 1, 1}, bytes_of<std::uint32_t>({1, 0}), bytes_of<std::uint32_t>({0, 2}), floats({10, 20, 30, 40})},
                                    facts::layout_tag::block_paged);
  b.descriptor(at).layout.page_size = 2;
  b.descriptor(at).layout.num_pages = 2;
  b.descriptor(at).layout.num_seqs = 1;
  Quantization& q = b.quantize(at, scheme_tag::per_block_affine);
  q.block_size = 2;
  q.scale_buffer_index = 3;
  q.scale_type_tag = tag::float32;
  q.flags = 1;
  EXPECT_EQ(merged_size(b.reading(), 0), std::nullopt);
}

}  // namespace
}  // namespace hurray::reference
