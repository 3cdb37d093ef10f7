#include "generators/oracle/combine.h"

#include <algorithm>

#include "generators/oracle/number.h"

namespace hurray::generators {
namespace {

constexpr const char* open_reading = "AMB-12";
constexpr std::size_t all_orders_up_to = 5;

void include(std::vector<Bits>& set, const std::vector<Bits>& more) {
  for (const Bits& pattern : more)
    if (std::find(set.begin(), set.end(), pattern) == set.end()) set.push_back(pattern);
}

AdmissibleElement anything() { return {{}, false, true, open_reading}; }

/// Results of one addition of two patterns, and whether it may be a NaN.
struct Sum {
  std::vector<Bits> patterns;
  bool nan = false;
};

Sum add_floats(std::uint8_t type, const Bits& left, const Bits& right) {
  const Number a = decode(type, left);
  const Number b = decode(type, right);
  using Kind = Number::Kind;
  if (a.kind == Kind::nan || b.kind == Kind::nan) return {{}, true};
  if (a.kind == Kind::infinite && b.kind == Kind::infinite && a.negative != b.negative) return {{}, true};
  if (a.kind == Kind::infinite) return {{left}, false};
  if (b.kind == Kind::infinite) return {{right}, false};
  Number total = Number::of(a.value + b.value);
  if (!total.value.is_zero()) {
    Sum sum{encode_float(type, total), false};
    for (const Bits& pattern : sum.patterns) sum.nan = sum.nan || is_nan(type, pattern);
    return sum;
  }
  total.negative = a.negative && b.negative;
  Sum sum{encode_float(type, total), false};
  if (a.negative != b.negative || !a.is_zero()) {  // the sign of a zero sum is open
    total.negative = true;
    include(sum.patterns, encode_float(type, total));
  }
  return sum;
}

Sum add_sets(std::uint8_t type, const Sum& left, const Sum& right) {
  Sum all{{}, left.nan || right.nan};
  for (const Bits& a : left.patterns)
    for (const Bits& b : right.patterns) {
      const Sum one = add_floats(type, a, b);
      include(all.patterns, one.patterns);
      all.nan = all.nan || one.nan;
    }
  return all;
}

/// Every association and order of up to five terms.
Sum every_order(std::uint8_t type, const std::vector<Sum>& terms) {
  const std::size_t full = (std::size_t{1} << terms.size()) - 1;
  std::vector<Sum> by_subset(full + 1);
  for (std::size_t subset = 1; subset <= full; ++subset) {
    if ((subset & (subset - 1)) == 0) {
      by_subset[subset] = terms[static_cast<std::size_t>(__builtin_ctzll(subset))];
      continue;
    }
    for (std::size_t part = (subset - 1) & subset; part > subset / 2; part = (part - 1) & subset) {
      const Sum sum = add_sets(type, by_subset[part], by_subset[subset ^ part]);
      include(by_subset[subset].patterns, sum.patterns);
      by_subset[subset].nan = by_subset[subset].nan || sum.nan;
    }
  }
  return by_subset[full];
}

Sum fold(std::uint8_t type, const std::vector<Sum>& terms, std::size_t first, std::size_t last) {
  Sum total = terms[first];
  for (std::size_t at = first + 1; at < last; ++at) total = add_sets(type, total, terms[at]);
  return total;
}

/// One rounding of the exact sum, as a reader with a wide accumulator gives it.
std::vector<Bits> rounded_once(std::uint8_t type, const std::vector<Sum>& terms) {
  Dyadic exact;
  for (const Sum& term : terms) {
    if (term.patterns.size() != 1) return {};
    const Number number = decode(type, term.patterns.front());
    if (number.kind != Number::Kind::finite) return {};
    exact = exact + number.value;
  }
  return exact.is_zero() ? std::vector<Bits>{} : encode_float(type, Number::of(exact));
}

AdmissibleElement sum_floats(std::uint8_t type, const std::vector<AdmissibleElement>& terms) {
  std::vector<Sum> sets;
  for (const AdmissibleElement& term : terms) {
    Sum set{{}, term.any_nan};
    for (const Bits& pattern : term.patterns) {
      set.nan = set.nan || is_nan(type, pattern);
      set.patterns.push_back(pattern);
    }
    sets.push_back(std::move(set));
  }
  Sum all = fold(type, sets, 0, sets.size());
  const auto widen = [&all](const Sum& more) {
    include(all.patterns, more.patterns);
    all.nan = all.nan || more.nan;
  };
  if (sets.size() <= all_orders_up_to)
    widen(every_order(type, sets));
  else
    widen(add_sets(type, sets[0], fold(type, sets, 1, sets.size())));
  include(all.patterns, rounded_once(type, sets));
  AdmissibleElement result{std::move(all.patterns), all.nan, false, ""};
  if (!result.exact()) result.reading = open_reading;
  return result;
}

AdmissibleElement sum_integers(std::uint8_t type, const std::vector<AdmissibleElement>& terms) {
  Dyadic positive, negative;
  for (const AdmissibleElement& term : terms) {
    if (!term.exact()) return anything();
    const Dyadic value = decode(type, term.patterns.front()).value;
    (value.negative() ? negative : positive) = (value.negative() ? negative : positive) + value;
  }
  if (encode_integer(type, positive).empty() || encode_integer(type, negative).empty()) return anything();
  return {encode_integer(type, positive + negative), false, false, ""};
}

AdmissibleElement sum_booleans(const std::vector<AdmissibleElement>& terms) {
  std::uint64_t set = 0;
  for (const AdmissibleElement& term : terms) {
    if (!term.exact()) return anything();
    set += term.patterns.front().low;
  }
  return set > 1 ? anything() : AdmissibleElement{{Bits{set, 0}}, false, false, ""};
}

AdmissibleElement sum_complex(std::uint8_t type, const std::vector<AdmissibleElement>& terms) {
  const bool wide = type == facts::tag::complex128;
  const std::uint8_t part_type = wide ? facts::tag::float64 : facts::tag::float32;
  const auto part = [wide](const Bits& bits, bool imaginary) {
    if (wide) return Bits{imaginary ? bits.high : bits.low, 0};
    return Bits{imaginary ? bits.low >> 32 : bits.low & 0xffffffffu, 0};
  };
  std::array<AdmissibleElement, 2> parts;
  for (const bool imaginary : {false, true}) {
    std::vector<AdmissibleElement> of_part;
    for (const AdmissibleElement& term : terms) {
      if (!term.exact()) return anything();
      of_part.push_back({{part(term.patterns.front(), imaginary)}, false, false, ""});
    }
    parts[imaginary ? 1 : 0] = sum_floats(part_type, of_part);
    if (parts[imaginary ? 1 : 0].any_nan) return anything();
  }
  AdmissibleElement result;
  for (const Bits& real : parts[0].patterns)
    for (const Bits& imaginary : parts[1].patterns)
      result.patterns.push_back(wide ? Bits{real.low, imaginary.low} : Bits{real.low | (imaginary.low << 32), 0});
  if (!result.exact()) result.reading = open_reading;
  return result;
}

}  // namespace

AdmissibleElement admissible_sum(std::uint8_t type, const std::vector<AdmissibleElement>& terms) {
  if (terms.size() == 1) return terms.front();
  for (const AdmissibleElement& term : terms)
    if (term.any) return anything();
  if (is_float(type) || type == facts::tag::float8_e8m0) return sum_floats(type, terms);
  if (is_integer(type)) return sum_integers(type, terms);
  if (type == facts::tag::boolean) return sum_booleans(terms);
  if (type == facts::tag::complex64 || type == facts::tag::complex128) return sum_complex(type, terms);
  return anything();
}

AdmissibleElement converted_from_float32(std::uint8_t type, const AdmissibleElement& element, const std::optional<Number>& unrounded) {
  if (type == facts::tag::float32 || element.any) return element;
  if (!is_float(type)) return anything();
  AdmissibleElement result{{}, element.any_nan, false, element.reading};
  for (const Bits& pattern : element.patterns) {
    const Number number = decode(facts::tag::float32, pattern);
    if (number.kind == Number::Kind::nan)
      result.any_nan = true;
    else
      include(result.patterns, encode_float(type, number));
  }
  if (unrounded) include(result.patterns, encode_float(type, *unrounded));
  if (!result.exact() && result.reading.empty()) result.reading = "AMB-01";
  return result;
}

}  // namespace hurray::generators
