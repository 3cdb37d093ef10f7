// Rounding against an independent path: values from the definition of each format in double, the nearest by search.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "conformance/facts/facts.h"
#include "reference/element.h"

namespace hurray::reference {
namespace {

namespace tag = facts::tag;

struct Format {
  std::uint8_t type;
  const char* name;
  int exponent_bits, mantissa_bits;
  bool has_infinity, has_nan;
};

constexpr Format formats[] = {
    {tag::float16, "float16", 5, 10, true, true},          {tag::bfloat16, "bfloat16", 8, 7, true, true},
    {tag::float8_e5m2, "float8_e5m2", 5, 2, true, true},   {tag::float8_e4m3, "float8_e4m3", 4, 3, false, true},
    {tag::float6_e3m2, "float6_e3m2", 3, 2, false, false}, {tag::float6_e2m3, "float6_e2m3", 2, 3, false, false},
    {tag::float4_e2m1, "float4_e2m1", 2, 1, false, false}};

unsigned sign_bit(const Format& f) { return 1u << (f.exponent_bits + f.mantissa_bits); }

/// The value of a code, straight from element-types.md.
double value_of(const Format& f, unsigned code) {
  const unsigned fraction = code & ((1u << f.mantissa_bits) - 1);
  const unsigned field = (code >> f.mantissa_bits) & ((1u << f.exponent_bits) - 1);
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const bool top = field == (1u << f.exponent_bits) - 1;
  const double scale = std::ldexp(1.0, -f.mantissa_bits);
  double magnitude = field == 0 ? fraction * scale * std::ldexp(1.0, 1 - bias)
                                : (1 + fraction * scale) * std::ldexp(1.0, static_cast<int>(field) - bias);
  if (f.has_infinity && top) magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
  if (!f.has_infinity && f.has_nan && top && fraction == (1u << f.mantissa_bits) - 1) magnitude = std::nan("");
  return (code & sign_bit(f)) != 0 ? -magnitude : magnitude;
}

/// The non-negative finite numbers, which ascend with their codes 0, 1, 2 …
const std::vector<double>& finite_values(const Format& f) {
  static std::map<std::uint8_t, std::vector<double>> tables;
  std::vector<double>& values = tables[f.type];
  if (values.empty())
    for (unsigned code = 0; code < sign_bit(f) && std::isfinite(value_of(f, code)); ++code) values.push_back(value_of(f, code));
  return values;
}

unsigned count_of_finite(const Format& f) { return static_cast<unsigned>(finite_values(f).size()); }

/// The nearest code by binary search over the values, the even code of two equally near.
unsigned nearest(const Format& f, double x) {
  const std::vector<double>& values = finite_values(f);
  const unsigned sign = std::signbit(x) ? sign_bit(f) : 0;
  const double magnitude = std::fabs(x);
  const auto count = static_cast<unsigned>(values.size());
  const unsigned past_numbers = f.has_infinity || f.has_nan ? count : count - 1;  // infinity or NaN follow the numbers
  if (std::isinf(magnitude)) return sign | past_numbers;
  const auto below = static_cast<unsigned>(std::upper_bound(values.begin(), values.end(), magnitude) - values.begin()) - 1;
  const double low = values[below];
  // One step past the largest number counts as a number: rounding there means overflow.
  const double high = below + 1 < count ? values[below + 1] : low + (low - values[below - 1]);
  const double down = magnitude - low, up = high - magnitude;
  const unsigned code = down < up ? below : up < down ? below + 1 : below + (below & 1u);
  return sign | (code < count ? code : past_numbers);
}

unsigned from_float32(const Format& f, float x) {
  return static_cast<unsigned>(convert(float32_format, std::bit_cast<std::uint32_t>(x), *float_format(f.type)));
}

float to_float32(const Format& f, unsigned code) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(convert(*float_format(f.type), code, float32_format)));
}

class SmallFloat : public testing::TestWithParam<Format> {};

