#include "reference/composite.h"

#include <cinttypes>
#include <cstdio>

#include "reference/cover.h"
#include "reference/member_checks.h"
#include "reference/readable.h"

namespace hurray::reference {
namespace {

bool is_partition(const Descriptor& head) { return head.layout.composition_rule == facts::composition_rule::partition; }

/// Whether the index space has 2^64 indices or more.
bool is_huge(const Descriptor& head) {
  std::uint64_t volume = 1;
  bool wraps = false;
  for (std::size_t k = 0; k < head.rank; ++k) {
    if (head.shape[k] == 0) return false;
    wraps |= __builtin_mul_overflow(volume, head.shape[k], &volume);
  }
  return wraps;
}

void copy_to(std::vector<std::uint64_t>& values, const U64Array& array) {
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = array[k];
}

struct IndexText {
  std::array<char, 96> text{};
};
/// "[3,6]"; a long one ends in "...".
IndexText spell_index(std::span<const std::uint64_t> index) {
  IndexText result;
  constexpr std::size_t longest_entry = 21 + sizeof("...]");
  std::size_t used = static_cast<std::size_t>(std::snprintf(result.text.data(), result.text.size(), "["));
  for (std::size_t k = 0; k < index.size(); ++k) {
    const bool room = used + longest_entry < result.text.size();
    char* const at = result.text.data() + used;
    const std::size_t left = result.text.size() - used;
    used += static_cast<std::size_t>(room ? std::snprintf(at, left, "%s%" PRIu64, k == 0 ? "" : ",", index[k])
                                          : std::snprintf(at, left, ",..."));
    if (!room) break;
  }
  std::snprintf(result.text.data() + used, result.text.size() - used, "]");
  return result;
}

}  // namespace

std::optional<Violation> check_lone_head(const Descriptor& descriptor, const Waivers& waivers) {
  Checks check(waivers);
  if (descriptor.is_head()) check_head(check, descriptor, nullptr, 0);
  return check.first();
}

std::optional<Violation> CompositeTree::arrive(const DescriptorOutcome& outcome) {
  const Descriptor& descriptor = outcome.descriptor;
  Checks check(waivers_);
  Tensor* const head = frames_.empty() ? nullptr : &reading_.tensors[frames_.back().head];
  if (descriptor.is_head())
    check_head(check, descriptor, head == nullptr ? nullptr : &head->descriptor, frames_.size());
  const bool judged = head != nullptr && frames_.back().counted;  // an open composite has no defined members
  if (judged) check_member(check, descriptor, head->descriptor, head->members_seen);
  if (check.failed()) return check.first();

  const std::uint32_t enclosing = frames_.empty() ? Tensor::none : frames_.back().head;
  const std::uint32_t depth = static_cast<std::uint32_t>(frames_.size());
  if (head != nullptr) {
    Frame& frame = frames_.back();
    frame.comparable &= has_box(descriptor, head->descriptor);
    if (frame.counted) --frame.remaining;
    ++head->members_seen;
  }
  if (descriptor.is_head()) {
    const std::uint32_t members = descriptor.layout.member_count;
    const bool counted = members != facts::limit::open_member_count;
    frames_.push_back({static_cast<std::uint32_t>(reading_.tensors.size()), members, counted, true});
  }
  Tensor& tensor = reading_.tensors.emplace_back();
  tensor.descriptor = descriptor;
  tensor.enclosing = enclosing;
  tensor.depth = depth;
  tensor.first_buffer = static_cast<std::uint32_t>(reading_.buffers.size());
  tensor.skip = 1;
  tensor.readable = outcome.lawful && check.lawful();
  reading_.partial |= descriptor.opaque;
  return std::nullopt;
}

std::optional<Violation> CompositeTree::complete(std::span<const std::uint64_t> positions, bool whole) {
  Tensor& tensor = reading_.tensors.back();
  if (!tensor.descriptor.is_head()) {
    const std::span<const Bytes> buffers = std::span(reading_.buffers).subspan(tensor.first_buffer);
    const BufferOutcome outcome =
        whole ? check_buffers(tensor.descriptor, buffers, positions, waivers_) : BufferOutcome{};
    if (outcome.violation) return outcome.violation;
    tensor.readable = tensor.readable && outcome.lawful && has_values(tensor.descriptor, buffers);
  }
  while (!frames_.empty() && frames_.back().remaining == 0) {
    const Frame frame = frames_.back();
    frames_.pop_back();
    if (std::optional<Violation> violation = close(frame)) return violation;
  }
  return std::nullopt;
}

std::optional<Violation> CompositeTree::close(const Frame& frame) const {
  Tensor& head = reading_.tensors[frame.head];
  head.skip = static_cast<std::uint32_t>(reading_.tensors.size()) - frame.head;
  head.readable = head.readable && has_composed_values(reading_, frame.head);
  // Without members the checks at the close are met by a note of the format; its constraint would ask for a member.
  if (!is_partition(head.descriptor) || head.members_seen == 0 || !frame.comparable) return std::nullopt;
  return check_cover(head, frame.head);
}

/// Gaps (CMP-PART-01) and overlaps (CMP-PART-02); both are CMP-PART-07 where 64 bits do not hold the volume.
std::optional<Violation> CompositeTree::check_cover(Tensor& head, std::uint32_t position) const {
  const bool huge = is_huge(head.descriptor);
  const Rule gap = huge ? Rule::CMP_PART_07 : Rule::CMP_PART_01;
  const Rule overlap = huge ? Rule::CMP_PART_07 : Rule::CMP_PART_02;
  std::vector<std::uint64_t> offset(head.descriptor.rank), shape(head.descriptor.rank);
  copy_to(shape, head.descriptor.shape);
  Cover cover(shape);
  std::vector<std::uint32_t> members;
  members.reserve(head.members_seen);
  for (std::uint32_t at = position + 1; at < position + head.skip; at += reading_.tensors[at].skip) {
    const Descriptor& member = reading_.tensors[at].descriptor;
    copy_to(offset, member.shard_offset);
    copy_to(shape, member.shape);
    cover.add(offset, shape);
    members.push_back(at);
  }
  if (cover.decide({}).fault == CoverFault::none) return std::nullopt;
  head.readable = false;
  // With both, the overlap is named: it has two members to point at.
  CoverVerdict verdict = cover.decide({.gaps = false, .overlaps = !waivers_.has(overlap)});
  if (verdict.fault == CoverFault::none) verdict = cover.decide({.gaps = !waivers_.has(gap), .overlaps = false});
  if (verdict.fault == CoverFault::none) return std::nullopt;
  const IndexText cell = spell_index(verdict.cell);
  if (verdict.fault == CoverFault::gap)
    return Violation{gap, reading_.tensors[members.back()].descriptor.at.start,
                     Message::of("index %s belongs to no member (closing member %u of %u)", cell.text.data(),
                                 head.members_seen, head.members_seen)};
  const Descriptor& second = reading_.tensors[members[verdict.second]].descriptor;
  return Violation{overlap, second.at.shard + sizeof(std::uint64_t) * second.rank,
                   Message::of("index %s belongs to members[%u] and members[%u]", cell.text.data(), verdict.first,
                               verdict.second)};
}

void CompositeTree::drop_last() {
  const Tensor& last = reading_.tensors.back();
  if (last.descriptor.is_head()) frames_.pop_back();
  reading_.buffers.resize(last.first_buffer);
  if (!frames_.empty()) {
    --reading_.tensors[last.enclosing].members_seen;
    if (frames_.back().counted) ++frames_.back().remaining;
  }
  reading_.tensors.pop_back();
  reading_.partial = true;
}

bool CompositeTree::waiting() const {
  for (const Frame& frame : frames_)
    if (frame.counted) return true;
  return false;
}

std::optional<Violation> CompositeTree::end(std::uint64_t at) {
  for (std::size_t level = frames_.size(); level-- > 0;) {
    const Frame& frame = frames_[level];
    if (!frame.counted || waivers_.has(Rule::CMP_TORN_01)) continue;
    const Tensor& head = reading_.tensors[frame.head];
    return Violation{Rule::CMP_TORN_01, at,
                     Message::of("the input ends with %u of %" PRIu32 " members of the composite at byte %" PRIu64,
                                 head.members_seen, head.descriptor.layout.member_count, head.descriptor.at.start)};
  }
  abandon();
  return std::nullopt;
}

void CompositeTree::abandon() {
  reading_.partial |= !frames_.empty();
  for (const Frame& frame : frames_) {
    Tensor& head = reading_.tensors[frame.head];
    head.complete = false;
    head.readable = false;
    head.skip = static_cast<std::uint32_t>(reading_.tensors.size()) - frame.head;
  }
  frames_.clear();
}

}  // namespace hurray::reference
