// One element of a view: down the composite, member by member, without touching anything else.
#include <algorithm>

#include "reference/members.h"
#include "reference/merge.h"

namespace hurray::reference {
namespace {

/// What a tensor has at one index. `transparent`: a sparse tensor stores nothing there (its own view holds zero).
struct Element {
  ValueStatus status = ValueStatus::ok;
  bool transparent = false;
  Pattern value = 0;
};

constexpr Element nothing{ValueStatus::no_values, false, 0};

struct Query {
  const Reading& reading;
  std::uint8_t type_tag;  // of the view that is asked for

  Element leaf(std::uint32_t tensor, const std::uint64_t* index) const;
  Element member(std::uint32_t tensor, const std::uint64_t* index, const Descriptor& head) const;
  Element partition(std::uint32_t head, const std::uint64_t* index) const;
  Element replace(std::uint32_t head, const std::uint64_t* index) const;
  Element add(std::uint32_t head, const std::uint64_t* index) const;
  Element element(std::uint32_t tensor, const std::uint64_t* index) const;
};

Element Query::leaf(std::uint32_t tensor, const std::uint64_t* index) const {
  Source source;
  if (const ValueStatus status = source.prepare(reading, tensor); status != ValueStatus::ok) return {status, false, 0};
  std::optional<std::int64_t> position;
  if (source.sparse()) {
    const StoredPlace place = find_stored(source.descriptor(), source.buffers(), {index, source.descriptor().rank});
    if (place.status != ValueStatus::ok) return {place.status, false, 0};
    if (!place.position) return {ValueStatus::ok, true, 0};
    position = place.position;
  } else {
    position = source.address().position(index);
  }
  Element found;
  found.status = position ? source.value_at(*position, index, type_tag, found.value) : ValueStatus::out_of_bounds;
  return found;
}

/// A member that covers `index`, which counts in the head's index space.
Element Query::member(std::uint32_t tensor, const std::uint64_t* index, const Descriptor& head) const {
  const Descriptor& descriptor = reading.tensors[tensor].descriptor;
  if (descriptor.opaque || !is_seen_as(descriptor, head.type_tag)) return nothing;
  std::uint64_t local[facts::limit::rank];
  for (std::size_t axis = 0; axis < head.rank; ++axis) local[axis] = index[axis] - descriptor.shard_offset[axis];
  return element(tensor, local);
}

Element Query::partition(std::uint32_t head, const std::uint64_t* index) const {
  const Descriptor& view = reading.tensors[head].descriptor;
  std::uint32_t holder = Tensor::none;
  for (std::uint32_t m = first_member(reading, head); m != Tensor::none; m = next_member(reading, head, m)) {
    if (!covers(reading.tensors[m].descriptor, view, index)) continue;
    if (holder != Tensor::none) return nothing;  // boxes overlap: no one member holds the index
    holder = m;
  }
  if (holder == Tensor::none) return nothing;
  Element found = member(holder, index, view);
  found.transparent = false;
  return found;
}

Element Query::replace(std::uint32_t head, const std::uint64_t* index) const {
  const Descriptor& view = reading.tensors[head].descriptor;
  const std::uint32_t base = first_member(reading, head);
  if (base == Tensor::none || !covers(reading.tensors[base].descriptor, view, index)) return nothing;
  // A member that is not sparse hides whatever lies below it and is looked into only when nothing hides it in turn.
  std::uint32_t visible = base;
  Element stored;
  for (std::uint32_t m = next_member(reading, head, base); m != Tensor::none; m = next_member(reading, head, m)) {
    const Descriptor& descriptor = reading.tensors[m].descriptor;
    if (!covers(descriptor, view, index)) continue;
    const bool sparse = is_sparse(descriptor.layout_tag);
    const Element found = sparse ? member(m, index, view) : Element{};
    if (found.transparent) continue;
    visible = sparse ? Tensor::none : m;
    stored = found;
  }
  Element top = visible == Tensor::none ? stored : member(visible, index, view);
  top.transparent = false;
  return top;
}

Element Query::add(std::uint32_t head, const std::uint64_t* index) const {
  const Descriptor& view = reading.tensors[head].descriptor;
  Element sum;
  bool base = true;
  for (std::uint32_t m = first_member(reading, head); m != Tensor::none; m = next_member(reading, head, m)) {
    const bool covered = covers(reading.tensors[m].descriptor, view, index);
    if (base && !covered) return nothing;
    if (!covered) continue;
    const Element found = member(m, index, view);
    if (found.status != ValueStatus::ok) return found;
    if (base)
      sum.value = found.value;
    else if (!found.transparent)
      sum.value = add_elements(type_tag, sum.value, found.value);
    base = false;
  }
  return base ? nothing : sum;
}

Element Query::element(std::uint32_t tensor, const std::uint64_t* index) const {
  const Tensor& read = reading.tensors[tensor];
  if (!read.descriptor.is_head()) return leaf(tensor, index);
  if (!is_composed(read)) return nothing;
  if (read.descriptor.layout.composition_rule == facts::composition_rule::partition) return partition(tensor, index);
  return read.descriptor.layout.combine_op == facts::combine_op::add ? add(tensor, index) : replace(tensor, index);
}

}  // namespace

ValueStatus lookup(const Reading& reading, std::uint32_t tensor, std::span<const std::uint64_t> index,
                   std::span<std::uint8_t> out, std::size_t& size) {
  size = 0;
  if (tensor >= reading.tensors.size()) return ValueStatus::out_of_range;
  const Descriptor& descriptor = reading.tensors[tensor].descriptor;
  const std::uint8_t type_tag = view_type(descriptor);
  const facts::ElementType* type = facts::element_type(type_tag);
  if (type == nullptr || descriptor.opaque || has_dynamic_dimension(descriptor.shape)) return ValueStatus::no_values;
  if (index.size() != descriptor.rank) return ValueStatus::out_of_range;
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    if (index[axis] >= descriptor.shape[axis]) return ValueStatus::out_of_range;
  const std::size_t bytes = (type->bits + 7u) / 8u;
  if (out.size() < bytes) return ValueStatus::too_large;
  const Element found = Query{reading, type_tag}.element(tensor, index.data());
  if (found.status != ValueStatus::ok) return found.status;
  ElementArray{out.data(), type_tag, static_cast<std::uint8_t>(bytes * 8)}.store(0, found.value);
  size = bytes;
  return ValueStatus::ok;
}

}  // namespace hurray::reference
