#include "reference/copy_plan.h"

#include <algorithm>

#include "reference/copy_box.h"

namespace hurray::reference {
namespace {

/// More boxes than this cost more to search than good order gains; it also bounds the memory (a box is 1 KiB).
constexpr std::size_t most_boxes = 2048;

/// How much of the view is filled at a time: what all members of it read and write stays in the second-level cache.
constexpr std::uint64_t slab_bytes = std::uint64_t{1} << 18;

}  // namespace

CopyPlan::CopyPlan(std::span<const std::uint64_t> shape, const BoxIndex& origin) : rank_(shape.size()), start_(origin) {
  std::fill_n(space_.low.begin(), rank_, 0);
  std::copy(shape.begin(), shape.end(), space_.high.begin());
  free_.push_back(space_);
}

std::optional<CopyPlan::Box> CopyPlan::take_in(const Source& source, const U64Array& offset) {
  if (!source.copyable() || members_.size() == most_members) return std::nullopt;
  Box box;
  box.from = static_cast<std::uint32_t>(members_.size());
  bool empty = false;
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    box.low[axis] = offset[axis];
    box.high[axis] = offset[axis] + source.descriptor().shape[axis];
    empty |= box.low[axis] == box.high[axis];
  }
  if (!empty && !source.holds_affine_box()) return std::nullopt;
  members_.push_back({source.elements(), {source.address().strides(), source.address().strides() + rank_}, box.low});
  return box;
}

/// The part of `box` that lies in `other`, in `common`; false where there is none.
bool CopyPlan::intersect(const Box& box, const Box& other, Box& common) const {
  common.from = box.from;
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    common.low[axis] = std::max(box.low[axis], other.low[axis]);
    common.high[axis] = std::min(box.high[axis], other.high[axis]);
    if (common.low[axis] >= common.high[axis]) return false;
  }
  return true;
}

/// Adds to `rest` the parts of `box` outside `hole`, which lies in it; cut along the outer axes first, so that runs stay long.
void CopyPlan::keep_rest(Box box, const Box& hole, std::vector<Box>& rest) const {
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    if (box.low[axis] < hole.low[axis]) {
      rest.push_back(box);
      rest.back().high[axis] = box.low[axis] = hole.low[axis];
    }
    if (hole.high[axis] < box.high[axis]) {
      rest.push_back(box);
      rest.back().low[axis] = box.high[axis] = hole.high[axis];
    }
  }
}

bool CopyPlan::place(const Source& source, const U64Array& offset) {
  const auto box = take_in(source, offset);
  if (!box) return false;
  std::vector<Box> rest;
  Box part;
  for (const Box& open : free_) {
    if (intersect(*box, open, part)) {
      taken_.push_back(part);
      keep_rest(open, part, rest);
    } else {
      rest.push_back(open);
    }
  }
  free_ = std::move(rest);
  return free_.size() + taken_.size() <= most_boxes;
}

bool CopyPlan::place_apart(const Source& source, const U64Array& offset) {
  const auto box = take_in(source, offset);
  if (!box) return false;
  Box part;
  if (intersect(*box, space_, part)) taken_.push_back(part);
  return true;
}

void CopyPlan::run(const Canvas& canvas) const {
  const std::uint64_t bytes = std::max<std::uint64_t>(canvas.bits() / 8u, 1);
  std::size_t slab_axis = 0;
  while (slab_axis + 1 < rank_ && canvas.strides()[slab_axis] > slab_bytes / bytes) ++slab_axis;
  Box slab = space_;
  fill(canvas, 0, slab_axis, slab);
}

/// Fills the part `slab` of the space, one step at a time along the axes before slab_axis and as many as make up a slab there.
void CopyPlan::fill(const Canvas& canvas, std::size_t axis, std::size_t slab_axis, Box& slab) const {
  if (rank_ == 0) {
    for (const Box& box : taken_) copy(canvas, box);
    return;
  }
  const std::uint64_t bytes = std::max<std::uint64_t>(canvas.bits() / 8u, 1);
  const std::uint64_t step = axis < slab_axis ? 1 : std::max<std::uint64_t>(slab_bytes / bytes / canvas.strides()[axis], 1);
  for (std::uint64_t low = space_.low[axis]; low < space_.high[axis];) {
    slab.low[axis] = low;
    slab.high[axis] = low += std::min(step, space_.high[axis] - low);
    if (axis < slab_axis) {
      fill(canvas, axis + 1, slab_axis, slab);
    } else {
      Box part;
      for (const Box& box : taken_)
        if (intersect(box, slab, part)) copy(canvas, part);
    }
  }
}

void CopyPlan::copy(const Canvas& canvas, const Box& part) const {
  const Member& member = members_[part.from];
  std::uint64_t shape[facts::limit::rank];
  std::int64_t from_at = 0;
  std::uint64_t to_at = 0;
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    shape[axis] = part.high[axis] - part.low[axis];
    from_at += static_cast<std::int64_t>(part.low[axis] - member.low[axis]) * member.strides[axis];
    to_at += (start_[axis] + part.low[axis]) * canvas.strides()[axis];
  }
  copy_box({{shape, rank_}, member.strides.data(), canvas.strides()}, member.elements, from_at, canvas.array(), to_at);
}

}  // namespace hurray::reference
