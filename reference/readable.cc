#include "reference/readable.h"

#include "reference/float_format.h"
#include "reference/integer128.h"
#include "reference/members.h"
#include "reference/storage_size.h"

namespace hurray::reference {
namespace {

namespace scheme_tag = facts::scheme_tag;

bool is_quantized(const Descriptor& descriptor) { return descriptor.has(facts::flag::quantization); }

/// Whether a scheme says what number a code of this type stands for; its widths are left open.
bool decodes(std::uint8_t scheme, const facts::ElementType& type) {
  const bool integer = type.kind == facts::Kind::signed_integer || type.kind == facts::Kind::unsigned_integer;
  const bool small = scheme == scheme_tag::mxfp && type.kind == facts::Kind::small_float;
  return type.bits <= 32 && (integer || small);
}

/// How many tokens a sequence has is written nowhere (LAY-BP-11): where not every slot of the pages is filled, only a
/// sequence that has all pages to itself says where its tokens are.
template <typename Id>
bool says_where_tokens_lie(const Descriptor& descriptor, std::span<const Bytes> buffers) {
  const LittleEndianArray<Id> seq{buffers[2].data(), buffers[2].size() / sizeof(Id)};
  const std::uint64_t pages = buffers[1].size() / sizeof(Id), tokens = descriptor.shape[0];
  const auto slots = static_cast<Unsigned128>(pages) * descriptor.layout.page_size;
  std::size_t with_pages = 0;
  for (std::size_t s = 0; s < descriptor.layout.num_seqs; ++s) with_pages += seq[s] < seq[s + 1];
  return slots == tokens || (slots > tokens && with_pages == 1);
}

bool says_where_tokens_lie(const Descriptor& descriptor, std::span<const Bytes> buffers) {
  // Block schemes number their parameters by slot or by page (AMB-22).
  const std::uint8_t scheme = descriptor.quantization.scheme_tag;
  const bool by_block = scheme == scheme_tag::per_block_affine || scheme == scheme_tag::nf4 || scheme == scheme_tag::mxfp;
  const bool wide = descriptor.layout.index_type == 1;
  return !by_block && (wide ? says_where_tokens_lie<std::uint64_t>(descriptor, buffers)
                            : says_where_tokens_lie<std::uint32_t>(descriptor, buffers));
}

/// With unequal morton_bits the printed code leaves the buffer that the text asks for (AMB-20): bits [3,1] reach 23 of 16.
/// Codes grow with each index, so the last element has the largest.
bool holds_morton_codes(const Descriptor& descriptor, std::size_t bytes, std::uint8_t bits) {
  if (is_empty(descriptor)) return true;
  constexpr std::uint64_t beyond_any_buffer = 64;
  Wide highest = 0;
  for (std::size_t axis = 0; axis < descriptor.rank; ++axis) {
    std::uint64_t place = axis;
    for (std::uint64_t last = descriptor.shape[axis] - 1; last != 0; last >>= 1, place += descriptor.rank) {
      if (place >= beyond_any_buffer) return false;
      highest |= Wide{last & 1} << place;
    }
  }
  return highest < Wide{bytes - descriptor.byte_offset} * 8 / bits;
}

/// Whether a tensor is seen under a head of type `to`: in its own type or, quantized (AMB-01), in any signed floating-point
/// type, to which its float32 is rounded.
bool is_seen_as(const Descriptor& descriptor, std::uint8_t to) {
  return is_quantized(descriptor) ? float_format(to).has_value() : descriptor.type_tag == to;
}

}  // namespace

std::uint8_t view_type(const Descriptor& descriptor) {
  return is_quantized(descriptor) ? facts::tag::float32 : descriptor.type_tag;
}

bool has_values(const Descriptor& descriptor, std::span<const Bytes> buffers) {
  const facts::ElementType* const type = facts::element_type(descriptor.type_tag);
  if (type == nullptr || has_dynamic_dimension(descriptor)) return false;
  if (is_quantized(descriptor) && !decodes(descriptor.quantization.scheme_tag, *type)) return false;
  if (descriptor.layout_tag == facts::layout_tag::morton) return holds_morton_codes(descriptor, buffers[0].size(), type->bits);
  return descriptor.layout_tag != facts::layout_tag::block_paged || says_where_tokens_lie(descriptor, buffers);
}

bool has_composed_values(const Reading& reading, std::uint32_t head) {
  const Tensor& read = reading.tensors[head];
  const Descriptor& view = read.descriptor;
  const bool partition = view.layout.composition_rule == facts::composition_rule::partition;
  const bool overlay = view.layout.composition_rule == facts::composition_rule::overlay;
  bool readable = (partition || overlay) && (read.members_seen > 0 || (partition && is_empty(view)));
  readable &= facts::element_type(view.type_tag) != nullptr && !has_dynamic_dimension(view);
  for (std::uint32_t m = first_member(reading, head); m != Tensor::none; m = next_member(reading, head, m))
    readable &= reading.tensors[m].readable && is_seen_as(reading.tensors[m].descriptor, view.type_tag);
  return readable;
}

}  // namespace hurray::reference
