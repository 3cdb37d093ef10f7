#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "generators/oracle.h"
#include "generators/oracle/combine.h"
#include "generators/oracle/number.h"

namespace hurray::generators {
namespace {

namespace tag = facts::tag;

template <typename Unsigned, typename Float>
Bits bits_of(Float value) {
  Unsigned bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return {bits, 0};
}
Bits f32(float value) { return bits_of<std::uint32_t>(value); }
Bits f64(double value) { return bits_of<std::uint64_t>(value); }

AdmissibleElement only(const Bits& pattern) { return {{pattern}, false, false, ""}; }

float as_float(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

TEST(Number, EveryPatternOfTheSmallTypesSurvivesDecodingAndEncoding) {
  for (const std::uint8_t type : {tag::float16, tag::bfloat16, tag::float8_e4m3, tag::float8_e5m2, tag::float4_e2m1, tag::float6_e2m3, tag::float6_e3m2})
    for (std::uint64_t pattern = 0; pattern < (std::uint64_t{1} << facts::element_type(type)->bits); ++pattern) {
      const Number number = decode(type, {pattern, 0});
      if (number.kind == Number::Kind::nan) continue;
      EXPECT_EQ(encode_float(type, number).front(), (Bits{pattern, 0})) << unsigned{type} << ' ' << pattern;
    }
}

TEST(Number, LimitsAreThoseOfTheText) {
  const auto value = [](std::uint8_t type, std::uint64_t pattern) { return encode_float(tag::float32, decode(type, {pattern, 0})).front(); };
  EXPECT_EQ(value(tag::float4_e2m1, 0x7), f32(6));
  EXPECT_EQ(value(tag::float6_e3m2, 0x1F), f32(28));
  EXPECT_EQ(value(tag::float8_e4m3, 0x7E), f32(448));
  EXPECT_EQ(value(tag::float8_e5m2, 0x7B), f32(57344));
  EXPECT_EQ(value(tag::float8_e8m0, 0x7F), f32(1));
  EXPECT_EQ(decode(tag::float8_e4m3, {0x7F, 0}).kind, Number::Kind::nan);
  EXPECT_EQ(decode(tag::float8_e5m2, {0x7C, 0}).kind, Number::Kind::infinite);
}

TEST(Number, SmallFloatsClampAndFloat8OverflowIsOpen) {
  EXPECT_EQ(encode_float(tag::float4_e2m1, Number::of(Dyadic::of(100))), (std::vector<Bits>{{0x7, 0}}));
  EXPECT_EQ(encode_float(tag::float8_e4m3, Number::of(Dyadic::of(1000))).size(), 2u);
  EXPECT_EQ(encode_float(tag::float16, Number::of(Dyadic::of(70000))), (std::vector<Bits>{{0x7C00, 0}}));
}

TEST(Number, RoundingFromFloat64MatchesTheProcessor) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200000; ++round) {
    const std::uint64_t exponent = 1023 - 160 + random() % 320;  // from deep underflow to overflow of float32
    const std::uint64_t pattern = (random() & 0x800fffffffffffffu) | (exponent << 52);
    double value = 0;
    std::memcpy(&value, &pattern, sizeof value);
    ASSERT_EQ(encode_float(tag::float32, decode(tag::float64, {pattern, 0})).front(), f32(static_cast<float>(value))) << value;
  }
}

TEST(Sum, OfTwoFloatsMatchesTheProcessor) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 100000; ++round) {
    const std::uint32_t left = static_cast<std::uint32_t>(random());
    const std::uint32_t right = round % 2 == 0 ? static_cast<std::uint32_t>(random()) : left ^ static_cast<std::uint32_t>(random() & 0x80ffffffu);
    const float sum = as_float(left) + as_float(right);
    const AdmissibleElement result = admissible_sum(tag::float32, {only({left, 0}), only({right, 0})});
    ASSERT_TRUE(result.admits(tag::float32, f32(sum))) << as_float(left) << " + " << as_float(right);
    ASSERT_EQ(result.exact(), std::isfinite(sum) ? sum != 0 || left == right : !std::isnan(sum));
  }
}

TEST(Sum, OrderMattersOnlyWhereItDoes) {
  const float big = 16777216;
  const AdmissibleElement open = admissible_sum(tag::float32, {only(f32(big)), only(f32(1)), only(f32(1))});
  EXPECT_FALSE(open.exact());
  EXPECT_EQ(open.reading, "AMB-12");
  EXPECT_TRUE(open.admits(tag::float32, f32(big)));
  EXPECT_TRUE(open.admits(tag::float32, f32(big + 2)));
  EXPECT_FALSE(open.admits(tag::float32, f32(big + 4)));
  EXPECT_TRUE(admissible_sum(tag::float32, {only(f32(1)), only(f32(2)), only(f32(4))}).exact());
}

