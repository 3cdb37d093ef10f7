#include "reference/members.h"

namespace hurray::reference {
namespace {

/// Deeper heads than limit::composite_depth come only from waived rules; this keeps the recursion's stack small.
constexpr std::uint32_t deepest_head = 64;

bool has_box(const Descriptor& member, const Descriptor& head) {
  return member.rank == head.rank && member.shape.size() == head.rank && member.shard_offset.size() == head.rank;
}

}  // namespace

bool is_composed(const Tensor& head) {
  namespace rule = facts::composition_rule;
  namespace op = facts::combine_op;
  const Descriptor& descriptor = head.descriptor;
  const LayoutFields& fields = descriptor.layout;
  const bool partition = fields.composition_rule == rule::partition;
  const bool overlay = fields.composition_rule == rule::overlay &&
                       (fields.combine_op == op::replace || fields.combine_op == op::add);
  return head.complete && !descriptor.opaque && (partition || overlay) && head.depth <= deepest_head &&
         descriptor.rank <= facts::limit::rank && descriptor.shape.size() == descriptor.rank &&
         facts::element_type(descriptor.type_tag) != nullptr && !has_dynamic_dimension(descriptor.shape);
}

bool is_placed(const Descriptor& member, const Descriptor& head) {
  if (!has_box(member, head)) return false;
  for (std::size_t axis = 0; axis < head.rank; ++axis) {
    const std::uint64_t room = head.shape[axis], size = member.shape[axis];
    if (size > room || member.shard_offset[axis] > room - size) return false;
  }
  return true;
}

bool spans(const Descriptor& member, const Descriptor& head) {
  if (!has_box(member, head)) return false;
  for (std::size_t axis = 0; axis < head.rank; ++axis)
    if (member.shard_offset[axis] != 0 || member.shape[axis] != head.shape[axis]) return false;
  return true;
}

bool covers(const Descriptor& member, const Descriptor& head, const std::uint64_t* index) {
  if (!has_box(member, head)) return false;
  for (std::size_t axis = 0; axis < head.rank; ++axis) {
    const std::uint64_t offset = member.shard_offset[axis];
    if (index[axis] < offset || index[axis] - offset >= member.shape[axis]) return false;
  }
  return true;
}

}  // namespace hurray::reference
