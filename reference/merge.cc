// The dense view of a tensor: members are painted in the order that the composition rule gives them.
#include "reference/merge.h"

#include <memory>
#include <new>

#include "reference/canvas.h"
#include "reference/copy_plan.h"
#include "reference/cover.h"
#include "reference/members.h"

namespace hurray::reference {
namespace {

std::optional<std::uint64_t> view_bytes(const U64Array& shape, const facts::ElementType& type) {
  const auto count = element_count(shape);
  if (!count) return std::nullopt;
  const std::uint64_t groups = *count / type.packing + (*count % type.packing != 0 ? 1 : 0);
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(groups, std::uint64_t{type.group_bytes}, &bytes)) return std::nullopt;
  return bytes;
}

/// Whether every index of a partition lies in exactly one member (layouts/composite.md, Partition). The reader has made
/// sure of it unless that check was waived; then holes must not be shown as values.
bool is_covered(const Reading& reading, std::uint32_t head) {
  const Descriptor& view = reading.tensors[head].descriptor;
  std::uint64_t extent[facts::limit::rank], offset[facts::limit::rank], size[facts::limit::rank];
  Cover cover{copy_shape(view.shape, extent)};
  for (std::uint32_t m = first_member(reading, head); m != Tensor::none; m = next_member(reading, head, m)) {
    const Descriptor& member = reading.tensors[m].descriptor;
    if (!is_placed(member, view)) return false;
    cover.add(copy_shape(member.shard_offset, offset), copy_shape(member.shape, size));
  }
  return cover.decide({}).fault == CoverFault::none;
}

class Merger {
 public:
  Merger(const Reading& reading, Canvas& canvas) : reading_(reading), canvas_(canvas) {}

  ValueStatus paint(std::uint32_t tensor, const BoxIndex& origin, Paint how) {
    const Descriptor& descriptor = reading_.tensors[tensor].descriptor;
    if (descriptor.opaque || !is_seen_as(descriptor, canvas_.type_tag())) return ValueStatus::no_values;
    if (descriptor.is_head()) return how == Paint::add ? add_head(tensor, origin) : paint_head(tensor, origin);
    Source source;
    const ValueStatus status = source.prepare(reading_, tensor);
    return status == ValueStatus::ok ? canvas_.paint(source, origin, how) : status;
  }

 private:
  ValueStatus paint_head(std::uint32_t head, const BoxIndex& origin) {
    const Tensor& read = reading_.tensors[head];
    if (!is_composed(read)) return ValueStatus::no_values;
    if (element_count(read.descriptor.shape) == 0) return ValueStatus::ok;
    if (read.descriptor.layout.composition_rule == facts::composition_rule::partition) return paint_partition(head, origin);
    return paint_overlay(head, origin);
  }

  ValueStatus paint_partition(std::uint32_t head, const BoxIndex& origin) {
    if (!is_covered(reading_, head)) return ValueStatus::no_values;
    if (copy_members(head, origin)) return ValueStatus::ok;
    for (std::uint32_t m = first_member(reading_, head); m != Tensor::none; m = next_member(reading_, head, m))
      if (const ValueStatus status = paint_member(head, m, origin, Paint::whole); status != ValueStatus::ok) return status;
    return ValueStatus::ok;
  }

  ValueStatus paint_overlay(std::uint32_t head, const BoxIndex& origin) {
    const Descriptor& view = reading_.tensors[head].descriptor;
    const std::uint32_t base = first_member(reading_, head);
    if (base == Tensor::none || !spans(reading_.tensors[base].descriptor, view)) return ValueStatus::no_values;
    const bool add = view.layout.combine_op == facts::combine_op::add;
    if (!add && copy_members(head, origin)) return ValueStatus::ok;
    const std::uint32_t bottom = add ? base : lowest_visible(head);
    for (std::uint32_t m = bottom; m != Tensor::none; m = next_member(reading_, head, m)) {
      const Paint how = m == bottom ? Paint::whole : add ? Paint::add : Paint::stored;
      if (const ValueStatus status = paint_member(head, m, origin, how); status != ValueStatus::ok) return status;
    }
    return ValueStatus::ok;
  }

  /// Fills a partition or a replace overlay by copying alone, in the order of memory; false where that cannot be done.
  bool copy_members(std::uint32_t head, const BoxIndex& origin) {
    const Descriptor& view = reading_.tensors[head].descriptor;
    const bool partition = view.layout.composition_rule == facts::composition_rule::partition;
    std::vector<std::uint32_t> members;
    for (std::uint32_t m = first_member(reading_, head); m != Tensor::none; m = next_member(reading_, head, m)) {
      const Descriptor& member = reading_.tensors[m].descriptor;
      if (members.size() == CopyPlan::most_members || !is_placed(member, view) || member.type_tag != canvas_.type_tag()) return false;
      members.push_back(m);
    }
    std::uint64_t shape[facts::limit::rank];
    CopyPlan plan{copy_shape(view.shape, shape), origin};
    for (auto m = members.rbegin(); m != members.rend(); ++m) {  // the last member lies on top
      Source source;
      if (source.prepare(reading_, *m) != ValueStatus::ok) return false;
      const U64Array& offset = reading_.tensors[*m].descriptor.shard_offset;
      if (!(partition ? plan.place_apart(source, offset) : plan.place(source, offset))) return false;
    }
    plan.run(canvas_);
    return true;
  }

