#include "generators/grow.h"

#include <bit>

#include "generators/growth/tensor.h"

namespace hurray::generators {

std::uint8_t Decisions::byte(std::uint64_t wanted) {
  if (recording_) {
    recorded_.push_back(static_cast<std::uint8_t>(wanted));
    return recorded_.back();
  }
  if (left_.empty()) return 0;
  const std::uint8_t value = left_.front();
  left_ = left_.subspan(1);
  return value;
}

std::uint64_t Decisions::below(std::uint64_t count, std::uint64_t wanted) {
  if (count <= 1) return 0;
  wanted = std::min(wanted, count - 1);
  std::uint64_t value = 0;
  for (unsigned left = static_cast<unsigned>(std::bit_width(count - 1) + 7) / 8; left > 0; --left) value = value << 8 | byte(wanted >> (8 * (left - 1)));
  return value % count;
}

std::uint64_t Decisions::bits(unsigned count, std::uint64_t wanted) {
  std::uint64_t value = 0;
  for (unsigned left = (count + 7) / 8; left > 0; --left) value = value << 8 | byte(wanted >> (8 * (left - 1)));
  return count >= 64 ? value : value & ((std::uint64_t{1} << count) - 1);
}

namespace {

using growth::Budget;

struct Growing {
  Decisions& decisions;
  Budget budget;
};

/// What a recorder aims at where there is nothing to aim at, and what everything aims at that draws.
const Node& anything() {
  static const Node node;
  return node;
}

const Node& member_of(const Node& like, std::size_t at) { return at < like.members.size() ? like.members[at] : anything(); }

std::uint64_t any_size(Decisions& decisions, bool deep, std::uint64_t wanted) {
  std::uint64_t size = 1 + decisions.below(deep ? 2 : 8, wanted - 1);
  const std::uint64_t small = deep ? 3 : 9;
  constexpr std::uint64_t large = 128;
  if (decisions.one_in(16, wanted == 0)) size = 0;
  if (decisions.one_in(16, wanted >= small && wanted < large)) size = small + decisions.below(large - small, wanted - small);
  if (decisions.one_in(32, wanted >= large)) {
    constexpr unsigned least = 7, most = 63;
    const std::uint64_t power = std::uint64_t{1} << (least + decisions.below(most - least, static_cast<unsigned>(std::bit_width(wanted)) - 1 - least));
    size = power + decisions.below(power, wanted - power);
  }
  return size;
}

Shape any_shape(Growing& growing, const Shape& like) {
  Decisions& decisions = growing.decisions;
  std::uint64_t rank = 1 + decisions.below(3, like.size() - 1);
  if (decisions.one_in(12, like.empty())) rank = 0;
  if (decisions.one_in(24, like.size() > 3)) rank = 4 + decisions.below(61, like.size() - 4);
  Shape shape;
  for (std::size_t k = 0; k < rank; ++k) shape.push_back(any_size(decisions, rank > 4, k < like.size() ? like[k] : 1));
  return shape;
}

struct Extent {
  Index offset;
  Shape shape;
  friend bool operator==(const Extent&, const Extent&) = default;
};

std::vector<Extent> boxes_of(const Node& head) {
  std::vector<Extent> boxes;
  for (const Node& member : head.members)
    if (member.shard && member.shape.size() == head.shape.size() && member.shard->offset.size() == head.shape.size()) boxes.push_back({member.shard->offset, member.shape});
  return boxes;
}

struct Cut {
  std::size_t box = 0, axis = 0;
  std::uint64_t left = 1;
};

/// Where a box holds some of `wanted` on either side of a plane that none of them crosses.
std::optional<Cut> next_cut(const std::vector<Extent>& boxes, const std::vector<Extent>& wanted) {
  for (std::size_t at = 0; at < boxes.size(); ++at) {
    const Extent& box = boxes[at];
    std::vector<const Extent*> inside;
    for (const Extent& one : wanted) {
      bool within = true;
      for (std::size_t k = 0; k < box.shape.size(); ++k) within &= one.offset[k] >= box.offset[k] && one.offset[k] - box.offset[k] <= box.shape[k] && one.shape[k] <= box.shape[k] - (one.offset[k] - box.offset[k]);
      if (within) inside.push_back(&one);
    }
    for (std::size_t axis = 0; axis < box.shape.size(); ++axis)
      for (const Extent* by : inside) {
        const std::uint64_t plane = by->offset[axis];
        const auto clear = [&](const Extent* one) { return one->offset[axis] >= plane || one->offset[axis] + one->shape[axis] <= plane; };
        if (plane > box.offset[axis] && plane - box.offset[axis] < box.shape[axis] && std::all_of(inside.begin(), inside.end(), clear))
          return Cut{at, axis, plane - box.offset[axis]};
      }
  }
  return std::nullopt;
}

/// Cuts boxes in two along their axes; the pieces always tile what was there.
std::vector<Extent> cut(Growing& growing, const Shape& shape, const Node& like) {
  Decisions& decisions = growing.decisions;
  const std::vector<Extent> wanted = boxes_of(like);
  std::vector<Extent> boxes{{Index(shape.size(), 0), shape}};
  while (boxes.size() < growing.budget.limits.members && !decisions.exhausted()) {
    const std::optional<Cut> next = next_cut(boxes, wanted);
    if (decisions.one_in(4, !next)) break;
    const std::size_t at = decisions.below(boxes.size(), next ? next->box : 0);
    const std::size_t axis = decisions.below(shape.size(), next ? next->axis : 0);
    const std::uint64_t size = boxes[at].shape[axis];
    if (size < 2) continue;
    const std::uint64_t left = 1 + decisions.below(size - 1, next ? next->left - 1 : 0);
    Extent right = boxes[at];
    right.offset[axis] += left;
    right.shape[axis] -= left;
    boxes[at].shape[axis] = left;
    boxes.push_back(std::move(right));
  }
  decisions.shuffle(boxes, wanted);
  return boxes;
}

Extent any_box(Growing& growing, const Shape& shape, const Node& like) {
  Extent box;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const bool known = like.shard && k < like.shard->offset.size() && k < like.shape.size();
    const std::uint64_t offset = growing.decisions.below(shape[k], known ? like.shard->offset[k] : 0);
    box.offset.push_back(offset);
    box.shape.push_back(shape[k] == 0 ? 0 : 1 + growing.decisions.below(shape[k] - offset, known ? like.shape[k] - 1 : 0));
  }
  return box;
}

/// Where a node stands and what it is to be.
struct Place {
  std::uint32_t depth = 0;  // heads above it
  std::uint8_t type = 0;
  bool boxed = false, may_nest = true;
};

Node grow_node(Growing& growing, const Place& place, Node node, const Node& like);

Node boxed_node(const Shape& parent, const Extent& box) {
  Node node;
  node.shape = box.shape;
  node.shard = Box{parent, box.offset};
  return node;
}

/// Whether a head with that many members gets one more.
bool one_more(Growing& growing, std::size_t have, const Node& like) {
  return have < growing.budget.limits.members && !growing.decisions.exhausted() && !growing.decisions.one_in(3, have >= like.members.size());
}

void grow_partition(Growing& growing, std::uint32_t depth, Node& head, const Node& like) {
  for (const Extent& box : cut(growing, head.shape, like))
    head.members.push_back(grow_node(growing, {depth + 1, head.type, true, true}, boxed_node(head.shape, box), member_of(like, head.members.size())));
}

void grow_overlay(Growing& growing, std::uint32_t depth, Node& head, const Node& like) {
  head.head->combine = static_cast<std::uint8_t>(1 + growing.decisions.below(2, like.head ? like.head->combine - 1u : 0));
  const Place place{depth + 1, head.type, true, growing.budget.limits.readings};
  Node base = boxed_node(head.shape, {Index(head.shape.size(), 0), head.shape});
  base.role = facts::member_role::base;
  head.members.push_back(grow_node(growing, place, std::move(base), member_of(like, 0)));
  while (one_more(growing, head.members.size(), like)) {
    const Node& like_member = member_of(like, head.members.size());
    Node correction = boxed_node(head.shape, any_box(growing, head.shape, like_member));
    correction.role = facts::member_role::correction;
    head.members.push_back(grow_node(growing, place, std::move(correction), like_member));
  }
}

/// The element type that the view of `like` has.
std::uint8_t seen_type(const Node& like) { return std::holds_alternative<std::monostate>(like.scheme) ? like.type : facts::tag::float32; }

/// Not every tensor with a box has a head: most of a larger tensor may be elsewhere. Of heads that is open (AMB-35).
void grow_shard(Decisions& decisions, Node& node, const Node& like) {
  if (node.shape.empty() || !decisions.one_in(16, like.shard.has_value() && !like.head)) return;
  constexpr std::uint64_t farthest = std::uint64_t{1} << 62;  // no sum comes near the sentinel of a dynamic dimension
  const Box wanted = like.shard.value_or(Box{});
  Box box;
  for (std::size_t k = 0; k < node.shape.size(); ++k) {
    const std::uint64_t offset = any_size(decisions, false, growth::wanted_at(wanted.offset, k));
    box.offset.push_back(std::min(offset, farthest));
    const std::uint64_t end = box.offset.back() + node.shape[k];
    box.parent.push_back(end + decisions.below(64, growth::wanted_at(wanted.parent, k) - end));
  }
  node.shard = std::move(box);
}

void grow_group(Growing& growing, std::uint32_t depth, Node& head, const Node& like) {
  while (one_more(growing, head.members.size(), like)) {
    const Node& like_member = member_of(like, head.members.size());
    Node member;
    member.shape = any_shape(growing, like_member.shape);
    grow_shard(growing.decisions, member, like_member);
    const std::uint8_t type = growth::any_type(growing.decisions, growing.budget.limits, seen_type(like_member));
    head.members.push_back(grow_node(growing, {depth + 1, type, member.shard.has_value(), !member.shard}, std::move(member), like_member));
  }
}

/// `node` comes with its shape and box.
Node grow_node(Growing& growing, const Place& place, Node node, const Node& like) {
  Decisions& decisions = growing.decisions;
  const bool composite = place.may_nest && !node.shape.empty() && place.depth < growing.budget.limits.depth && decisions.one_in(place.depth == 0 ? 2 : 4, like.head.has_value());
  if (!composite) {
    growth::grow_tensor(decisions, growing.budget, place.type, place.boxed, node, like);
    return node;
  }
  node.type = place.type;
  node.head = Head{};
  const bool group_allowed = !place.boxed || growing.budget.limits.readings;
  node.head->rule = static_cast<std::uint8_t>(1 + decisions.below(group_allowed ? 3 : 2, like.head ? like.head->rule - 1u : 0));
  if (node.head->rule == facts::composition_rule::partition) grow_partition(growing, place.depth, node, like);
  if (node.head->rule == facts::composition_rule::overlay) grow_overlay(growing, place.depth, node, like);
  if (node.head->rule == facts::composition_rule::group) grow_group(growing, place.depth, node, like);
  return node;
}

void grow_carriers(Decisions& decisions, const Model& like, Model& model) {
  if (decisions.one_in(4, like.framed.frame_bytes != 0)) model.framed.frame_bytes = static_cast<std::uint32_t>(1 + decisions.below(64, like.framed.frame_bytes - 1u));
  if (decisions.one_in(4, like.file.sorted)) model.file.sorted = true;
  if (decisions.one_in(8, !like.file.checksum)) model.file.checksum = false;
}

Model grow_like(Decisions& decisions, const GrowthLimits& limits, const Model& like) {
  Growing growing{decisions, {limits, limits.elements}};
  Model model;
  model.name = "grown";
  model.why = "grown from decisions";
  grow_carriers(decisions, like, model);
  std::uint64_t items = 1 + decisions.below(limits.items, like.items.size() - 1);
  constexpr std::uint64_t most_more = 32;
  if (decisions.one_in(32, like.items.size() > limits.items)) items = limits.items + 1 + decisions.below(most_more, like.items.size() - limits.items - 1);
  for (std::size_t at = 0; at < items; ++at) {
    const Node& like_item = at < like.items.size() ? like.items[at] : anything();
    Node node;
    node.shape = any_shape(growing, like_item.shape);
    grow_shard(decisions, node, like_item);
    const std::uint8_t type = growth::any_type(decisions, limits, seen_type(like_item));
    model.items.push_back(grow_node(growing, {0, type, node.shard.has_value(), !node.shard}, std::move(node), like_item));
  }
  return model;
}

}  // namespace

Model grow(Decisions& decisions, const GrowthLimits& limits) { return grow_like(decisions, limits, Model{}); }

Regrown decisions_of(const Model& wanted, const GrowthLimits& limits) {
  Decisions recorder = Decisions::recorder();
  Model model = grow_like(recorder, limits, wanted);
  return {recorder.recorded(), std::move(model)};
}

}  // namespace hurray::generators
