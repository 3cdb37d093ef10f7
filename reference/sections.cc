// The optional sections after the buffer table, in wire order (metadata.md).
#include "reference/descriptor_reader.h"

namespace hurray::reference {
namespace {

/// Whether the section of `bytes` bytes that `flag` announces begins, and where. Where it is waived that a section
/// must be there, a missing one counts as not announced.
bool section_begins(DescriptorReader& reader, std::uint32_t flag, std::uint64_t bytes, std::uint64_t& at) {
  Descriptor& d = reader.descriptor;
  if (!d.has(flag) || reader.check.failed()) return false;
  at = reader.in.position();
  const bool there = reader.in.remaining() > 0 || bytes == 0 || reader.in.overran();
  reader.check.that(there, Rule::DESC_FLAG_03, at, "no bytes left for the section of flag", hex(flag));
  if (!there) d.flags &= ~flag;
  return there;
}

void check_shard_dimension(DescriptorReader& reader, std::size_t k) {
  Checks& check = reader.check;
  const Descriptor& d = reader.descriptor;
  const std::uint64_t size = d.shape[k], parent = d.parent_shape[k], offset = d.shard_offset[k];
  const std::uint64_t at = d.at.shard + 8 * k, offset_at = at + 8 * std::uint64_t{d.rank};
  if (size == facts::limit::dynamic || parent == facts::limit::dynamic) {  // no sum is taken of an unknown size
    check.that(false, Rule::DESC_SHARD_04, at, "shard with a dynamic dimension", k);
  } else if (offset > ~std::uint64_t{0} - size) {
    check.that(false, Rule::DESC_SHARD_03, offset_at, "shard_offset", offset, "beyond 2^64 with a dimension of", size);
  } else {
    check.that(offset + size <= parent, Rule::DESC_SHARD_02, offset_at, "shard end", offset + size, "in a parent of",
               parent);
  }
}

void read_shard(DescriptorReader& reader) {
  Cursor& in = reader.in;
  Descriptor& d = reader.descriptor;
  const std::uint64_t bytes = 16 * std::uint64_t{d.rank}, there = in.remaining();
  if (!section_begins(reader, facts::flag::shard, bytes, d.at.shard)) return;
  reader.check.that(there >= bytes, Rule::DESC_SHARD_01, d.at.shard, "bytes left for a shard section", there, "of", bytes);
  if (there < bytes) {
    d.flags &= ~facts::flag::shard;
    return in.skip(there);
  }
  d.parent_shape = in.array<std::uint64_t>(d.rank);
  d.shard_offset = in.array<std::uint64_t>(d.rank);
  reader.check.that(d.layout_tag != facts::layout_tag::csf, Rule::LAY_CSF_12, d.at.shard, "CSF with a shard section");
  reader.check.that(d.layout_tag != facts::layout_tag::block_paged, Rule::LAY_BP_12, d.at.shard,
                    "block-paged with a shard section");
  for (std::size_t k = 0; k < d.shape.size() && !reader.check.failed(); ++k) check_shard_dimension(reader, k);
}

/// The values are advisory: only what is reserved is judged.
void read_statistics(DescriptorReader& reader) {
  constexpr std::uint32_t defined_mask = 0x3F;
  Cursor& in = reader.in;
  Descriptor& d = reader.descriptor;
  if (!section_begins(reader, facts::flag::statistics, facts::limit::statistics, d.at.statistics)) return;
  const std::uint32_t mask = in.u32();
  const std::uint32_t reserved = in.u32();
  in.skip(facts::limit::statistics - 12);
  const bool zero = all_zero(in.array<std::uint8_t>(4));
  if (!reader.fits()) return;
  const std::uint64_t at = d.at.statistics;
  reader.check.that((mask & ~defined_mask) == 0, Rule::DESC_STAT_04, at, "computed_mask", hex(mask));
  reader.check.that(reserved == 0, Rule::DESC_STAT_05, at + 4, "statistics reserved field", hex(reserved));
  reader.check.that(zero, Rule::DESC_STAT_06, at + 68, "statistics reserved bytes are not zero");
}

struct ExtensionType {
  std::uint32_t bit_width;
  std::uint8_t packing, is_float, is_signed, sign_bits, exponent_bits, mantissa_bits;
  std::uint16_t reserved;
  std::uint32_t exponent_bias;
  std::uint8_t has_nan, has_inf;
  std::uint16_t reserved2;
};

void check_extension_type(Checks& check, const ExtensionType& type, std::uint64_t at) {
  const std::uint32_t width = type.bit_width;
  const bool sub_byte = width == 1 || width == 2 || width == 4;
  check.that(width > 0, Rule::DESC_EXT_02, at, "bit_width", width);
  check.that(width == 0 || width >= 8 || sub_byte, Rule::DESC_EXT_04, at, "bit_width", width);
  check.that(width < 8 || type.packing == 1, Rule::DESC_EXT_03, at + 4, "packing_factor", type.packing, "with bit_width",
             width);
  check.that(!sub_byte || type.packing * width == 8, Rule::DESC_EXT_05, at + 4, "packing_factor", type.packing,
             "with bit_width", width);
  const bool is_float = type.is_float != 0;
  check.that(!is_float || type.is_signed == 0, Rule::DESC_EXT_06, at + 6, "float type with is_signed", type.is_signed);
  check.that(type.sign_bits <= 1, Rule::DESC_EXT_07, at + 7, "sign_bits", type.sign_bits);
  check.that(is_float || type.sign_bits != 1, Rule::DESC_EXT_11, at + 7, "integer type with sign_bits", type.sign_bits);
  check.that(is_float || type.exponent_bits == 0, Rule::DESC_EXT_08, at + 8, "integer type with exponent_bits",
             type.exponent_bits);
  check.that(is_float || type.mantissa_bits == 0, Rule::DESC_EXT_12, at + 9, "integer type with mantissa_bits",
             type.mantissa_bits);
  check.that(is_float || type.exponent_bias == 0, Rule::DESC_EXT_13, at + 12, "integer type with exponent_bias",
             type.exponent_bias);
  check.that(type.reserved == 0 && type.reserved2 == 0, Rule::DESC_EXT_09, at + 10, "extension type reserved bytes",
             hex(type.reserved), "and", hex(type.reserved2));
}

void read_extension_type(DescriptorReader& reader) {
  Cursor& in = reader.in;
  Descriptor& d = reader.descriptor;
  if (!section_begins(reader, facts::flag::extension_type, facts::limit::extension_type, d.at.extension_type)) return;
  const ExtensionType type{in.u32(), in.u8(),  in.u8(),  in.u8(), in.u8(), in.u8(),
                           in.u8(),  in.u16(), in.u32(), in.u8(), in.u8(), in.u16()};
  if (!reader.fits()) return;
  d.extension_bit_width = type.bit_width;
  d.extension_packing = type.packing;
  check_extension_type(reader.check, type, d.at.extension_type);
}

void read_composite_member(DescriptorReader& reader) {
  Cursor& in = reader.in;
  Descriptor& d = reader.descriptor;
  if (!section_begins(reader, facts::flag::composite_member, facts::limit::composite_member, d.at.composite_member)) return;
  d.member_role = in.u8();
  const bool zero = all_zero(in.array<std::uint8_t>(facts::limit::composite_member - 1));
  if (!reader.fits()) return;
  reader.check.that(d.member_role <= facts::member_role::base, Rule::DESC_CM_02, d.at.composite_member, "member_role",
                    hex(d.member_role));
  reader.check.that(zero, Rule::DESC_CM_03, d.at.composite_member + 1, "composite member reserved bytes are not zero");
}

}  // namespace

void read_sections(DescriptorReader& reader) {
  Descriptor& d = reader.descriptor;
  if (section_begins(reader, facts::flag::quantization, sizeof(std::uint32_t), d.at.quantization)) read_quantization(reader);
  read_shard(reader);
  read_statistics(reader);
  read_extension_type(reader);
  read_composite_member(reader);
}

}  // namespace hurray::reference
