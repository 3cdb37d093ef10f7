// One element of a view: down the composite, member by member, without touching anything else.
#include "reference/members.h"
#include "reference/merge.h"
#include "reference/readable.h"
#include "reference/source.h"

namespace hurray::reference {
namespace {

/// What a tensor has at one index; nothing where a sparse tensor stores nothing there (its own view holds zero).
using Element = std::optional<Pattern>;

struct Query {
  const Reading& reading;
  std::uint8_t type_tag;  // of the view that is asked for

  Element leaf(std::uint32_t tensor, const std::uint64_t* index) const;
  Element member(std::uint32_t tensor, const std::uint64_t* index) const;
  Element partition(std::uint32_t head, const std::uint64_t* index) const;
  Element replace(std::uint32_t head, const std::uint64_t* index) const;
  Element add(std::uint32_t head, const std::uint64_t* index) const;
  Element element(std::uint32_t tensor, const std::uint64_t* index) const;
};

Element Query::leaf(std::uint32_t tensor, const std::uint64_t* index) const {
  const Source source{reading, tensor};
  const std::optional<std::int64_t> position =
      source.sparse() ? find_stored(source.descriptor(), source.buffers(), {index, source.descriptor().rank})
                      : source.address().position(index);
  if (!position) return std::nullopt;
  return source.value_at(*position, index, type_tag);
}

/// A member that covers `index`, which counts in the head's index space.
Element Query::member(std::uint32_t tensor, const std::uint64_t* index) const {
  const Descriptor& descriptor = reading.tensors[tensor].descriptor;
  std::uint64_t local[facts::limit::rank];
  for (std::size_t axis = 0; axis < descriptor.rank; ++axis) local[axis] = index[axis] - descriptor.shard_offset[axis];
  return element(tensor, local);
}

Element Query::partition(std::uint32_t head, const std::uint64_t* index) const {
  std::uint32_t m = first_member(reading, head);
  while (!covers(reading.tensors[m].descriptor, index)) m = next_member(reading, head, m);
  return member(m, index).value_or(0);
}

Element Query::replace(std::uint32_t head, const std::uint64_t* index) const {
  // A member that is not sparse hides whatever lies below it and is looked into only when nothing hides it in turn.
  std::uint32_t visible = first_member(reading, head);
  Element stored;
  for (std::uint32_t m = next_member(reading, head, visible); m != Tensor::none; m = next_member(reading, head, m)) {
    const Descriptor& descriptor = reading.tensors[m].descriptor;
    if (!covers(descriptor, index)) continue;
    const bool sparse = is_sparse(descriptor.layout_tag);
    const Element found = sparse ? member(m, index) : Element{0};
    if (!found) continue;
    visible = sparse ? Tensor::none : m;
    stored = found;
  }
  return visible == Tensor::none ? stored : member(visible, index).value_or(0);
}

Element Query::add(std::uint32_t head, const std::uint64_t* index) const {
  const std::uint32_t base = first_member(reading, head);
  Pattern sum = member(base, index).value_or(0);
  for (std::uint32_t m = next_member(reading, head, base); m != Tensor::none; m = next_member(reading, head, m)) {
    if (!covers(reading.tensors[m].descriptor, index)) continue;
    if (const Element found = member(m, index)) sum = add_elements(type_tag, sum, *found);
  }
  return sum;
}

Element Query::element(std::uint32_t tensor, const std::uint64_t* index) const {
  const Descriptor& descriptor = reading.tensors[tensor].descriptor;
  if (!descriptor.is_head()) return leaf(tensor, index);
  if (descriptor.layout.composition_rule == facts::composition_rule::partition) return partition(tensor, index);
  return descriptor.layout.combine_op == facts::combine_op::add ? add(tensor, index) : replace(tensor, index);
}

}  // namespace

ValueStatus lookup(const Reading& reading, std::uint32_t tensor, std::span<const std::uint64_t> index,
                   std::span<std::uint8_t> out, std::size_t& size) {
  size = 0;
  if (tensor >= reading.tensors.size()) return ValueStatus::out_of_range;
  const Descriptor& descriptor = reading.tensors[tensor].descriptor;
  if (!reading.tensors[tensor].readable) return ValueStatus::no_values;
  if (index.size() != descriptor.rank) return ValueStatus::out_of_range;
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    if (index[axis] >= descriptor.shape[axis]) return ValueStatus::out_of_range;
  const std::uint8_t type_tag = view_type(descriptor);
  const std::size_t bytes = (facts::element_type(type_tag)->bits + 7u) / 8u;
  if (out.size() < bytes) return ValueStatus::too_large;
  const Pattern value = Query{reading, type_tag}.element(tensor, index.data()).value_or(0);
  ElementArray{out.data(), type_tag, static_cast<std::uint8_t>(bytes * 8)}.store(0, value);
  size = bytes;
  return ValueStatus::ok;
}

}  // namespace hurray::reference
