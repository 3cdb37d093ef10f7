// Grows legal composites from a sequence of decisions: the same bytes always give the same model, any bytes give a legal
// one, and running out of bytes ends it soon. Property tests and fuzz targets feed their bytes in here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "generators/model.h"

namespace hurray::generators {

/// Choices read from bytes; once they are used up every choice is the first and plainest. A recorder reads none: each
/// choice comes with what is wanted, it takes the nearest that there is and writes the bytes that choose it. So what grows
/// a model from bytes and what finds the bytes of a model are one description.
class Decisions {
 public:
  explicit Decisions(std::span<const std::uint8_t> bytes) : left_(bytes) {}
  static Decisions recorder() { return Decisions(); }
  bool recording() const { return recording_; }
  const std::vector<std::uint8_t>& recorded() const { return recorded_; }

  bool exhausted() const { return !recording_ && left_.empty(); }
  /// 0 … count-1; `count` at least 1.
  std::uint64_t below(std::uint64_t count, std::uint64_t wanted = 0);
  bool one_in(std::uint64_t count, bool wanted = false) { return !exhausted() && below(count, wanted ? count - 1 : 0) == count - 1; }
  std::uint64_t bits(unsigned count, std::uint64_t wanted = 0);
  /// Puts `values` into any order, or into that of `wanted`, as far as it has the same values.
  template <typename Value>
  void shuffle(std::vector<Value>& values, const std::vector<Value>& wanted) {
    for (std::size_t left = values.size(); left > 1; --left) {
      std::size_t chosen = 0;
      if (left <= wanted.size()) {
        const auto end = values.begin() + static_cast<std::ptrdiff_t>(left);
        const auto found = std::find(values.begin(), end, wanted[left - 1]);
        chosen = static_cast<std::size_t>((found == end ? values.begin() : found) - values.begin());
      }
      std::swap(values[left - 1], values[below(left, chosen)]);
    }
  }

 private:
  Decisions() : recording_(true) {}
  std::uint8_t byte(std::uint64_t wanted);

  std::span<const std::uint8_t> left_;
  bool recording_ = false;
  std::vector<std::uint8_t> recorded_;
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

/// The inverse: decisions that grow `wanted` again, and what they grow. Where growth has no way to something of `wanted`
/// it is the nearest: the structure first, then boxes, types, layouts, schemes and values.
struct Regrown {
  std::vector<std::uint8_t> decisions;
  Model model;
};
[[nodiscard]] Regrown decisions_of(const Model& wanted, const GrowthLimits& limits = {});

}  // namespace hurray::generators
