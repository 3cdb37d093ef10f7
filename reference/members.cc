#include "reference/members.h"

namespace hurray::reference {

bool spans(const Descriptor& member, const Descriptor& head) {
  for (std::size_t axis = 0; axis < head.rank; ++axis)
    if (member.shape[axis] != head.shape[axis]) return false;
  return true;
}

bool covers(const Descriptor& member, const std::uint64_t* index) {
  for (std::size_t axis = 0; axis < member.rank; ++axis) {
    const std::uint64_t offset = member.shard_offset[axis];
    if (index[axis] < offset || index[axis] - offset >= member.shape[axis]) return false;
  }
  return true;
}

}  // namespace hurray::reference
