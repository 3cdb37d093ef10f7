#include <algorithm>

#include "harness/minimize/plain.h"
#include "harness/minimize/reduce.h"

namespace hurray::harness {
namespace {

/// Takes out runs of `nodes`, long ones first. Last ones go first, so that those before keep their places.
bool remove_runs(Reducer& reducer, std::vector<std::uint32_t> nodes) {
  bool further = false;
  for (std::size_t run = std::max<std::size_t>(nodes.size(), 1); run > 0; run /= 2)
    for (std::size_t end = nodes.size(); end > 0 && !reducer.exhausted();) {
      const std::size_t start = end - std::min(run, end);
      const bool removed = reducer.attempt_change([&](Tree& tree) {
        for (std::size_t at = end; at-- > start;) tree.remove_node(nodes[at]);
      });
      if (removed) nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(start), nodes.begin() + static_cast<std::ptrdiff_t>(end));
      further = further || removed;
      end = start;
    }
  return further;
}

/// A group asks nothing of its members: without any, or with members that are no shards, it may do as well.
bool loosen(Reducer& reducer, std::uint32_t head) {
  const auto as_group = [head](Tree& tree) {
    tree.set(head, "composition_rule", facts::composition_rule::group);
    tree.set(head, "combine_op", facts::combine_op::none);
  };
  const bool emptied = reducer.attempt_change([&](Tree& tree) {
    as_group(tree);
    const std::vector<std::uint32_t> members = tree.children(head);
    for (std::size_t at = members.size(); at-- > 0;) tree.remove_node(members[at]);
  });
  return emptied || reducer.attempt_change([&](Tree& tree) {
    as_group(tree);
    for (const std::uint32_t member : tree.children(head)) {
      const std::uint64_t flags = tree.number(member, "flags").value_or(0);
      tree.set(member, "flags", flags & ~std::uint64_t{facts::flag::shard | facts::flag::composite_member});
      remove_fields(tree, member, "shard.");
      remove_fields(tree, member, "composite_member.");
    }
  });
}

}  // namespace

bool reduce_items(Reducer& reducer) {
  bool further = remove_runs(reducer, reducer.tree().top_level());
  // One part in place of everything, the smallest that does.
  std::vector<std::uint32_t> nodes = reducer.tree().present();
  std::stable_sort(nodes.begin(), nodes.end(), [&](std::uint32_t a, std::uint32_t b) { return reducer.tree().size_of(a) < reducer.tree().size_of(b); });
  constexpr std::size_t most = 64;
  nodes.resize(std::min(nodes.size(), most));
  for (const std::uint32_t node : nodes)
    if (!reducer.exhausted() && reducer.attempt_change([&](Tree& tree) { tree.keep_only(node); })) return true;
  return further;
}

bool reduce_members(Reducer& reducer) {
  bool further = false;
  for (const std::uint32_t node : reducer.tree().present())
    if (reducer.tree().nodes()[node].is_head && !reducer.exhausted()) {
      further = loosen(reducer, node) || further;
      further = remove_runs(reducer, reducer.tree().children(node)) || further;
    }
  return further;
}

}  // namespace hurray::harness
