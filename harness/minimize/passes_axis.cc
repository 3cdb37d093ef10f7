// Slabs of the index space taken out of a composite: every box that the slab meets gets smaller, every box behind it moves.
#include <algorithm>

#include "conformance/facts/limits.h"
#include "harness/minimize/plain.h"
#include "harness/minimize/reduce.h"

namespace hurray::harness {
namespace {

struct Slab {
  std::uint64_t axis, start, size;
};

std::string of(const char* name, std::uint64_t axis) { return std::string(name) + "[" + std::to_string(axis) + "]"; }

/// How much of [from, from + size) lies within [low, high).
std::uint64_t within(std::uint64_t from, std::uint64_t size, std::uint64_t low, std::uint64_t high) {
  const std::uint64_t start = std::max(from, low), end = std::min(from + size, high);
  return start < end ? end - start : 0;
}

bool is_plain(const Tree& tree, std::uint32_t node) {
  const std::uint64_t layout = tree.number(node, "layout_tag").value_or(0), flags = tree.number(node, "flags").value_or(0);
  return (layout == facts::layout_tag::row_major || layout == facts::layout_tag::column_major) && (flags & facts::flag::quantization) == 0;
}

class Cut {
 public:
  /// With `fit` buffers of plain tensors follow the shape; else they keep what they hold.
  Cut(Tree& tree, bool fit) : tree_(tree), fit_(fit) {}

  void node(std::uint32_t node, const Slab& slab) {
    const std::string shape = of("shape", slab.axis);
    const std::uint64_t size = tree_.number(node, shape).value_or(0), less = within(slab.start, slab.size, 0, size);
    const std::uint64_t before = dense_size(tree_, node).value_or(0);
    tree_.set(node, shape, size - less);
    if (!tree_.nodes()[node].is_head) {
      const std::optional<std::uint64_t> now = dense_size(tree_, node);
      if (fit_ && now && (*now == 0 || is_plain(tree_, node) || tree_.buffer_size(node, 0) == before)) tree_.resize_buffer(node, 0, *now);
      return;
    }
    const std::vector<std::uint32_t> members = tree_.children(node);
    for (std::size_t at = members.size(); at-- > 0;) member(members[at], slab, less);
  }

 private:
  void member(std::uint32_t node, const Slab& slab, std::uint64_t less) {
    const std::string offset = of("shard.shard_offset", slab.axis), parent = of("shard.parent_shape", slab.axis);
    const auto at = tree_.number(node, offset);
    const auto size = tree_.number(node, of("shape", slab.axis));
    if (!at || !size) return;  // a group's member that is no shard
    tree_.set(node, parent, tree_.number(node, parent).value_or(0) - less);
    const std::uint64_t met = within(slab.start, slab.size, *at, *at + *size);
    if (met == *size && met > 0) return tree_.remove_node(node);
    if (met > 0) this->node(node, {slab.axis, std::max(slab.start, *at) - *at, met});
    tree_.set(node, offset, *at - within(slab.start, slab.size, 0, *at));
  }

  Tree& tree_;
  bool fit_;
};

bool cut_axis(Reducer& reducer, std::uint32_t node, std::uint64_t axis) {
  const auto extent = [&] { return reducer.tree().number(node, of("shape", axis)).value_or(0); };
  bool further = false;
  if (extent() == facts::limit::dynamic) return false;
  for (std::uint64_t run = extent(); run > 0; run /= 2)
    for (std::uint64_t at = 0; at < extent() && !reducer.exhausted();) {
      const Slab slab{axis, at, std::min(run, extent() - at)};
      const auto cut_and_close = [&](Tree& tree) {
        Cut(tree, true).node(node, slab);
        close_up_before_nothing(tree);
      };
      const bool cut = reducer.attempt_change(cut_and_close) || reducer.attempt_change([&](Tree& tree) { Cut(tree, true).node(node, slab); }) ||
                       reducer.attempt_change([&](Tree& tree) { Cut(tree, false).node(node, slab); });
      further = further || cut;
      if (!cut) at += run;
      constexpr std::uint64_t most_steps = 64;
      if (!cut && extent() / run > most_steps) break;
    }
  return further;
}

/// The axis out of the node and of every shard below it.
void drop_axis(Tree& tree, std::uint32_t node, std::uint64_t axis) {
  tree.remove_axis(node, axis);
  const std::optional<std::uint64_t> size = dense_size(tree, node);
  if (!tree.nodes()[node].is_head && is_plain(tree, node) && size) tree.resize_buffer(node, 0, *size);
  for (const std::uint32_t child : tree.children(node))
    if (tree.number(child, of("shard.shard_offset", axis))) drop_axis(tree, child, axis);
}

}  // namespace

bool reduce_axes(Reducer& reducer) {
  bool further = false;
  for (const std::uint32_t node : reducer.tree().present()) {
    const std::vector<std::uint32_t> there = reducer.tree().present();
    if (std::find(there.begin(), there.end(), node) == there.end()) continue;
    // A member that is a shard goes with its head.
    if (reducer.tree().nodes()[node].parent != TreeNode::none && reducer.tree().number(node, "shard.shard_offset[0]")) continue;
    const std::uint64_t rank = std::min<std::uint64_t>(reducer.tree().number(node, "rank").value_or(0), facts::limit::rank);
    if (rank == 0 && !reducer.tree().nodes()[node].is_head)  // in a file a lone number costs a page
      further = reducer.attempt_change([&](Tree& tree) {
        tree.empty_scalar(node);
        tree.resize_buffer(node, 0, 0);
        close_up_before_nothing(tree);
      }) || further;
    for (std::uint64_t axis = 0; axis < rank; ++axis) further = cut_axis(reducer, node, axis) || further;
    for (std::uint64_t axis = rank; axis-- > 0 && !reducer.exhausted();)
      further = reducer.attempt_change([&](Tree& tree) { drop_axis(tree, node, axis); }) || further;
  }
  return further;
}

}  // namespace hurray::harness
