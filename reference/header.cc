// Fixed header and core variable fields (metadata.md; tag spaces: element-types.md, memory-layout.md).
#include "reference/descriptor_reader.h"

namespace hurray::reference {
namespace {

constexpr std::uint64_t type_tag_at = 14, layout_tag_at = 15, rank_at = 16;

struct FixedHeader {
  std::uint32_t magic;
  std::uint8_t version_major, version_minor;
  std::uint32_t length, flags;
  std::uint8_t type_tag, layout_tag;
  std::uint32_t rank;
};

void check_type_tag(DescriptorReader& reader, std::uint64_t at) {
  Checks& check = reader.check;
  Descriptor& d = reader.descriptor;
  const std::uint8_t tag = d.type_tag;
  const bool reserved_range = tag >= 0x80 && tag <= 0xEF;
  const bool is_private = facts::is_private(tag);
  check.that(tag != 0x00, Rule::TYPE_TAG_01, at, "type_tag", hex(tag));
  check.that(tag != 0xFF, Rule::TYPE_TAG_02, at, "type_tag", hex(tag));
  check.that(tag != 0x47, Rule::TYPE_TAG_07, at, "type_tag", hex(tag));
  check.that(!reserved_range, Rule::TYPE_TAG_04, at, "reserved type_tag", hex(tag));
  const bool known = facts::element_type(tag) != nullptr || is_private;
  const bool has_own_rule = tag == 0x00 || tag == 0xFF || tag == 0x47 || reserved_range;
  check.that(known || has_own_rule, Rule::TYPE_TAG_03, at, "unknown type_tag", hex(tag));
  d.opaque |= !known;
  check.that(!is_private || d.has(facts::flag::extension_type), Rule::TYPE_PRIV_01, at,
             "no extension type section for type_tag", hex(tag));
  check.that(is_private || !d.has(facts::flag::extension_type), Rule::DESC_FLAG_02, at - 4,
             "extension type section with type_tag", hex(tag));
}

void check_layout_tag(DescriptorReader& reader, std::uint64_t at) {
  Checks& check = reader.check;
  Descriptor& d = reader.descriptor;
  const std::uint8_t tag = d.layout_tag;
  const bool known = facts::layout(tag) != nullptr || facts::is_private(tag);
  check.that(tag != 0x00, Rule::LAY_TAG_01, at, "layout_tag", hex(tag));
  check.that(tag != 0xFF, Rule::LAY_TAG_05, at, "layout_tag", hex(tag));
  check.that(known || tag == 0x00 || tag == 0xFF, Rule::LAY_TAG_02, at, "unknown layout_tag", hex(tag));
  d.opaque |= !known;
  d.buffers_unknown = !known;
  check.that(!d.is_head() || !d.has(facts::flag::quantization), Rule::CMP_HEAD_04, at - 5,
             "composite head with a quantization section, flags", hex(d.flags));
}

struct RankRule {
  std::uint8_t layout_tag;
  std::uint32_t min_rank, max_rank;
  Rule scalar, other;  // what rank 0, and any other rank out of range, breaks
};
// Row-major takes every rank, Hilbert states its own rank, and a head of rank 0 is left open by the format.
constexpr RankRule rank_rules[] = {
    {facts::layout_tag::column_major, 1, facts::limit::rank, Rule::DM_SCALAR_01, Rule::DM_RANK_01},
    {facts::layout_tag::strided,      1, facts::limit::rank, Rule::LAY_STR_05,   Rule::DM_RANK_01},
    {facts::layout_tag::tiled,        1, facts::limit::rank, Rule::LAY_TILE_09,  Rule::DM_RANK_01},
    {facts::layout_tag::morton,       1, facts::limit::rank, Rule::DM_SCALAR_01, Rule::DM_RANK_01},
    {facts::layout_tag::coo,          1, facts::limit::rank, Rule::LAY_COO_09,   Rule::DM_RANK_01},
    {facts::layout_tag::csr,          2, 2,                  Rule::LAY_CSR_05,   Rule::LAY_CSR_01},
    {facts::layout_tag::csc,          2, 2,                  Rule::LAY_CSC_05,   Rule::LAY_CSC_01},
    {facts::layout_tag::csf,          3, facts::limit::rank, Rule::LAY_CSF_01,   Rule::LAY_CSF_01},
    {facts::layout_tag::block_paged,  3, 3,                  Rule::LAY_BP_01,    Rule::LAY_BP_01},
};

void check_rank(DescriptorReader& reader, std::uint64_t at) {
  Descriptor& d = reader.descriptor;
  const std::uint32_t rank = d.rank;
  reader.check.that(rank <= facts::limit::rank, Rule::DM_RANK_01, at, "rank", rank);
  for (const RankRule& layout : rank_rules) {
    if (layout.layout_tag != d.layout_tag || rank > facts::limit::rank) continue;
    const bool defined = rank >= layout.min_rank && rank <= layout.max_rank;
    reader.check.that(defined, rank == 0 ? layout.scalar : layout.other, at, "rank", rank, "with layout_tag",
                      hex(layout.layout_tag));
    d.opaque |= !defined;
  }
}

/// The header as far as the input goes; false when nothing after it can be told.
bool read_fixed_header(DescriptorReader& reader) {
  Cursor& in = reader.in;
  Checks& check = reader.check;
  Descriptor& d = reader.descriptor;
  const std::uint64_t start = in.position();
  const bool has_magic = in.remaining() >= sizeof(facts::limit::magic);
  const FixedHeader header{in.u32(), in.u8(),  in.u8(), in.u32(), in.u32(),
                           in.u8(),  in.u8(), in.u32()};
  const std::uint32_t magic = load_little_endian<std::uint32_t>(facts::limit::magic);
  check.that(header.magic == magic || !has_magic, Rule::DESC_HDR_01, start, "magic", hex(header.magic));
  d.version_minor = header.version_minor;
  d.length = header.length;
  d.flags = header.flags;
  d.type_tag = header.type_tag;
  d.layout_tag = header.layout_tag;
  d.rank = header.rank;
  if (in.overran() && !reader.fits()) return false;
  check.that(header.version_major <= facts::limit::version_major, Rule::DESC_HDR_02, start + 4, "version_major",
             header.version_major);
  check.that(header.version_major != 0, Rule::VER_02, start + 4, "version_major", header.version_major);
  check.that(header.length >= facts::limit::fixed_header, Rule::DESC_HDR_03, start + 6, "descriptor_length",
             header.length);
  return !check.failed();
}

}  // namespace

void read_header(DescriptorReader& reader) {
  Cursor& in = reader.in;
  Checks& check = reader.check;
  Descriptor& d = reader.descriptor;
  const std::uint64_t start = d.at.start = in.position();
  if (!read_fixed_header(reader)) return;
  // A length that is too short to be one, or that is not to bind, leaves the input as the only bound.
  if (d.length >= facts::limit::fixed_header && !check.waives(Rule::DESC_HDR_05)) in.limit(start + d.length);
  if (!reader.fits()) return;

  check.that((d.flags & ~facts::flag::defined) == 0, Rule::DESC_FLAG_01, start + 10, "flags", hex(d.flags));
  check_type_tag(reader, start + type_tag_at);
  check_layout_tag(reader, start + layout_tag_at);
  check_rank(reader, start + rank_at);
  if (check.failed()) return;

  d.at.shape = in.position();
  d.shape = in.array<std::uint64_t>(d.rank);
  if (d.rank > facts::limit::rank) d.rank = static_cast<std::uint32_t>(d.shape.size());  // DM-RANK-01 is waived
  d.at.byte_offset = in.position();
  d.byte_offset = in.u64();
  if (!reader.fits()) return;
  check.that(!d.is_head() || d.byte_offset == 0, Rule::CMP_HEAD_02, d.at.byte_offset, "head with byte_offset",
             d.byte_offset);
  const facts::Layout* const layout = facts::layout(d.layout_tag);
  const bool sparse = layout != nullptr && layout->addressing == facts::Addressing::sparse;
  const bool indirect = layout != nullptr && layout->addressing == facts::Addressing::indirect;
  check.that(!sparse || d.byte_offset == 0, Rule::LAY_OFF_01, d.at.byte_offset, "sparse layout with byte_offset",
             d.byte_offset);
  check.that(!indirect || d.byte_offset == 0, Rule::LAY_OFF_02, d.at.byte_offset, "block-paged with byte_offset",
             d.byte_offset);
}

}  // namespace hurray::reference
