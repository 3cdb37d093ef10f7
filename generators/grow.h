// Grows legal composites from a sequence of decisions: the same bytes always give the same model, any bytes give a legal
// one, and running out of bytes ends it soon. Property tests and fuzz targets feed their bytes in here.
#pragma once

#include <cstdint>
#include <span>

#include "generators/model.h"

namespace hurray::generators {

/// Choices read from bytes; once they are used up every choice is the first and plainest.
class Decisions {
 public:
  explicit Decisions(std::span<const std::uint8_t> bytes) : left_(bytes) {}
  bool exhausted() const { return left_.empty(); }
  std::uint8_t byte();
  /// 0 … count-1; `count` at least 1.
  std::uint64_t below(std::uint64_t count);
  bool one_in(std::uint64_t count) { return !exhausted() && below(count) == count - 1; }
  std::uint64_t bits(unsigned count);

 private:
  std::span<const std::uint8_t> left_;
};

struct GrowthLimits {
  std::uint64_t elements = 512;   // stored by all tensors together
  std::uint32_t depth = 8;        // heads in a chain
  std::uint32_t members = 12;     // of one head
  std::uint32_t items = 3;
  bool tier_two = true;           // types beyond tier 1
  bool readings = false;          // also what only some readings accept (nested heads in overlays, group heads inside)
};

/// A model that every strict reader must accept on every surface.
[[nodiscard]] Model grow(Decisions& decisions, const GrowthLimits& limits = {});

}  // namespace hurray::generators
