#include "reference/copy_plan.h"

#include <algorithm>
#include <numeric>

namespace hurray::reference {
namespace {

/// More boxes than this cost more to search than good order gains; it also bounds the memory (a box is 1 KiB).
constexpr std::size_t most_boxes = 2048;

/// How much of the view is filled at a time: what all members of it read and write stays in the second-level cache.
constexpr std::uint64_t slab_bytes = std::uint64_t{1} << 18;

/// Rows of a box shorter than this are copied together with those of its neighbours: a cache line is then filled at once.
constexpr std::uint64_t narrow_bytes = 128;
/// As many boxes as are read at the same time without losing the processor's prefetching.
constexpr std::size_t most_in_strip = 32;

}  // namespace

CopyPlan::CopyPlan(std::span<const std::uint64_t> shape, const BoxIndex& origin) : rank_(shape.size()), start_(origin) {
  std::fill_n(space_.low.begin(), rank_, 0);
  std::copy(shape.begin(), shape.end(), space_.high.begin());
  free_.push_back(space_);
}

std::optional<CopyPlan::Box> CopyPlan::take_in(const Source& source, const U64Array& offset) {
  if (!source.copyable()) return std::nullopt;
  Box box;
  box.from = static_cast<std::uint32_t>(members_.size());
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    box.low[axis] = offset[axis];
    box.high[axis] = offset[axis] + source.descriptor().shape[axis];
  }
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
  while (slab_axis + 2 < rank_ && canvas.strides()[slab_axis] > slab_bytes / bytes) ++slab_axis;
  Box slab = space_;
  fill(canvas, strips(canvas.bits()), 0, slab_axis, slab);
}

/// All boxes, the narrow ones put together where they touch.
std::vector<CopyPlan::Strip> CopyPlan::strips(std::uint8_t bits) const {
  std::vector<std::uint32_t> order(taken_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto &low = taken_[a].low, &other = taken_[b].low;
    return std::lexicographical_compare(low.begin(), low.begin() + rank_, other.begin(), other.begin() + rank_);
  });
  std::vector<Strip> found;
  for (const std::uint32_t position : order) {
    const Box& box = taken_[position];
    const bool narrow = is_narrow(box, bits);
    if (!narrow || found.empty() || !continues(found.back(), box)) found.push_back({{}, {}, box});
    Strip& strip = found.back();
    strip.boxes.push_back(position);
    if (!narrow) continue;
    const std::size_t last = rank_ - 1;
    const Member& member = members_[box.from];
    strip.bounds.high[last] = box.high[last];
    strip.columns.push_back({member.elements.address(source_position(box)), member.strides[last - 1] * (bits / 8),
                             static_cast<std::size_t>(box.high[last] - box.low[last]) * (bits / 8u)});
  }
  return found;
}

/// Whether a row of the box is short, of whole bytes and contiguous in its member.
bool CopyPlan::is_narrow(const Box& box, std::uint8_t bits) const {
  if (rank_ < 2 || bits < 8) return false;
  const std::uint64_t width = box.high[rank_ - 1] - box.low[rank_ - 1];
  return width <= narrow_bytes / (bits / 8u) && (width == 1 || members_[box.from].strides[rank_ - 1] == 1);
}

/// Whether a narrow box goes on where the strip ends.
bool CopyPlan::continues(const Strip& strip, const Box& box) const {
  const std::size_t last = rank_ - 1;
  return !strip.columns.empty() && strip.columns.size() < most_in_strip && strip.bounds.high[last] == box.low[last] &&
         std::equal(box.low.begin(), box.low.begin() + last, strip.bounds.low.begin()) &&
         std::equal(box.high.begin(), box.high.begin() + last, strip.bounds.high.begin());
}

/// Fills the part `slab` of the space, one step at a time along the axes before slab_axis and as many as make up a slab there.
/// Rows of more than one axis are never cut, so that a strip always has its whole width.
void CopyPlan::fill(const Canvas& canvas, std::span<const Strip> strips, std::size_t axis, std::size_t slab_axis, Box& slab) const {
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
      fill(canvas, strips, axis + 1, slab_axis, slab);
      continue;
    }
    for (const Strip& strip : strips) copy_boxes(canvas, strip, slab);
  }
}

/// Copies what the boxes of a strip hold of `slab`.
void CopyPlan::copy_boxes(const Canvas& canvas, const Strip& strip, const Box& slab) const {
  Box part;
  if (!intersect(strip.bounds, slab, part)) return;
  if (strip.boxes.size() == 1) return copy(canvas, part);
  copy_columns_of(canvas, strip, 0, part);
}

void CopyPlan::copy(const Canvas& canvas, const Box& part) const {
  std::uint64_t shape[facts::limit::rank];
  for (std::size_t axis = 0; axis < rank_; ++axis) shape[axis] = part.high[axis] - part.low[axis];
  const Member& member = members_[part.from];
  copy_box({{shape, rank_}, member.strides.data(), canvas.strides()}, member.elements, source_position(part), canvas.array(),
           canvas_position(canvas, part));
}

/// Copies the part `part` of a strip: one index at a time along the axes before the last two, there row
/// after row.
void CopyPlan::copy_columns_of(const Canvas& canvas, const Strip& strip, std::size_t axis, Box& part) const {
  if (axis + 2 < rank_) {
    const std::uint64_t low = part.low[axis], high = part.high[axis];
    for (std::uint64_t index = low; index < high; ++index) {
      part.low[axis] = index;
      part.high[axis] = index + 1;
      copy_columns_of(canvas, strip, axis + 1, part);
    }
    part.low[axis] = low;
    part.high[axis] = high;
    return;
  }
  const std::uint64_t bytes = canvas.bits() / 8u;
  Column columns[most_in_strip];
  const auto steps = [&](std::size_t a) { return static_cast<std::int64_t>(part.low[a] - strip.bounds.low[a]); };
  for (std::size_t k = 0; k < strip.columns.size(); ++k) {
    columns[k] = strip.columns[k];
    columns[k].from += steps(axis) * columns[k].step;
    for (std::size_t outer = 0; outer < axis; ++outer)
      columns[k].from += steps(outer) * members_[taken_[strip.boxes[k]].from].strides[outer] * static_cast<std::int64_t>(bytes);
  }
  copy_columns({columns, strip.columns.size()}, part.high[axis] - part.low[axis],
               canvas.array().bytes + canvas_position(canvas, part) * bytes, canvas.strides()[axis] * bytes);
}

/// Where the first element of a part of a box lies in its member.
std::int64_t CopyPlan::source_position(const Box& part) const {
  const Member& member = members_[part.from];
  std::int64_t at = 0;
  for (std::size_t axis = 0; axis < rank_; ++axis)
    at += static_cast<std::int64_t>(part.low[axis] - member.low[axis]) * member.strides[axis];
  return at;
}

/// Where it lies on the canvas.
std::uint64_t CopyPlan::canvas_position(const Canvas& canvas, const Box& part) const {
  std::uint64_t at = 0;
  for (std::size_t axis = 0; axis < rank_; ++axis) at += (start_[axis] + part.low[axis]) * canvas.strides()[axis];
  return at;
}

}  // namespace hurray::reference
