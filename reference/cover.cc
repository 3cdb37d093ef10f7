#include "reference/cover.h"

#include <algorithm>

namespace hurray::reference {

void Cover::add(std::span<const std::uint64_t> offset, std::span<const std::uint64_t> shape) {
  const std::uint32_t number = added_++;
  const std::size_t kept = bounds_.size();
  for (std::size_t k = 0; k < extent_.size(); ++k) {
    const std::uint64_t low = std::min(offset[k], extent_[k]);
    const std::uint64_t high = low + std::min(shape[k], extent_[k] - low);
    if (low == high) {
      bounds_.resize(kept);
      return;
    }
    bounds_.push_back(low);
    bounds_.push_back(high);
  }
  numbers_.push_back(number);
}

/// Cuts the index space along box boundaries until every piece is empty or filled by one box. Work is kept in an
/// explicit stack: how deep the cuts nest is up to the input.
class CoverCutter {
 public:
  CoverCutter(const Cover& cover, CoverDuties duties)
      : cover_(cover), duties_(duties), rank_(cover.extent_.size()), region_(2 * rank_) {}

  CoverVerdict run();

 private:
  struct Task {
    std::size_t begin, end;  // boxes_[begin, end): the boxes that meet the region
    std::size_t region;      // position of its bounds in regions_
  };

  std::uint64_t low(std::uint32_t box, std::size_t k) const { return cover_.bounds_[2 * (box * rank_ + k)]; }
  std::uint64_t high(std::uint32_t box, std::size_t k) const { return cover_.bounds_[2 * (box * rank_ + k) + 1]; }
  std::uint64_t region_low(std::size_t k) const { return region_[2 * k]; }
  std::uint64_t region_high(std::size_t k) const { return region_[2 * k + 1]; }
  bool spans(std::uint32_t box, std::size_t k) const {
    return low(box, k) <= region_low(k) && high(box, k) >= region_high(k);
  }
  std::size_t first_open_dimension(std::uint32_t box) const {
    std::size_t k = 0;
    while (k < rank_ && spans(box, k)) ++k;
    return k;
  }

  void settle(const Task& task);
  void settle_single(std::uint32_t box);
  std::size_t widest_choice(const Task& task) const;
  bool cut_cleanly(const Task& task, std::size_t k);
  void cut_at_median(const Task& task, std::size_t k);
  void push(std::size_t begin, std::size_t end);
  void report_gap(std::size_t k, std::uint64_t at);
  void report_overlap(std::uint32_t one, std::uint32_t other);

