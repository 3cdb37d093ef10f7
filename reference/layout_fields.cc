// The fields that follow byte_offset, by layout tag (metadata.md, Layout-Specific Fields; layouts/*.md).
#include "reference/descriptor_reader.h"

namespace hurray::reference {
namespace {

void read_morton(DescriptorReader& reader) {
  Descriptor& d = reader.descriptor;
  d.layout.morton_bits = reader.in.array<std::uint32_t>(d.rank);
  for (std::size_t k = 0; k < d.shape.size(); ++k) {
    const std::uint32_t bits = d.layout.morton_bits[k];
    const std::uint64_t size = d.shape[k];
    const std::uint64_t at = d.at.layout + k * sizeof(bits);
    const bool covered = size == facts::limit::dynamic || bits >= 64 || size <= std::uint64_t{1} << bits;
    if (reader.in.overran()) return;
    reader.check.that(bits > 0, Rule::LAY_MOR_01, at, "morton_bits", bits, "in dimension", k);
    if (bits > 0) reader.check.that(covered, Rule::LAY_MOR_02, at, "dimension", size, "with morton_bits", bits);
    d.opaque |= bits == 0 || !covered;
  }
}

void read_coo(DescriptorReader& reader) {
  Descriptor& d = reader.descriptor;
  d.layout.nnz = reader.in.u64();
  d.layout.is_sorted = reader.in.u8();
  const std::uint64_t at = reader.in.position();
  reader.check.that(all_zero(reader.in.array<std::uint8_t>(7)), Rule::LAY_COO_03, at, "COO reserved bytes are not zero");
}

void read_csr_or_csc(DescriptorReader& reader) {
  Descriptor& d = reader.descriptor;
  d.layout.nnz = reader.in.u64();
  const std::uint64_t at = reader.in.position();
  const bool zero = all_zero(reader.in.array<std::uint8_t>(8));
  const bool is_csr = d.layout_tag == facts::layout_tag::csr;
  reader.check.that(zero || !is_csr, Rule::LAY_CSR_04, at, "CSR reserved bytes are not zero");
  reader.check.that(zero || is_csr, Rule::LAY_CSC_04, at, "CSC reserved bytes are not zero");
}

/// n numbers below n are a permutation exactly when no two are equal; rank is at most 64 or this is not asked.
bool is_permutation(const U32Array& order) {
  std::uint64_t seen = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (order[k] >= order.size() || (seen >> order[k] & 1) != 0) return false;
    seen |= std::uint64_t{1} << order[k];
  }
  return true;
}

void read_csf(DescriptorReader& reader) {
  Descriptor& d = reader.descriptor;
  d.layout.nnz = reader.in.u64();
  const std::uint64_t order_at = reader.in.position();
  d.layout.mode_order = reader.in.array<std::uint32_t>(d.rank);
  const std::uint64_t at = reader.in.position();
  const bool zero = all_zero(reader.in.array<std::uint8_t>(8));
  if (reader.in.overran()) return;
  const bool ordered = d.rank <= facts::limit::rank && is_permutation(d.layout.mode_order);
  reader.check.that(ordered || d.rank > facts::limit::rank, Rule::LAY_CSF_02, order_at,
                    "mode_order is no permutation of as many dimensions as", d.rank);
  d.opaque |= !ordered;
  reader.check.that(zero, Rule::LAY_CSF_06, at, "CSF reserved bytes are not zero");
}

void read_block_paged(DescriptorReader& reader) {
  Descriptor& d = reader.descriptor;
  LayoutFields& fields = d.layout;
  Cursor& in = reader.in;
  const std::uint64_t at = in.position();
  fields.page_size = in.u32();
  fields.num_pages = in.u64();
  fields.paged_axis = in.u32();
  fields.num_seqs = in.u32();
  fields.kv_role = in.u8();
  fields.layer_index = in.u32();
  fields.index_type = in.u8();
  const bool zero = all_zero(in.array<std::uint8_t>(6));
  if (in.overran()) return;
  reader.check.that(fields.page_size >= 1, Rule::LAY_BP_03, at, "page_size", fields.page_size);
  reader.check.that(fields.paged_axis == 0, Rule::LAY_BP_02, at + 12, "paged_axis", fields.paged_axis);
  reader.check.that(zero, Rule::LAY_BP_05, at + 26, "block-paged reserved bytes are not zero");
  d.opaque |= fields.page_size == 0 || fields.paged_axis != 0 || fields.index_type > 1;
}

void read_hilbert(DescriptorReader& reader) {
  Descriptor& d = reader.descriptor;
  const std::uint64_t at = reader.in.position();
  const std::uint32_t order = d.layout.hilbert_order = reader.in.u32();
  const std::uint32_t rank = d.layout.hilbert_rank = reader.in.u32();
  if (reader.in.overran()) return;
  Checks& check = reader.check;
  check.that(order > 0, Rule::LAY_HIL_04, at, "hilbert_order", order);
  check.that(rank == d.rank, Rule::LAY_HIL_02, at + 4, "hilbert_rank", rank, "with rank", d.rank);
  check.that(rank >= 2 || rank != d.rank, Rule::LAY_HIL_03, at + 4, "hilbert_rank", rank);
  bool sound = order > 0 && rank == d.rank && rank >= 2;
  for (std::size_t k = 0; order > 0 && k < d.shape.size(); ++k) {
    const std::uint64_t size = d.shape[k];
    const bool fits = order < 64 && size == std::uint64_t{1} << order;
    check.that(fits, Rule::LAY_HIL_01, d.at.shape + 8 * k, "dimension", size, "with hilbert_order", order);
    sound &= fits;
  }
  d.opaque |= !sound;
}

/// The length is the only way past opaque data. A reader that knows no private layout still frames them first.
void read_private(DescriptorReader& reader) {
  Descriptor& d = reader.descriptor;
  d.opaque = true;
  d.layout.extension_layout_id = reader.in.u64();
  const std::uint32_t length = reader.in.u32();
  reader.in.skip(length);
  reader.check.that(!reader.in.overran(), Rule::LAY_EXT_03, d.at.layout + 8, "extension_data_length", length,
                    "beyond descriptor_length", d.length);
  d.buffers_unknown = reader.in.overran();
  reader.check.that(false, Rule::LAY_EXT_01, d.at.layout, "unknown extension_layout_id",
                    hex(d.layout.extension_layout_id));
}

}  // namespace

void read_layout_fields(DescriptorReader& reader) {
  Descriptor& d = reader.descriptor;
  d.at.layout = reader.in.position();
  const std::uint8_t tag = d.layout_tag;
  if (tag == facts::layout_tag::strided) d.layout.strides = reader.in.array<std::int64_t>(d.rank);
  if (tag == facts::layout_tag::tiled) read_tile_levels(reader);
  if (tag == facts::layout_tag::morton) read_morton(reader);
  if (tag == facts::layout_tag::coo) read_coo(reader);
  if (tag == facts::layout_tag::csr || tag == facts::layout_tag::csc) read_csr_or_csc(reader);
  if (tag == facts::layout_tag::csf) read_csf(reader);
  if (tag == facts::layout_tag::block_paged) read_block_paged(reader);
  if (tag == facts::layout_tag::hilbert) read_hilbert(reader);
  if (tag == facts::layout_tag::composite) read_composite_head(reader);
  if (facts::is_private(tag)) return read_private(reader);  // whose own rule says that its fields fit
  reader.fits();
}

}  // namespace hurray::reference
