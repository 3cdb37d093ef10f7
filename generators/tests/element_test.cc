#include "generators/element.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <random>

#include "generators/decimal.h"

namespace hurray::generators {
namespace {

using namespace facts;

Bits encoded(std::uint8_t type, const char* literal) {
  const EncodedElement element = encode_element({type, nullptr}, literal);
  EXPECT_EQ(element.error, "") << literal;
  return element.bits;
}

std::uint64_t low(std::uint8_t type, const char* literal) { return encoded(type, literal).low; }

std::string error(std::uint8_t type, const char* literal) { return encode_element({type, nullptr}, literal).error; }

TEST(Elements, HalfPrecisionRoundsOnceToNearestEven) {
  EXPECT_EQ(low(tag::float16, "0.1"), 0x2E66u);
  EXPECT_EQ(low(tag::float16, "65504"), 0x7BFFu);
  EXPECT_EQ(low(tag::float16, "65519.999"), 0x7BFFu);
  EXPECT_EQ(low(tag::float16, "2.98023223876953125e-8"), 0u);  // half of the least subnormal: a tie
  EXPECT_EQ(low(tag::float16, "2.98023223876953126e-8"), 1u);
  EXPECT_EQ(low(tag::float16, "6.097555160522461e-5"), 0x03FFu);
  EXPECT_EQ(low(tag::float16, "-0.0"), 0x8000u);
}

TEST(Elements, BrainFloatTiesGoToTheEvenPattern) {
  EXPECT_EQ(low(tag::bfloat16, "1.00390625"), 0x3F80u);
  EXPECT_EQ(low(tag::bfloat16, "1.01171875"), 0x3F82u);
}

TEST(Elements, QuadruplePrecisionIsCorrectlyRounded) {
  EXPECT_EQ(encoded(tag::float128, "1"), (Bits{0, 0x3FFF000000000000}));
  EXPECT_EQ(encoded(tag::float128, "0.1"), (Bits{0x999999999999999A, 0x3FFB999999999999}));
  EXPECT_EQ(encoded(tag::float128, "6.475175119438025110924438958227647e-4966"), (Bits{1, 0}));
}

TEST(Elements, NarrowFloatsFollowTheirValueMaps) {
  EXPECT_EQ(low(tag::float8_e4m3, "448"), 0x7Eu);
  EXPECT_EQ(low(tag::float8_e4m3, "464"), 0x7Eu);
  EXPECT_EQ(low(tag::float8_e4m3, "nan"), 0x7Fu);
  EXPECT_EQ(low(tag::float8_e4m3, "-nan"), 0xFFu);
  EXPECT_EQ(low(tag::float8_e5m2, "57344"), 0x7Bu);
  EXPECT_EQ(low(tag::float8_e5m2, "-inf"), 0xFCu);
  EXPECT_EQ(low(tag::float4_e2m1, "0.5"), 0x1u);
  EXPECT_EQ(low(tag::float4_e2m1, "-6"), 0xFu);
  EXPECT_EQ(low(tag::float6_e2m3, "7.5"), 0x1Fu);
  EXPECT_EQ(low(tag::float6_e3m2, "28"), 0x1Fu);
  EXPECT_EQ(low(tag::float6_e3m2, "0.0625"), 0x01u);
  EXPECT_EQ(low(tag::float8_e8m0, "1"), 127u);
  EXPECT_EQ(low(tag::float8_e8m0, "0.25"), 125u);
}

TEST(Elements, WhatATypeCannotHoldIsAnError) {
  EXPECT_EQ(error(tag::float16, "65520"), "65520 is beyond the largest float16");
  EXPECT_EQ(error(tag::float8_e4m3, "465"), "465 is beyond the largest float8_e4m3");
  EXPECT_EQ(error(tag::float8_e4m3, "inf"), "float8_e4m3 has no infinity");
  EXPECT_EQ(error(tag::float4_e2m1, "nan"), "float4_e2m1 has no NaN");
  EXPECT_EQ(error(tag::float8_e8m0, "3").substr(0, 24), "3 is not a power of two ");
  EXPECT_EQ(error(tag::int4, "8"), "8 is not an integer from -8 to 7");
  EXPECT_EQ(error(tag::uint2, "-1"), "-1 is not an integer from 0 to 3");
  EXPECT_EQ(error(tag::boolean, "0x2"), "0x2 is wider than 1 bits");
  EXPECT_NE(error(tag::float32, "1e"), "");
  EXPECT_NE(error(tag::float32, ""), "");
}

TEST(Elements, IntegersAreTwosComplement) {
  EXPECT_EQ(low(tag::int4, "-8"), 0x8u);
  EXPECT_EQ(low(tag::int64, "-1"), ~std::uint64_t{0});
  EXPECT_EQ(low(tag::uint64, "18446744073709551615"), ~std::uint64_t{0});
  EXPECT_EQ(low(tag::int2, "-2"), 2u);
}

TEST(Elements, ComplexPutsTheRealPartFirst) {
  EXPECT_EQ(encode_complex(tag::complex64, "1", "-2").bits, (Bits{0xC00000003F800000, 0}));
  EXPECT_EQ(encode_complex(tag::complex128, "1", "-2").bits, (Bits{0x3FF0000000000000, 0xC000000000000000}));
}

TEST(Elements, DecimalsRoundLikeTheStandardLibrary) {
  std::mt19937_64 random(7);
  for (int k = 0; k < 4000; ++k) {
    const int exponent = static_cast<int>(random() % 80) - 50;
    const std::string literal = (random() % 2 != 0 ? "-" : "") + std::to_string(random() % 10) + "." +
                                std::to_string(random()) + "e" + std::to_string(exponent);
    const float single = std::strtof(literal.c_str(), nullptr);
    ASSERT_EQ(low(tag::float32, literal.c_str()), std::bit_cast<std::uint32_t>(single)) << literal;
    ASSERT_EQ(low(tag::float64, literal.c_str()), std::bit_cast<std::uint64_t>(std::strtod(literal.c_str(), nullptr))) << literal;
  }
}

TEST(Elements, EveryPatternPrintsAsALiteralThatEncodesToIt) {
  for (const ElementType& type : element_types) {
    if (type.kind == Kind::complex) continue;
    const std::uint64_t patterns = type.bits >= 16 ? 65536 : std::uint64_t{1} << type.bits;
    for (std::uint64_t k = 0; k < patterns; ++k) {
      const Bits bits = type.bits <= 16 ? Bits{k, 0} : type.bits <= 64 ? Bits{k << (type.bits - 16) | k, 0} : Bits{k, k << 48};
      const std::string literal = element_literal({type.tag, nullptr}, bits);
      ASSERT_EQ(encode_element({type.tag, nullptr}, literal).bits, bits) << type.name << " " << literal;
    }
  }
}

TEST(Elements, CountingGivesTheSamePatternsAsDecimals) {
  for (const ElementType& type : element_types) {
    if (!float_format(type.tag)) continue;
    const bool wide = type.bits >= 16;
    for (std::int64_t k = wide ? -255 : -3; k <= (wide ? 255 : 3); ++k) {
      const Bits counted = k == 0 ? Bits{} : exact_integer(*float_format(type.tag), k);
      ASSERT_EQ(counted, encode_element({type.tag, nullptr}, std::to_string(k)).bits) << type.name << " " << k;
    }
  }
}

TEST(Elements, IotaStaysWithinWhatATypeHoldsExactly) {
  EXPECT_EQ(iota_element({tag::int8, nullptr}, 130).low, 130u);
  EXPECT_EQ(iota_element({tag::float4_e2m1, nullptr}, 5), encoded(tag::float4_e2m1, "1"));
  EXPECT_EQ(iota_element({tag::float16, nullptr}, 2049), encoded(tag::float16, "1"));
  EXPECT_EQ(iota_element({tag::float32, nullptr}, -3), encoded(tag::float32, "-3"));
  for (std::int64_t k = -300; k < 600; ++k) {
    const std::uint64_t code = iota_element({tag::float8_e8m0, nullptr}, k).low;
    ASSERT_TRUE(code >= 1 && code <= 254) << k;
  }
}

}  // namespace
}  // namespace hurray::generators
