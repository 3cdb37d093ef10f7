// Edits of who is whose member.
#include "fuzz/mutator/edit.h"

namespace hurray::fuzz::mutator {
namespace {

class Forest {
 public:
  explicit Forest(Editing& editing) : editing_(editing), tree_(editing.tree), random_(editing.random) {}

  bool apply(Edit edit);

 private:
  using Nodes = List<Node>;

  std::size_t any() { return static_cast<std::size_t>(random_.below(tree_.nodes.size())); }
  /// A node that a head binds, or no node.
  std::size_t any_member() {
    const std::size_t from = any();
    for (std::size_t k = 0; k < tree_.nodes.size(); ++k)
      if (const std::size_t at = (from + k) % tree_.nodes.size(); tree_.nodes[at].depth > 0) return at;
    return tree_.nodes.size();
  }
  Nodes subtree(std::size_t at) const {
    const auto begin = tree_.nodes.begin();
    return Nodes(begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(tree_.end_of(at)), tree_.arena.resource());
  }
  void erase(std::size_t at) {
    const auto begin = tree_.nodes.begin();
    tree_.nodes.erase(begin + static_cast<std::ptrdiff_t>(at), begin + static_cast<std::ptrdiff_t>(tree_.end_of(at)));
  }
  void insert(std::size_t at, Nodes nodes, std::uint32_t depth) {
    if (nodes.empty() || tree_.nodes.size() + nodes.size() > most_nodes) return;
    const std::uint32_t was = nodes.front().depth;
    for (Node& node : nodes) node.depth = node.depth - was + depth;
    tree_.nodes.insert(tree_.nodes.begin() + static_cast<std::ptrdiff_t>(at), nodes.begin(), nodes.end());
  }
  Nodes none() const { return Nodes(tree_.arena.resource()); }
  bool usable(std::size_t at) const { return tree_.nodes[at].header.size() == facts::limit::fixed_header; }

  bool insert_member();
  bool swap_members();
  bool move_member();
  bool wrap();
  bool unwrap();
  bool split();
  bool merge();
  bool graft();
  bool fresh();

