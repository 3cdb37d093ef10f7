// The dense view of a tensor: members are painted in the order that the composition rule gives them.
#include "reference/merge.h"

#include "reference/canvas.h"
#include "reference/copy_plan.h"
#include "reference/members.h"
#include "reference/readable.h"

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

class Merger {
 public:
  Merger(const Reading& reading, Canvas& canvas) : reading_(reading), canvas_(canvas) {}

  void paint(std::uint32_t tensor, const BoxIndex& origin, Paint how) {
    const Descriptor& descriptor = reading_.tensors[tensor].descriptor;
    if (element_count(descriptor.shape) == 0) return;
    if (descriptor.is_head()) return how == Paint::add ? add_head(tensor, origin) : paint_head(tensor, origin);
    canvas_.paint(Source{reading_, tensor}, origin, how);
  }

 private:
  void paint_head(std::uint32_t head, const BoxIndex& origin) {
    const LayoutFields& fields = reading_.tensors[head].descriptor.layout;
    const bool partition = fields.composition_rule == facts::composition_rule::partition;
    const bool add = !partition && fields.combine_op == facts::combine_op::add;
    if (!add && copy_members(head, origin, partition)) return;
    const std::uint32_t bottom = partition || add ? first_member(reading_, head) : lowest_visible(head);
    for (std::uint32_t m = bottom; m != Tensor::none; m = next_member(reading_, head, m))
      paint_member(m, origin, partition ? Paint::whole : m == bottom ? Paint::whole : add ? Paint::add : Paint::stored);
  }

  /// Fills a partition or a replace overlay by copying alone, in the order of memory; false where that cannot be done.
  bool copy_members(std::uint32_t head, const BoxIndex& origin, bool partition) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t m = first_member(reading_, head); m != Tensor::none; m = next_member(reading_, head, m)) {
      if (members.size() == CopyPlan::most_members || reading_.tensors[m].descriptor.is_head()) return false;
      members.push_back(m);
    }
    std::uint64_t shape[facts::limit::rank];
    CopyPlan plan{copy_shape(reading_.tensors[head].descriptor.shape, shape), origin};
    for (auto m = members.rbegin(); m != members.rend(); ++m) {  // the last member lies on top
      const Source source{reading_, *m};
      const U64Array& offset = source.descriptor().shard_offset;
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

  void paint_member(std::uint32_t member, const BoxIndex& origin, Paint how) {
    const Descriptor& descriptor = reading_.tensors[member].descriptor;
    BoxIndex at;
    for (std::size_t axis = 0; axis < descriptor.rank; ++axis) at[axis] = origin[axis] + descriptor.shard_offset[axis];
    paint(member, at, how);
  }

  /// A nested head under add is evaluated on its own first: its value is one summand.
  void add_head(std::uint32_t head, const BoxIndex& origin) {
    const U64Array& shape = reading_.tensors[head].descriptor.shape;
    std::vector<std::uint8_t> bytes(*view_bytes(shape, *facts::element_type(canvas_.type_tag())));
    Canvas summand{bytes.data(), canvas_.type_tag(), canvas_.bits(), shape};
    Merger{reading_, summand}.paint_head(head, BoxIndex{});
    canvas_.add(summand.array(), shape, origin);
  }

  const Reading& reading_;
  Canvas& canvas_;
};

}  // namespace

std::optional<std::uint64_t> merged_size(const Reading& reading, std::uint32_t tensor) {
  if (tensor >= reading.tensors.size() || !reading.tensors[tensor].readable) return std::nullopt;
  const Descriptor& descriptor = reading.tensors[tensor].descriptor;
  return view_bytes(descriptor.shape, *facts::element_type(view_type(descriptor)));
}

ValueStatus merge(const Reading& reading, std::uint32_t tensor, std::span<std::uint8_t> out) {
  if (tensor >= reading.tensors.size()) return ValueStatus::out_of_range;
  if (!reading.tensors[tensor].readable) return ValueStatus::no_values;
  const Descriptor& descriptor = reading.tensors[tensor].descriptor;
  const facts::ElementType* const type = facts::element_type(view_type(descriptor));
  if (view_bytes(descriptor.shape, *type) != out.size()) return ValueStatus::too_large;
  // Elements that share bytes are written one into another: start from zero, padding included.
  if (type->bits < 8) std::fill(out.begin(), out.end(), std::uint8_t{0});
  Canvas canvas{out.data(), type->tag, type->bits, descriptor.shape};
  Merger{reading, canvas}.paint(tensor, BoxIndex{}, Paint::whole);
  return ValueStatus::ok;
}

}  // namespace hurray::reference
