#include "generators/oracle/dyadic.h"

#include <algorithm>

namespace hurray::generators {
namespace {

using Limbs = std::vector<std::uint32_t>;

int compare(const Limbs& left, const Limbs& right) {
  if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
  for (std::size_t at = left.size(); at-- > 0;)
    if (left[at] != right[at]) return left[at] < right[at] ? -1 : 1;
  return 0;
}

Limbs sum(const Limbs& left, const Limbs& right) {
  Limbs total;
  std::uint64_t carry = 0;
  for (std::size_t at = 0; at < std::max(left.size(), right.size()) || carry != 0; ++at) {
    carry += (at < left.size() ? left[at] : 0u);
    carry += (at < right.size() ? right[at] : 0u);
    total.push_back(static_cast<std::uint32_t>(carry));
    carry >>= 32;
  }
  return total;
}

Limbs difference(const Limbs& larger, const Limbs& smaller) {
  Limbs result = larger;
  std::int64_t borrow = 0;
  for (std::size_t at = 0; at < result.size(); ++at) {
    std::int64_t digit = static_cast<std::int64_t>(result[at]) - borrow - (at < smaller.size() ? static_cast<std::int64_t>(smaller[at]) : 0);
    borrow = digit < 0 ? 1 : 0;
    result[at] = static_cast<std::uint32_t>(digit + (borrow << 32));
  }
  return result;
}

Limbs shifted_left(const Limbs& limbs, std::uint64_t bits) {
  Limbs result(static_cast<std::size_t>(bits / 32), 0u);
  const unsigned within = static_cast<unsigned>(bits % 32);
  std::uint64_t carry = 0;
  for (const std::uint32_t limb : limbs) {
    carry |= static_cast<std::uint64_t>(limb) << within;
    result.push_back(static_cast<std::uint32_t>(carry));
    carry >>= 32;
  }
  result.push_back(static_cast<std::uint32_t>(carry));
  return result;
}

void trim(Limbs& limbs) {
  while (!limbs.empty() && limbs.back() == 0) limbs.pop_back();
}

}  // namespace

Dyadic Dyadic::of(std::int64_t value) {
  const std::uint64_t magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  return of(value < 0, 0, magnitude, 0);
}

Dyadic Dyadic::of(bool negative, std::uint64_t high, std::uint64_t low, std::int64_t exponent) {
  Dyadic number;
  number.negative_ = negative;
  number.exponent_ = exponent;
  for (const std::uint64_t part : {low, high}) {
    number.limbs_.push_back(static_cast<std::uint32_t>(part));
    number.limbs_.push_back(static_cast<std::uint32_t>(part >> 32));
  }
  number.normalise();
  return number;
}

void Dyadic::normalise() {
  trim(limbs_);
  const auto first = std::find_if(limbs_.begin(), limbs_.end(), [](std::uint32_t limb) { return limb != 0; });
  exponent_ += 32 * (first - limbs_.begin());
  limbs_.erase(limbs_.begin(), first);
  if (limbs_.empty()) {
    exponent_ = 0;
    negative_ = false;
  }
}

std::int64_t Dyadic::leading() const {
  std::int64_t bits = 31;
  while ((limbs_.back() >> bits) == 0) --bits;
  return exponent_ + 32 * static_cast<std::int64_t>(limbs_.size() - 1) + bits;
}

Dyadic Dyadic::negated() const {
  Dyadic result = *this;
  result.negative_ = !negative_ && !is_zero();
  return result;
}

Dyadic operator+(const Dyadic& left, const Dyadic& right) {
  if (left.is_zero()) return right;
  if (right.is_zero()) return left;
  Dyadic result;
  result.exponent_ = std::min(left.exponent_, right.exponent_);
  Limbs a = shifted_left(left.limbs_, static_cast<std::uint64_t>(left.exponent_ - result.exponent_));
  Limbs b = shifted_left(right.limbs_, static_cast<std::uint64_t>(right.exponent_ - result.exponent_));
  trim(a);
  trim(b);
  if (left.negative_ == right.negative_) {
    result.negative_ = left.negative_;
    result.limbs_ = sum(a, b);
  } else {
    const bool left_larger = compare(a, b) >= 0;
    result.negative_ = left_larger ? left.negative_ : right.negative_;
    result.limbs_ = left_larger ? difference(a, b) : difference(b, a);
  }
  result.normalise();
  return result;
}

Dyadic operator*(const Dyadic& left, const Dyadic& right) {
  Dyadic result;
  result.negative_ = left.negative_ != right.negative_;
  result.exponent_ = left.exponent_ + right.exponent_;
  for (std::size_t at = 0; at < right.limbs_.size(); ++at) {
    Limbs row(at, 0u);
    std::uint64_t carry = 0;
    for (const std::uint32_t limb : left.limbs_) {
      carry += static_cast<std::uint64_t>(limb) * right.limbs_[at];
      row.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    row.push_back(static_cast<std::uint32_t>(carry));
    result.limbs_ = sum(result.limbs_, row);
  }
  result.normalise();
  return result;
}

bool operator==(const Dyadic& left, const Dyadic& right) { return (left + right.negated()).is_zero(); }

bool Dyadic::bit(std::int64_t position) const {
  const std::int64_t at = position - exponent_;
  if (at < 0 || at / 32 >= static_cast<std::int64_t>(limbs_.size())) return false;
  return ((limbs_[static_cast<std::size_t>(at / 32)] >> (at % 32)) & 1u) != 0;
}

Dyadic::Quotient Dyadic::divided_by_power(std::int64_t quantum) const {
  Quotient quotient;
  if (is_zero()) return quotient;
  for (std::int64_t position = leading(); position >= quantum; --position) {
    quotient.high = (quotient.high << 1) | (quotient.low >> 63);
    quotient.low = (quotient.low << 1) | (bit(position) ? 1u : 0u);
  }
  const bool half = bit(quantum - 1);
  bool below = false;
  for (std::int64_t position = std::min(quantum - 2, leading()); position >= exponent_ && !below; --position) below = bit(position);
  quotient.remainder = half ? (below ? 3 : 2) : (below ? 1 : 0);
  return quotient;
}

}  // namespace hurray::generators