  Editing& editing_;
  Tree& tree_;
  Random& random_;
};

bool Forest::insert_member() {
  const std::size_t at = any();
  Nodes nodes = none();
  editing_.maker.anything(nodes, 0);
  const bool into = tree_.nodes[at].is_head();
  insert(at + (into ? 1 : 0), std::move(nodes), tree_.nodes[at].depth + (into ? 1 : 0));
  return true;
}

bool Forest::swap_members() {
  const std::size_t one = any(), next = tree_.end_of(one);
  if (next >= tree_.nodes.size() || tree_.nodes[next].depth != tree_.nodes[one].depth) return false;
  Nodes moved = subtree(one);
  const std::size_t length = tree_.end_of(next) - next;
  erase(one);
  insert(one + length, std::move(moved), tree_.nodes[one].depth);
  return true;
}

bool Forest::move_member() {
  const std::size_t from = any();
  if (tree_.nodes.size() < 2 || tree_.end_of(from) - from == tree_.nodes.size()) return false;
  Nodes moved = subtree(from);
  erase(from);
  const std::size_t to = any();
  insert(to, std::move(moved), tree_.nodes[to].depth);
  return true;
}

bool Forest::wrap() {
  constexpr std::uint32_t levels[] = {7, 8, 9, 10};
  const std::size_t at = any();
  if (!usable(at)) return false;
  const std::uint32_t wanted = random_.one_in(3) ? random_.any(levels) : tree_.nodes[at].depth + 1;
  const auto rule = static_cast<std::uint8_t>(random_.one_in(3) ? 1 + random_.below(3) : facts::composition_rule::group);
  for (std::uint32_t depth = tree_.nodes[at].depth; depth < wanted; ++depth) {
    Node& inner = tree_.nodes[at];
    Node head = editing_.maker.head(rule, inner.type(), inner.shape);
    if (rule != facts::composition_rule::group) editing_.maker.give_section(inner, Section::shard);
    if (rule == facts::composition_rule::overlay) {
      editing_.maker.give_section(inner, Section::member);
      inner.section(Section::member)[0] = facts::member_role::base;
    }
    head.depth = inner.depth;
    head.stream = inner.stream;
    const std::size_t end = tree_.end_of(at);
    if (tree_.nodes.size() >= most_nodes) return true;
    for (std::size_t k = at; k < end; ++k) ++tree_.nodes[k].depth;
    tree_.nodes.insert(tree_.nodes.begin() + static_cast<std::ptrdiff_t>(at), head);
  }
  return true;
}

bool Forest::unwrap() {
  const std::size_t at = any();
  if (!tree_.nodes[at].is_head() || tree_.members_of(at) == 0) return false;
  const std::size_t end = tree_.end_of(at);
  for (std::size_t k = at + 1; k < end; ++k) --tree_.nodes[k].depth;
  tree_.nodes.erase(tree_.nodes.begin() + static_cast<std::ptrdiff_t>(at));
  return true;
}

bool Forest::split() {
  const std::size_t at = any_member();
  if (at >= tree_.nodes.size() || !usable(at)) return false;
  Node left = tree_.nodes[at];
  const std::size_t axis = static_cast<std::size_t>(random_.below(left.rank()));
  if (left.rank() == 0 || left.size(axis) < 2 || left.section(Section::shard).size() != 16 * left.rank() || left.is_head()) return false;
  Node right = left;
  const std::uint64_t size = left.size(axis), cut = random_.one_in(8) ? 0 : 1 + random_.below(size - 1);
  Arena& arena = tree_.arena;
  const auto shrink = [&](Node& node, std::uint64_t to) {
    node.shape = arena.copy(node.shape);
    store(node.shape, 8 * axis, 8, to);
    node.section(Section::shard) = arena.copy(node.section(Section::shard));
    Node data = editing_.maker.tensor(node.type(), node.shape);
    node.data = data.data;
    refit(arena, node);
  };
  shrink(left, cut);
  shrink(right, size - cut);
  const std::size_t offset = 8 * (right.rank() + axis);
  store(right.section(Section::shard), offset, 8, load(right.section(Section::shard), offset, 8) + cut);
  right.name = {};
  tree_.nodes[at] = left;
  tree_.nodes.insert(tree_.nodes.begin() + static_cast<std::ptrdiff_t>(at) + 1, right);
  return true;
}

bool Forest::merge() {
  const std::size_t at = any_member();
  if (at + 1 >= tree_.nodes.size()) return false;
  Node& left = tree_.nodes[at];
  const Node& right = tree_.nodes[at + 1];
  if (left.depth != right.depth || left.rank() != right.rank() || left.is_head() || right.is_head() || !usable(at)) return false;
  for (std::size_t axis = 0; axis < left.rank(); ++axis) {
    const std::size_t offset = 8 * (left.rank() + axis);
    if (load(left.section(Section::shard), offset, 8) + left.size(axis) != load(right.section(Section::shard), offset, 8)) continue;
    left.shape = tree_.arena.copy(left.shape);
    store(left.shape, 8 * axis, 8, left.size(axis) + right.size(axis));
    refit(tree_.arena, left);
    erase(at + 1);
    return true;
  }
  return false;
}

bool Forest::graft() {
  if (editing_.other.empty()) return false;
  Tree other(tree_.arena);
  decode(editing_.other.first(std::min<std::size_t>(editing_.other.size(), 1u << 16)), editing_.surface, other);
  if (other.nodes.empty()) return false;
  const std::size_t from = static_cast<std::size_t>(random_.below(other.nodes.size())), to = any();
  Nodes taken(other.nodes.begin() + static_cast<std::ptrdiff_t>(from), other.nodes.begin() + static_cast<std::ptrdiff_t>(other.end_of(from)), tree_.arena.resource());
  for (Node& node : taken) node.name = {};
  const Node in_place = tree_.nodes[to];
  if (random_.one_in(2)) {  // takes over the place that the other had
    taken.front().section(Section::shard) = in_place.section(Section::shard);
    taken.front().section(Section::member) = in_place.section(Section::member);
    erase(to);
  }
  insert(to, std::move(taken), in_place.depth);
  if (tree_.nodes.empty()) tree_.nodes.push_back(in_place);
  return true;
}

bool Forest::fresh() {
  const std::size_t at = any();
  const std::uint32_t depth = tree_.nodes[at].depth;
  const Node was = tree_.nodes[at];
  Nodes nodes = none();
  editing_.maker.anything(nodes, 0);
  nodes.front().stream = was.stream;
  if (!random_.one_in(3)) erase(at);
  insert(at, std::move(nodes), depth);
  return !tree_.nodes.empty();
}

bool Forest::apply(Edit edit) {
  if (edit == Edit::insert_member) return insert_member();
  if (edit == Edit::swap_members) return swap_members();
  if (edit == Edit::move_member) return move_member();
  if (edit == Edit::wrap) return wrap();
  if (edit == Edit::unwrap) return unwrap();
  if (edit == Edit::split_member) return split();
  if (edit == Edit::merge_members) return merge();
  if (edit == Edit::graft) return graft();
  if (edit == Edit::fresh) return fresh();
  const std::size_t at = any_member();
  if (at >= tree_.nodes.size()) return false;
  if (edit == Edit::remove_member) return erase(at), true;
  Nodes copy = subtree(at);
  for (Node& node : copy) node.name = {};
  insert(at, std::move(copy), tree_.nodes[at].depth);
  return true;
}

}  // namespace

bool edit_tree(Editing& editing, Edit edit) { return Forest(editing).apply(edit); }

}  // namespace hurray::fuzz::mutator
