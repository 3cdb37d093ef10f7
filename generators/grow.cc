#include "generators/grow.h"

#include <algorithm>

#include "generators/growth/tensor.h"

namespace hurray::generators {

std::uint8_t Decisions::byte() {
  if (left_.empty()) return 0;
  const std::uint8_t value = left_.front();
  left_ = left_.subspan(1);
  return value;
}

std::uint64_t Decisions::below(std::uint64_t count) {
  if (count <= 1) return 0;
  std::uint64_t value = byte();
  for (std::uint64_t reach = 256; reach < count && reach <= (std::uint64_t{1} << 48); reach *= 256) value = value * 256 + byte();
  return value % count;
}

std::uint64_t Decisions::bits(unsigned count) {
  std::uint64_t value = 0;
  for (unsigned have = 0; have < count; have += 8) value = (value << 8) | byte();
  return count >= 64 ? value : value & ((std::uint64_t{1} << count) - 1);
}

namespace {

using growth::Budget;

struct Growing {
  Decisions& decisions;
  Budget budget;
};

Shape any_shape(Growing& growing, bool allow_scalar) {
  Decisions& decisions = growing.decisions;
  std::uint64_t rank = 1 + decisions.below(3);
  if (allow_scalar && decisions.one_in(12)) rank = 0;
  if (decisions.one_in(24)) rank = 4 + decisions.below(61);
  Shape shape;
  for (std::uint64_t k = 0; k < rank; ++k) {
    std::uint64_t size = rank > 4 ? 1 + decisions.below(2) : 1 + decisions.below(8);
    if (decisions.one_in(16)) size = 0;
    if (decisions.one_in(16)) size = std::uint64_t{16} << decisions.below(2);
    if (decisions.one_in(32)) size = (std::uint64_t{1} << (20 + decisions.below(43))) + decisions.below(3);
    shape.push_back(size);
  }
  return shape;
}

struct Extent {
  Index offset;
  Shape shape;
};

/// Cuts boxes in two along their axes; the pieces always tile what was there.
std::vector<Extent> cut(Growing& growing, const Shape& shape) {
  Decisions& decisions = growing.decisions;
  std::vector<Extent> boxes{{Index(shape.size(), 0), shape}};
  while (boxes.size() < growing.budget.limits.members && !decisions.exhausted() && !decisions.one_in(4)) {
    const std::size_t at = decisions.below(boxes.size());
    const std::size_t axis = decisions.below(shape.size());
    const std::uint64_t size = boxes[at].shape[axis];
    if (size < 2) continue;
    const std::uint64_t left = 1 + decisions.below(size - 1);
    Extent right = boxes[at];
    right.offset[axis] += left;
    right.shape[axis] -= left;
    boxes[at].shape[axis] = left;
    boxes.push_back(std::move(right));
  }
  for (std::size_t at = boxes.size(); at > 1; --at) std::swap(boxes[at - 1], boxes[decisions.below(at)]);
  return boxes;
}

Extent any_box(Growing& growing, const Shape& shape) {
  Extent box;
  for (const std::uint64_t size : shape) {
    const std::uint64_t offset = growing.decisions.below(size);
    box.offset.push_back(offset);
    box.shape.push_back(size == 0 ? 0 : 1 + growing.decisions.below(size - offset));
  }
  return box;
}

Node grow_node(Growing& growing, std::uint32_t depth, std::uint8_t type, Node node, bool boxed, bool may_nest);

Node boxed_node(const Shape& parent, const Extent& box) {
  Node node;
  node.shape = box.shape;
  node.shard = Box{parent, box.offset};
  return node;
}

void grow_partition(Growing& growing, std::uint32_t depth, Node& head) {
  for (const Extent& box : cut(growing, head.shape))
    head.members.push_back(grow_node(growing, depth + 1, head.type, boxed_node(head.shape, box), true, true));
}

void grow_overlay(Growing& growing, std::uint32_t depth, Node& head) {
  head.head->combine = static_cast<std::uint8_t>(1 + growing.decisions.below(2));
  const bool nests = growing.budget.limits.readings;
  Node base = boxed_node(head.shape, {Index(head.shape.size(), 0), head.shape});
  base.role = facts::member_role::base;
  head.members.push_back(grow_node(growing, depth + 1, head.type, std::move(base), true, nests));
  while (head.members.size() < growing.budget.limits.members && !growing.decisions.exhausted() && !growing.decisions.one_in(3)) {
    Node correction = boxed_node(head.shape, any_box(growing, head.shape));
    correction.role = facts::member_role::correction;
    head.members.push_back(grow_node(growing, depth + 1, head.type, std::move(correction), true, nests));
  }
}

void grow_group(Growing& growing, std::uint32_t depth, Node& head) {
  while (head.members.size() < growing.budget.limits.members && !growing.decisions.exhausted() && !growing.decisions.one_in(3)) {
    Node member;
    member.shape = any_shape(growing, true);
    const std::uint8_t type = growth::any_type(growing.decisions, growing.budget.limits);
    head.members.push_back(grow_node(growing, depth + 1, type, std::move(member), false, true));
  }
}

/// `node` comes with its shape and box; `depth` counts the heads above it.
Node grow_node(Growing& growing, std::uint32_t depth, std::uint8_t type, Node node, bool boxed, bool may_nest) {
  const bool composite = may_nest && !node.shape.empty() && depth < growing.budget.limits.depth && growing.decisions.one_in(depth == 0 ? 2 : 4);
  if (!composite) {
    growth::grow_tensor(growing.decisions, growing.budget, type, boxed, node);
    return node;
  }
  node.type = type;
  node.head = Head{};
  const bool group_allowed = !boxed || growing.budget.limits.readings;
  node.head->rule = static_cast<std::uint8_t>(1 + growing.decisions.below(group_allowed ? 3 : 2));
  if (node.head->rule == facts::composition_rule::partition) grow_partition(growing, depth, node);
  if (node.head->rule == facts::composition_rule::overlay) grow_overlay(growing, depth, node);
  if (node.head->rule == facts::composition_rule::group) grow_group(growing, depth, node);
  return node;
}

}  // namespace

Model grow(Decisions& decisions, const GrowthLimits& limits) {
  Growing growing{decisions, {limits, limits.elements}};
  Model model;
  model.name = "grown";
  model.why = "grown from decisions";
  if (decisions.one_in(4)) model.framed.frame_bytes = static_cast<std::uint32_t>(1 + decisions.below(64));
  if (decisions.one_in(4)) model.file.sorted = true;
  if (decisions.one_in(8)) model.file.checksum = false;
  const std::uint64_t items = 1 + decisions.below(limits.items);
  for (std::uint64_t at = 0; at < items; ++at) {
    Node node;
    node.shape = any_shape(growing, true);
    model.items.push_back(grow_node(growing, 0, growth::any_type(decisions, limits), std::move(node), false, true));
  }
  return model;
}

}  // namespace hurray::generators