  const Cover& cover_;
  const CoverDuties duties_;
  const std::size_t rank_;
  std::vector<std::uint32_t> boxes_;
  std::vector<std::uint64_t> regions_;  // bounds of the regions of all tasks
  std::vector<Task> tasks_;
  std::vector<std::uint64_t> region_;   // low and high of the region at hand, dimension by dimension
  std::vector<std::uint64_t> boundaries_;
  CoverVerdict verdict_;
};

CoverVerdict CoverCutter::run() {
  for (std::size_t k = 0; k < rank_; ++k) {
    region_[2 * k + 1] = cover_.extent_[k];
    if (cover_.extent_[k] == 0) return verdict_;  // no index to cover or to share
  }
  boxes_.resize(cover_.numbers_.size());
  for (std::size_t box = 0; box < boxes_.size(); ++box) boxes_[box] = static_cast<std::uint32_t>(box);
  push(0, boxes_.size());
  while (!tasks_.empty() && verdict_.fault == CoverFault::none) {
    const Task task = tasks_.back();
    tasks_.pop_back();
    std::copy_n(regions_.begin() + static_cast<std::ptrdiff_t>(task.region), region_.size(), region_.begin());
    regions_.resize(task.region);  // tasks are last in, first out: nothing beyond this one is in use
    boxes_.resize(task.end);
    settle(task);
  }
  return verdict_;
}

void CoverCutter::push(std::size_t begin, std::size_t end) {
  tasks_.push_back({begin, end, regions_.size()});
  regions_.insert(regions_.end(), region_.begin(), region_.end());
}

void CoverCutter::settle(const Task& task) {
  const std::size_t count = task.end - task.begin;
  if (count == 0) return report_gap(rank_, 0);
  if (count == 1) return settle_single(boxes_[task.begin]);
  for (std::size_t i = task.begin; i < task.end; ++i)
    if (first_open_dimension(boxes_[i]) == rank_) {
      if (duties_.overlaps) report_overlap(boxes_[i], boxes_[i == task.begin ? i + 1 : task.begin]);
      return;
    }
  const std::size_t k = widest_choice(task);
  if (!cut_cleanly(task, k)) cut_at_median(task, k);
}

/// One box alone in the region leaves a gap unless it fills it.
void CoverCutter::settle_single(std::uint32_t box) {
  const std::size_t k = first_open_dimension(box);
  if (k == rank_) return;
  report_gap(k, low(box, k) > region_low(k) ? region_low(k) : high(box, k));
}

/// The dimension in which the fewest boxes reach through the region: cutting there divides the most.
std::size_t CoverCutter::widest_choice(const Task& task) const {
  std::size_t best = 0, best_count = 0;
  for (std::size_t k = 0; k < rank_; ++k) {
    std::size_t count = 0;
    for (std::size_t i = task.begin; i < task.end; ++i) count += spans(boxes_[i], k) ? 0 : 1;
    if (count > best_count) best = k, best_count = count;
    if (count == task.end - task.begin) break;
  }
  return best;
}

/// Cuts at every place of dimension k that no box crosses. Declines where that leaves one group with most of the boxes.
bool CoverCutter::cut_cleanly(const Task& task, std::size_t k) {
  const auto begin = boxes_.begin() + static_cast<std::ptrdiff_t>(task.begin), end = boxes_.end();
  const auto lower = [this, k](std::uint32_t a, std::uint32_t b) { return low(a, k) < low(b, k); };
  if (!std::is_sorted(begin, end, lower)) std::sort(begin, end, lower);

  std::size_t largest = 0;
  std::uint64_t reach = 0;
  for (std::size_t i = task.begin, group = i; i < task.end; ++i) {
    if (i > group && low(boxes_[i], k) >= reach) group = i;
    reach = i == group ? high(boxes_[i], k) : std::max(reach, high(boxes_[i], k));
    largest = std::max(largest, i - group + 1);
  }
  const std::size_t count = task.end - task.begin;
  if (largest > count - (count + 3) / 4) return false;

  const std::uint64_t bottom = region_low(k), top = region_high(k);
  std::uint64_t covered = bottom;
  for (std::size_t group = task.begin, i; group < task.end && verdict_.fault == CoverFault::none; group = i) {
    const std::uint64_t start = std::max(low(boxes_[group], k), bottom);
    if (start > covered) report_gap(k, covered);
    if (verdict_.fault != CoverFault::none) break;
    reach = high(boxes_[group], k);
    for (i = group + 1; i < task.end && low(boxes_[i], k) < reach; ++i) reach = std::max(reach, high(boxes_[i], k));
    covered = std::min(reach, top);
    region_[2 * k] = start;
    region_[2 * k + 1] = covered;
    if (i - group == 1)
      settle_single(boxes_[group]);
    else
      push(group, i);
    region_[2 * k] = bottom;
    region_[2 * k + 1] = top;
  }
  if (verdict_.fault == CoverFault::none && covered < top) report_gap(k, covered);
  return true;
}

/// Cuts dimension k at the median of the boundaries inside the region; a box that crosses the cut goes to both sides.
void CoverCutter::cut_at_median(const Task& task, std::size_t k) {
  boundaries_.clear();
  const std::uint64_t bottom = region_low(k), top = region_high(k);
  for (std::size_t i = task.begin; i < task.end; ++i) {
    if (low(boxes_[i], k) > bottom) boundaries_.push_back(low(boxes_[i], k));
    if (high(boxes_[i], k) < top) boundaries_.push_back(high(boxes_[i], k));
  }
  const auto middle = boundaries_.begin() + static_cast<std::ptrdiff_t>(boundaries_.size() / 2);
  std::nth_element(boundaries_.begin(), middle, boundaries_.end());
  const std::uint64_t cut = *middle;

  const std::size_t left = boxes_.size();
  for (std::size_t i = task.begin; i < task.end; ++i)
    if (const std::uint32_t box = boxes_[i]; low(box, k) < cut) boxes_.push_back(box);
  const std::size_t right = boxes_.size();
  for (std::size_t i = task.begin; i < task.end; ++i)
    if (const std::uint32_t box = boxes_[i]; high(box, k) > cut) boxes_.push_back(box);
  region_[2 * k + 1] = cut;
  push(left, right);
  region_[2 * k] = cut;
  region_[2 * k + 1] = top;
  push(right, boxes_.size());
}

/// Index `at` of dimension k, and the low corner of the region elsewhere, lies in no box. k == rank: the corner itself.
void CoverCutter::report_gap(std::size_t k, std::uint64_t at) {
  if (!duties_.gaps) return;
  verdict_.fault = CoverFault::gap;
  verdict_.cell.resize(rank_);
  for (std::size_t dimension = 0; dimension < rank_; ++dimension)
    verdict_.cell[dimension] = dimension == k ? at : region_low(dimension);
}

void CoverCutter::report_overlap(std::uint32_t one, std::uint32_t other) {
  verdict_.fault = CoverFault::overlap;
  verdict_.first = cover_.numbers_[std::min(one, other)];
  verdict_.second = cover_.numbers_[std::max(one, other)];
  verdict_.cell.resize(rank_);
  for (std::size_t k = 0; k < rank_; ++k)
    verdict_.cell[k] = std::max({region_low(k), low(one, k), low(other, k)});
}

CoverVerdict Cover::decide(CoverDuties duties) const { return CoverCutter(*this, duties).run(); }

}  // namespace hurray::reference
