// Whether boxes tile an index space exactly (layouts/composite.md, Composition Semantics, Partition).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace hurray::reference {

/// What a cover check looks for. With a gap and an overlap in the same boxes the first one that the cutting meets is
/// reported; it works from the high end of the index space to the low end.
struct CoverDuties {
  bool gaps = true;
  bool overlaps = true;
};

enum class CoverFault : std::uint8_t { none, gap, overlap };

struct CoverVerdict {
  CoverFault fault = CoverFault::none;
  std::vector<std::uint64_t> cell;      // gap: an index in no box; overlap: an index in two boxes
  std::uint32_t first = 0, second = 0;  // overlap: the two boxes, first < second
};

/// Boxes inside an index space of `extent` (indices a dimension; any rank, also 0). Exact at any rank and volume: no
/// volume is ever computed. Boxes without an index, wherever they lie, neither cover nor overlap.
class Cover {
 public:
  explicit Cover(std::span<const std::uint64_t> extent) : extent_(extent.begin(), extent.end()) {}

  /// Adds the next box, [offset, offset + shape) a dimension; what lies outside the index space is cut off.
  /// Both spans have the extent's rank.
  void add(std::span<const std::uint64_t> offset, std::span<const std::uint64_t> shape);

  /// O(n log n) for boxes that straight cuts separate (grids, slabs, any guillotine pattern of balanced depth), and
  /// without sorting where they arrive in lexicographic order.
  CoverVerdict decide(CoverDuties duties) const;

 private:
  friend class CoverCutter;
  std::vector<std::uint64_t> extent_;
  std::vector<std::uint64_t> bounds_;      // low and high of each kept box, dimension by dimension
  std::vector<std::uint32_t> numbers_;     // which box, in the order of add
  std::uint32_t added_ = 0;
};

}  // namespace hurray::reference