  /// The last member of a replace overlay that hides everything before it: it spans the head and is not sparse.
  std::uint32_t lowest_visible(std::uint32_t head) const {
    std::uint32_t bottom = first_member(reading_, head);
    for (std::uint32_t m = bottom; m != Tensor::none; m = next_member(reading_, head, m)) {
      const Descriptor& member = reading_.tensors[m].descriptor;
      if (!is_sparse(member.layout_tag) && spans(member, reading_.tensors[head].descriptor)) bottom = m;
    }
    return bottom;
  }

  ValueStatus paint_member(std::uint32_t head, std::uint32_t member, const BoxIndex& origin, Paint how) {
    const Descriptor& descriptor = reading_.tensors[member].descriptor;
    if (!is_placed(descriptor, reading_.tensors[head].descriptor)) return ValueStatus::no_values;
    BoxIndex at;
    for (std::size_t axis = 0; axis < descriptor.rank; ++axis) at[axis] = origin[axis] + descriptor.shard_offset[axis];
    return paint(member, at, how);
  }

  /// A nested head under add is evaluated on its own first: its value is one summand.
  ValueStatus add_head(std::uint32_t head, const BoxIndex& origin) {
    const Descriptor& view = reading_.tensors[head].descriptor;
    if (!is_composed(reading_.tensors[head])) return ValueStatus::no_values;
    const auto size = view_bytes(view.shape, *facts::element_type(view.type_tag));
    if (!size) return ValueStatus::too_large;
    if (*size == 0) return ValueStatus::ok;
    const std::unique_ptr<std::uint8_t[]> bytes{new (std::nothrow) std::uint8_t[*size]()};
    if (bytes == nullptr) return ValueStatus::too_large;
    Canvas summand{bytes.get(), canvas_.type_tag(), canvas_.bits(), view.shape};
    if (const ValueStatus status = Merger{reading_, summand}.paint_head(head, BoxIndex{}); status != ValueStatus::ok)
      return status;
    canvas_.add({bytes.get(), canvas_.type_tag(), canvas_.bits()}, view.shape, origin);
    return ValueStatus::ok;
  }

  const Reading& reading_;
  Canvas& canvas_;
};

/// Whether every tensor below has values, without reading them.
bool has_values(const Reading& reading, std::uint32_t tensor) {
  const Tensor& read = reading.tensors[tensor];
  if (!read.descriptor.is_head()) {
    Source source;
    return source.prepare(reading, tensor) != ValueStatus::no_values;
  }
  if (!is_composed(read)) return false;
  const bool partition = read.descriptor.layout.composition_rule == facts::composition_rule::partition;
  const std::uint32_t first = first_member(reading, tensor);
  if (partition ? !is_covered(reading, tensor)
                : first == Tensor::none || !spans(reading.tensors[first].descriptor, read.descriptor))
    return false;
  for (std::uint32_t m = first; m != Tensor::none; m = next_member(reading, tensor, m)) {
    const Descriptor& member = reading.tensors[m].descriptor;
    if (!is_placed(member, read.descriptor) || !is_seen_as(member, read.descriptor.type_tag) || !has_values(reading, m))
      return false;
  }
  return true;
}

}  // namespace

std::optional<std::uint64_t> merged_size(const Reading& reading, std::uint32_t tensor) {
  if (tensor >= reading.tensors.size() || !has_values(reading, tensor)) return std::nullopt;
  const Descriptor& descriptor = reading.tensors[tensor].descriptor;
  return view_bytes(descriptor.shape, *facts::element_type(view_type(descriptor)));
}

ValueStatus merge(const Reading& reading, std::uint32_t tensor, std::span<std::uint8_t> out) {
  if (tensor >= reading.tensors.size()) return ValueStatus::out_of_range;
  const Descriptor& descriptor = reading.tensors[tensor].descriptor;
  const facts::ElementType* type = facts::element_type(view_type(descriptor));
  if (descriptor.opaque || type == nullptr || has_dynamic_dimension(descriptor.shape)) return ValueStatus::no_values;
  const auto size = view_bytes(descriptor.shape, *type);
  if (!size || out.size() != *size) return ValueStatus::too_large;
  // Elements that share bytes are written one into another: start from zero, padding included.
  if (type->bits < 8) std::fill(out.begin(), out.end(), std::uint8_t{0});
  Canvas canvas{out.data(), type->tag, type->bits, descriptor.shape};
  return Merger{reading, canvas}.paint(tensor, BoxIndex{}, Paint::whole);
}

}  // namespace hurray::reference
