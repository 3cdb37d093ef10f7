// Exact arithmetic on sign * magnitude * 2^exponent. Every value of every element type of the format is such a number,
// and so are their sums and products, so the oracle never rounds until it is asked to.
#pragma once

#include <cstdint>
#include <vector>

namespace hurray::generators {

class Dyadic {
 public:
  Dyadic() = default;
  static Dyadic of(std::int64_t value);
  /// magnitude * 2^exponent with a magnitude of up to 128 bits.
  static Dyadic of(bool negative, std::uint64_t high, std::uint64_t low, std::int64_t exponent);

  bool is_zero() const { return limbs_.empty(); }
  bool negative() const { return negative_; }
  /// Position of the leading bit: 2^leading() <= |value| < 2^(leading()+1). Not for zero.
  std::int64_t leading() const;

  friend Dyadic operator+(const Dyadic& left, const Dyadic& right);
  friend Dyadic operator*(const Dyadic& left, const Dyadic& right);
  friend bool operator==(const Dyadic& left, const Dyadic& right);
  Dyadic negated() const;

  /// |value| / 2^quantum as an integer (which must fit 128 bits) and what is left over, compared to one half.
  struct Quotient {
    std::uint64_t high = 0, low = 0;
    int remainder = 0;  // 0 none, 1 below one half, 2 one half, 3 above
  };
  Quotient divided_by_power(std::int64_t quantum) const;

 private:
  void normalise();
  bool bit(std::int64_t position) const;  // of the magnitude
  bool negative_ = false;
  std::vector<std::uint32_t> limbs_;  // magnitude, low limb first, no leading zero limb, lowest limb not zero
  std::int64_t exponent_ = 0;
};

}  // namespace hurray::generators