TEST(Sum, IntegersAreExactUntilTheyOverflow) {
  EXPECT_EQ(admissible_sum(tag::int8, {only({100, 0}), only({0xF6, 0})}).patterns.front(), (Bits{90, 0}));
  EXPECT_TRUE(admissible_sum(tag::int8, {only({100, 0}), only({100, 0})}).any);
  EXPECT_TRUE(admissible_sum(tag::boolean, {only({1, 0}), only({1, 0})}).any);
  EXPECT_EQ(admissible_sum(tag::boolean, {only({1, 0}), only({0, 0})}).patterns.front(), (Bits{1, 0}));
}

TEST(Sum, ComplexPartsAddSeparately) {
  const Bits left{f64(1.5).low, f64(-2).low}, right{f64(0.25).low, f64(5).low};
  EXPECT_EQ(admissible_sum(tag::complex128, {only(left), only(right)}).patterns.front(), (Bits{f64(1.75).low, f64(3).low}));
}

Node tensor(Shape shape, std::vector<float> values) {
  Node node;
  node.shape = std::move(shape);
  for (const float value : values) node.elements.push_back(f32(value));
  return node;
}

Node boxed(Node node, Shape parent, Index offset) {
  node.shard = Box{std::move(parent), std::move(offset)};
  return node;
}

TEST(Oracle, FormatsOwnPartitionExampleResolvesToMemberOneAtThreeTwo) {
  std::vector<float> left(32), right(32);
  for (std::size_t at = 0; at < 32; ++at) right[at] = static_cast<float>(100 + at);
  Node head;
  head.shape = {8, 8};
  head.head = Head{};
  head.members = {boxed(tensor({8, 4}, left), {8, 8}, {0, 0}), boxed(tensor({8, 4}, right), {8, 8}, {0, 4})};
  EXPECT_EQ(oracle_element(head, {3, 6})->patterns.front(), f32(100 + 3 * 4 + 2));
  EXPECT_EQ(oracle_view(head)->size(), 64u);
}

TEST(Oracle, LaterCorrectionWinsAndUnstoredCoordinatesAreOpen) {
  Node head;
  head.shape = {4};
  head.head = Head{facts::composition_rule::overlay, facts::combine_op::replace};
  Node sparse = boxed(tensor({4}, {9}), {4}, {0});
  sparse.layout = Coo{{{1}}, true};
  head.members = {boxed(tensor({4}, {1, 2, 3, 4}), {4}, {0}), boxed(tensor({2}, {7, 8}), {4}, {2}), sparse};
  EXPECT_EQ(oracle_element(head, {1})->patterns, (std::vector<Bits>{f32(9)}));
  const AdmissibleElement open = *oracle_element(head, {2});
  EXPECT_EQ(open.reading, "AMB-09");
  EXPECT_TRUE(open.admits(tag::float32, f32(7)));
  EXPECT_TRUE(open.admits(tag::float32, f32(0)));
  EXPECT_FALSE(open.admits(tag::float32, f32(3)));
}

TEST(Oracle, PerTensorAffineCastsTheDifferenceBeforeTheProduct) {
  Node node;
  node.type = tag::int32;
  node.shape = {1};
  node.scheme = PerTensorAffine{1.0f, -1};
  node.elements = {{16777216, 0}};  // 2^24 + 1 is not a float32
  EXPECT_EQ(view_type(node), tag::float32);
  EXPECT_EQ(oracle_element(node, {0})->patterns, (std::vector<Bits>{f32(16777216)}));
}

TEST(Pack, SixBitExampleOfTheText) {
  EXPECT_EQ(pack(tag::float6_e2m3, {{0x01, 0}, {0x02, 0}, {0x04, 0}, {0x08, 0}}), (std::vector<std::uint8_t>{0x81, 0x40, 0x20}));
  EXPECT_EQ(pack(tag::int4, {{1, 0}, {2, 0}, {3, 0}}), (std::vector<std::uint8_t>{0x21, 0x03}));
  EXPECT_EQ(unpack(tag::int4, {0x21, 0x03}, 3), (std::vector<Bits>{{1, 0}, {2, 0}, {3, 0}}));
}

}  // namespace
}  // namespace hurray::generators