TEST_P(SmallFloat, EveryCodeWidensToItsValueExactly) {
  const Format f = GetParam();
  for (unsigned code = 0; code < 2 * sign_bit(f); ++code) {
    const double expected = value_of(f, code);
    const float widened = to_float32(f, code);
    ASSERT_EQ(std::signbit(widened), std::signbit(expected)) << code;
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(widened)) << code;
    else
      ASSERT_EQ(static_cast<double>(widened), expected) << code;
  }
}

TEST_P(SmallFloat, EveryNumberComesBackFromFloat32) {
  const Format f = GetParam();
  for (unsigned code = 0; code < 2 * sign_bit(f); ++code)
    if (!std::isnan(value_of(f, code))) {
      ASSERT_EQ(from_float32(f, to_float32(f, code)), code);
    }
}

TEST_P(SmallFloat, EveryHalfWayPointRoundsToTheEvenCodeAndItsNeighboursToTheNearest) {
  const Format f = GetParam();
  const unsigned count = count_of_finite(f);
  for (unsigned code = 0; code < count; ++code) {
    const double low = value_of(f, code);
    const double high = code + 1 < count ? value_of(f, code + 1) : low + (low - value_of(f, code - 1));
    const auto middle = static_cast<float>((low + high) / 2);
    ASSERT_EQ(static_cast<double>(middle), (low + high) / 2);
    for (const float x : {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, INFINITY), static_cast<float>(low)}) {
      ASSERT_EQ(from_float32(f, x), nearest(f, x)) << code << " " << x;
      ASSERT_EQ(from_float32(f, -x), nearest(f, -x)) << code << " " << -x;
    }
  }
}

TEST_P(SmallFloat, RandomFloat32RoundToNearest) {
  const Format f = GetParam();
  std::mt19937 random{7};
  for (int round = 0; round < 20000; ++round) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isnan(x)) {
      ASSERT_EQ(from_float32(f, x), nearest(f, x)) << x;
    }
  }
}

TEST_P(SmallFloat, OverflowAndInfinityBecomeWhatTheFormatHas) {
  const Format f = GetParam();
  const unsigned count = count_of_finite(f);
  const unsigned expected = f.has_infinity || f.has_nan ? count : count - 1;
  EXPECT_EQ(from_float32(f, INFINITY), expected);
  EXPECT_EQ(from_float32(f, -INFINITY), sign_bit(f) | expected);
  EXPECT_EQ(from_float32(f, 3.4e38f), nearest(f, 3.4e38f));
}

