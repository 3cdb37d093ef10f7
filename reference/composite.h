// Binding of members to heads and the checks across them (layouts/composite.md, Binding and Validation).
#pragma once

#include "reference/checks.h"
#include "reference/read.h"

namespace hurray::reference {

/// Takes tensors in stream order and puts them into Reading::tensors as the tree that they form. A carrier calls
/// arrive() with each descriptor, complete() when the tensor's data is there, and end() or abandon() once.
class CompositeTree {
 public:
  CompositeTree(Reading& reading, const Waivers& waivers) : reading_(reading), waivers_(waivers) {}

  /// The checks of a head by itself and the per-member checks. The tensor becomes the last of Reading::tensors; its
  /// buffers, if any, are the next ones of Reading::buffers.
  [[nodiscard]] std::optional<Violation> arrive(const DescriptorOutcome& outcome);

  /// The last tensor has arrived entirely, its buffers with it, which start at `positions`: checks them and closes every
  /// composite of which it is the last member. `whole` is false where bytes are missing that a waived rule asks for.
  [[nodiscard]] std::optional<Violation> complete(std::span<const std::uint64_t> positions, bool whole);

  /// Forgets the last tensor, whose data never came; a head only before its first member.
  void drop_last();

  /// The input ends at byte `at`. A composite that waits for members is torn (CMP-TORN-01).
  [[nodiscard]] std::optional<Violation> end(std::uint64_t at);

  /// Reading cannot go on, for a reason that is waived: what is open stays incomplete.
  void abandon();

  /// Whether a composite waits for members.
  bool waiting() const;

 private:
  struct Frame {
    std::uint32_t head;       // position in Reading::tensors
    std::uint32_t remaining;  // members that have not arrived
    bool counted;             // false where member_count is the open sentinel (CMP-COUNT-01 waived)
    bool comparable;          // every member has a box in the head's index space
  };

  std::optional<Violation> close(const Frame& frame) const;
  std::optional<Violation> check_cover(Tensor& head, std::uint32_t position) const;

  Reading& reading_;
  const Waivers& waivers_;
  std::vector<Frame> frames_;  // the heads above the next tensor, outermost first
};

/// The rules of a head that stands alone (CMP-HEAD-03, CMP-HEAD-10), for the surface `descriptor`.
[[nodiscard]] std::optional<Violation> check_lone_head(const Descriptor& descriptor, const Waivers& waivers);

}  // namespace hurray::reference
