// How much the targets of decisions grow: a seed is worth what it says only with the limits that its target has.
#pragma once

#include "generators/grow.h"

namespace hurray::fuzz {

[[nodiscard]] inline generators::GrowthLimits with_elements(std::uint64_t elements) {
  generators::GrowthLimits limits;
  limits.elements = elements;
  return limits;
}
[[nodiscard]] inline generators::GrowthLimits tree_limits() { return {}; }  // fz_tree and fz_metamorph
[[nodiscard]] inline generators::GrowthLimits values_limits() { return with_elements(256); }  // fz_merge and fz_diff
[[nodiscard]] inline generators::GrowthLimits near_miss_limits() { return with_elements(64); }

}  // namespace hurray::fuzz