TEST_P(SmallFloat, SumsOfEveryPairOrOfManyRoundOnce) {
  const Format f = GetParam();
  const unsigned codes = 2 * sign_bit(f);
  std::mt19937 random{11};
  const unsigned pairs = codes <= 256 ? codes * codes : 400000;
  for (unsigned pair = 0; pair < pairs; ++pair) {
    const unsigned left = codes <= 256 ? pair / codes : static_cast<unsigned>(random() % codes);
    const unsigned right = codes <= 256 ? pair % codes : static_cast<unsigned>(random() % codes);
    const double a = value_of(f, left), b = value_of(f, right);
    const auto sum = static_cast<unsigned>(add_elements(f.type, left, right));
    if (std::isnan(a + b)) {
      ASSERT_TRUE(std::isnan(value_of(f, sum))) << left << " " << right;
    } else if (std::isfinite(a + b) && (a + b) - a == b && (a + b) - b == a) {  // exact in double
      ASSERT_EQ(sum, nearest(f, a + b)) << left << " " << right;
    } else if (std::isfinite(a + b)) {  // so far apart that the smaller cannot matter
      ASSERT_EQ(sum, std::fabs(a) > std::fabs(b) ? left : right);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, SmallFloat, testing::ValuesIn(formats),
                         [](const auto& format) { return std::string{format.param.name}; });

Pattern f32(float x) { return std::bit_cast<std::uint32_t>(x); }

TEST(FloatSum, SignedZerosFollowRoundToNearest) {
  EXPECT_EQ(add_elements(tag::float32, f32(-0.0f), f32(0.0f)), f32(0.0f));
  EXPECT_EQ(add_elements(tag::float32, f32(-0.0f), f32(-0.0f)), f32(-0.0f));
  EXPECT_EQ(add_elements(tag::float32, f32(5.0f), f32(-5.0f)), f32(0.0f));
  EXPECT_EQ(add_elements(tag::float16, 0x8000, 0x8000), Pattern{0x8000});
}

TEST(FloatSum, SubnormalsAreKept) {
  EXPECT_EQ(add_elements(tag::float32, 1, 1), Pattern{2});
  EXPECT_EQ(add_elements(tag::float16, 0x0001, 0x03FF), Pattern{0x0400});
  EXPECT_EQ(add_elements(tag::bfloat16, 0x0001, 0x8002), Pattern{0x8001});
}

TEST(FloatSum, FirstNanKeepsItsSignAndPayloadAndBecomesQuiet) {
  EXPECT_EQ(add_elements(tag::float32, 0xFF800123, f32(1)), Pattern{0xFFC00123});
  EXPECT_EQ(add_elements(tag::float32, f32(1), 0x7F800007), Pattern{0x7FC00007});
  EXPECT_EQ(add_elements(tag::float32, 0x7FC00001, 0xFFC00002), Pattern{0x7FC00001});
}

TEST(FloatSum, OppositeInfinitiesGiveThePositiveQuietNan) {
  EXPECT_EQ(add_elements(tag::float32, 0x7F800000, 0xFF800000), Pattern{0x7FC00000});
  EXPECT_EQ(add_elements(tag::float64, Pattern{0x7FF0000000000000}, Pattern{0xFFF0000000000000}), Pattern{0x7FF8000000000000});
}

TEST(FloatSum, Float8E4m3BecomesNanOnlyAboveTheHalfWayPoint) {
  EXPECT_EQ(add_elements(tag::float8_e4m3, 0x7E, 0x58), Pattern{0x7E});  // 448 + 16, half way to 480: even
  EXPECT_EQ(add_elements(tag::float8_e4m3, 0x7E, 0x59), Pattern{0x7F});  // 448 + 18
  EXPECT_EQ(add_elements(tag::float8_e4m3, 0xFE, 0xFE), Pattern{0xFF});
}

/// Patterns that lie close to each other in exponent, where rounding and cancellation happen.
template <typename Code>
Code near_pattern(std::mt19937_64& random, int exponent_bits, int mantissa_bits) {
  const auto fraction = static_cast<Code>(random() & ((std::uint64_t{1} << mantissa_bits) - 1));
  const std::uint64_t middle = std::uint64_t{1} << (exponent_bits - 1);
  const std::uint64_t choices[] = {0, 1, 2, middle + random() % 30, (middle << 1) - 2, random() % (middle << 1)};
  const auto field = static_cast<Code>(choices[random() % 6]);
  const auto sign = static_cast<Code>(random() & 1);
  return static_cast<Code>((sign << (exponent_bits + mantissa_bits)) | (field << mantissa_bits) | fraction);
}

template <typename Float, typename Code>
void compare_with_processor(FloatFormat format, int rounds) {
  std::mt19937_64 random{3};
  for (int round = 0; round < rounds; ++round) {
    const Code left = near_pattern<Code>(random, format.exponent_bits, format.mantissa_bits);
    const Code right = near_pattern<Code>(random, format.exponent_bits, format.mantissa_bits);
    const Float sum = std::bit_cast<Float>(left) + std::bit_cast<Float>(right);
    if (sum == sum) {
      ASSERT_EQ(static_cast<Code>(add(format, left, right)), std::bit_cast<Code>(sum)) << left << " " << right;
    }
  }
}

TEST(FloatSum, AgreesWithTheProcessorInFloat32AndFloat64) {
  compare_with_processor<float, std::uint32_t>(float32_format, 1000000);
  compare_with_processor<double, std::uint64_t>(float64_format, 1000000);
}

TEST(FloatConversion, Float64ToFloat32AgreesWithTheProcessor) {
  std::mt19937_64 random{5};
  for (int round = 0; round < 500000; ++round) {
    std::uint64_t code = random();
    if (round % 2 == 0) code = (code & 0x800FFFFFFFFFFFFF) | ((873 + random() % 300) << 52);  // around float32's range
    const double x = std::bit_cast<double>(code);
    if (x == x) {
      ASSERT_EQ(convert(float64_format, code, float32_format), f32(static_cast<float>(x))) << x;
    }
  }
}

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Quad;

TEST(FloatSum, Float128AgreesWithTheCompilersRuntime) {
  const FloatFormat format = *float_format(tag::float128);
  std::mt19937_64 random{9};
  const auto pattern = [&] {
    const std::uint64_t fields[] = {0, 1, 16383 + random() % 120, 32766, random() % 32768};
    const Unsigned128 high = ((random() & 1) << 63) | (fields[random() % 5] << 48) | (random() & 0xFFFFFFFFFFFF);
    return (high << 64) | (random() % 4 == 0 ? 0 : random());
  };
  for (int round = 0; round < 500000; ++round) {
    const Unsigned128 left = pattern(), right = pattern();
    const Quad sum = std::bit_cast<Quad>(left) + std::bit_cast<Quad>(right);
    if (sum == sum) {
      ASSERT_TRUE(add(format, left, right) == std::bit_cast<Unsigned128>(sum)) << round;
    }
    const float narrow = static_cast<float>(std::bit_cast<Quad>(left));
    if (narrow == narrow) {
      ASSERT_TRUE(convert(format, left, float32_format) == f32(narrow)) << round;
    }
  }
}
#endif

TEST(OtherSums, IntegersWrapInTheirOwnWidth) {
  EXPECT_EQ(add_elements(tag::int8, 0x7F, 0x01), Pattern{0x80});
  EXPECT_EQ(add_elements(tag::uint4, 0xF, 0x2), Pattern{0x1});
  EXPECT_EQ(add_elements(tag::int2, 0b01, 0b01), Pattern{0b10});
  EXPECT_EQ(add_elements(tag::uint64, ~std::uint64_t{0}, 1), Pattern{0});
}

TEST(OtherSums, BoolIsTheLogicalOr) {
  EXPECT_EQ(add_elements(tag::boolean, 1, 1), Pattern{1});
  EXPECT_EQ(add_elements(tag::boolean, 0, 1), Pattern{1});
  EXPECT_EQ(add_elements(tag::boolean, 0, 0), Pattern{0});
}

TEST(OtherSums, ComplexAddsPartByPart) {
  const Pattern left = f32(1.5f) | (f32(-2.0f) << 32), right = f32(0.25f) | (f32(2.0f) << 32);
  EXPECT_EQ(add_elements(tag::complex64, left, right), f32(1.75f) | (f32(0.0f) << 32));
}

TEST(OtherSums, ExponentTypeGivesTheNearestPowerOfTwo) {
  EXPECT_EQ(add_elements(tag::float8_e8m0, 127, 127), Pattern{128});  // 1 + 1
  EXPECT_EQ(add_elements(tag::float8_e8m0, 128, 127), Pattern{128});  // 3, between 2 and 4: the even code
  EXPECT_EQ(add_elements(tag::float8_e8m0, 129, 128), Pattern{130});  // 6, between 4 and 8
  EXPECT_EQ(add_elements(tag::float8_e8m0, 130, 128), Pattern{130});
  EXPECT_EQ(add_elements(tag::float8_e8m0, 0xFE, 0xFE), Pattern{0xFF});
}

}  // namespace
}  // namespace hurray::reference
