// Makes an input smaller that makes a reader do something, as long as it still does.
#pragma once

#include <functional>

#include "harness/minimize/tree.h"

namespace hurray::harness {

struct ReductionPlan {
  facts::Surface surface = facts::Surface::bare;
  unsigned most_tries = 5000;
  /// Whether a smaller input does the same; asked of every candidate.
  std::function<bool(std::span<const std::uint8_t>)> keeps;
  /// Told after every try: tries so far and the smallest size.
  std::function<void(unsigned, std::size_t)> progress;
};

struct Reduction {
  std::vector<std::uint8_t> bytes;
  unsigned tries = 0;
  bool parsed = false;  // by its parts; else byte by byte alone
};

/// Deterministic: the same input, plan and reader give the same result.
[[nodiscard]] Reduction reduce(std::span<const std::uint8_t> input, const ReductionPlan& plan);

/// Keeps the best tree so far. What is smaller is better; of equal size what has more zero bytes.
class Reducer {
 public:
  Reducer(Tree tree, const ReductionPlan& plan, Reduction& reduction) : tree_(std::move(tree)), plan_(plan), reduction_(reduction) {}

  const Tree& tree() const { return tree_; }
  bool exhausted() const { return reduction_.tries >= plan_.most_tries; }
  /// Takes the candidate over where it is better and does the same.
  bool attempt(Tree candidate);
  template <typename Change>
  bool attempt_change(Change change) {
    Tree candidate = tree_;
    change(candidate);
    return attempt(std::move(candidate));
  }

 private:
  Tree tree_;
  const ReductionPlan& plan_;
  Reduction& reduction_;
};

// The passes, coarse first; each says whether it got anywhere.
bool reduce_items(Reducer& reducer);        // passes_tree.cc: whole items, members, a part in place of the whole
bool reduce_members(Reducer& reducer);
bool reduce_nodes(Reducer& reducer);        // passes_node.cc: sections, layouts, schemes, types, buffers
bool reduce_axes(Reducer& reducer);         // passes_axis.cc: slabs of the index space
bool reduce_carrier(Reducer& reducer);      // passes_carrier.cc: key-values, names, frames, alignment
bool reduce_fields(Reducer& reducer);       // fields to zero

/// Without a tree: runs of bytes taken out, then set to zero.
void reduce_bytes(const ReductionPlan& plan, Reduction& reduction);

}  // namespace hurray::harness
