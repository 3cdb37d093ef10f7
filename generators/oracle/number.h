// Element bit patterns as exact numbers and back, by definition of each type (element-types.md).
#pragma once

#include <vector>

#include "generators/model.h"
#include "generators/oracle/dyadic.h"

namespace hurray::generators {

struct Number {
  enum class Kind : std::uint8_t { finite, infinite, nan } kind = Kind::finite;
  bool negative = false;  // of zeros and infinities too
  Dyadic value;           // finite

  static Number of(const Dyadic& value) { return {Kind::finite, value.negative(), value}; }
  bool is_zero() const { return kind == Kind::finite && value.is_zero(); }
};

/// Whether patterns of this type stand for single real numbers: floats and integers, not complex, not bool.
bool is_real(std::uint8_t type);
bool is_float(std::uint8_t type);
bool is_integer(std::uint8_t type);

Number decode(std::uint8_t type, const Bits& pattern);

/// The pattern nearest to a real number, ties to even. More than one where the text leaves it open: a float8 sum beyond
/// the largest value may saturate or become its infinity or NaN. Float4 and float6 clamp, as the text demands.
std::vector<Bits> encode_float(std::uint8_t type, const Number& number);

/// Two's complement pattern; empty where the value does not fit.
std::vector<Bits> encode_integer(std::uint8_t type, const Dyadic& value);

/// A pattern is a NaN of its type.
bool is_nan(std::uint8_t type, const Bits& pattern);

}  // namespace hurray::generators
