#include "fuzz/decision_seeds.h"

#include "fuzz/growth_limits.h"
#include "fuzz/laws.h"
#include "fuzz/near_miss.h"

namespace hurray::fuzz {
namespace {

using Input = std::vector<std::uint8_t>;

Input behind(Input prefix, const generators::Model& model, const generators::GrowthLimits& limits) {
  const generators::Regrown regrown = generators::decisions_of(model, limits);
  prefix.insert(prefix.end(), regrown.decisions.begin(), regrown.decisions.end());
  return prefix;
}

constexpr std::size_t carriers = 3;

/// fuzz/diff/input.h: a legal model, or one with a fault.
Input differential(const generators::Model& model, std::size_t choice) {
  constexpr std::uint8_t grown = 4u << 3, broken = 6u << 3;
  if (choice % 2 == 0) return behind({static_cast<std::uint8_t>(grown | (1 + choice / 2 % carriers))}, model, values_limits());
  const std::size_t fault = choice / 2 % fault_count();
  return behind({broken, static_cast<std::uint8_t>(fault), static_cast<std::uint8_t>(fault >> 8), static_cast<std::uint8_t>(choice * 7)}, model, near_miss_limits());
}

}  // namespace

Input seed_for(std::string_view target, const generators::Model& model, std::size_t choice) {
  const std::size_t fault = choice % fault_count();
  const auto byte = [](std::size_t value) { return static_cast<std::uint8_t>(value); };
  if (target == "fz_diff") return differential(model, choice);
  if (target == "fz_merge") return behind({}, model, values_limits());
  if (target == "fz_metamorph") return behind({byte(choice % law_names.size()), byte(choice * 5), byte(choice * 3)}, model, tree_limits());
  if (target == "fz_nearmiss") return behind({byte(fault), byte(fault >> 8), byte(choice * 7)}, model, near_miss_limits());
  return behind({byte(choice % carriers)}, model, tree_limits());
}

}  // namespace hurray::fuzz
