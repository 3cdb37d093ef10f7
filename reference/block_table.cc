// The block table and seq_ptr of block-paged tensors (layouts/block-paged.md, Storage Invariants).
#include <algorithm>

#include "reference/buffer_checks.h"
#include "reference/storage_size.h"

namespace hurray::reference {
namespace {

constexpr std::size_t pool_buffer = 0, table_buffer = 1, seq_buffer = 2;

/// Elements of one page; every page is stored whole.
Wide page_elements(const Descriptor& d) {
  return wide_multiply(wide_multiply(d.layout.page_size, d.shape[1]), d.shape[2]);
}

/// Whether page `id` is one of num_pages and the pool has its bytes.
bool page_exists(const BufferChecks& checks, std::uint64_t id, Wide elements, std::optional<Packing> packing) {
  if (id >= checks.descriptor.layout.num_pages) return false;
  return !packing || packed_bytes(wide_multiply(Wide{id} + 1, elements), *packing) <= checks.buffers[pool_buffer].size();
}

template <typename Id>
void check_tables(BufferChecks& checks) {
  const Descriptor& d = checks.descriptor;
  Checks& check = checks.check;
  const LittleEndianArray<Id> table = checks.entries<Id>(table_buffer), seq = checks.entries<Id>(seq_buffer);
  std::optional<Packing> packing = packing_of(d);
  if (has_dynamic_dimension(d)) packing.reset();
  const Wide elements = page_elements(d);
  for (std::uint64_t k = 0; k < table.size(); ++k)
    if (!page_exists(checks, table[k], elements, packing) &&
        !check.that(false, Rule::LAY_BP_09, checks.at(table_buffer, k * sizeof(Id)), "page", table[k],
                    "of a pool with num_pages", d.layout.num_pages))
      return;
  const std::uint64_t sequences = d.layout.num_seqs;
  const bool has_last = seq.size() > sequences;
  check.that(has_last && seq[0] == 0 && seq[sequences] == table.size(), Rule::LAY_BP_08, checks.at(seq_buffer, 0),
             "seq_ptr up to", seq[sequences], "for block table entries", table.size());
  for (std::uint64_t s = 1; s < std::min<std::uint64_t>(seq.size(), sequences + 1); ++s)
    if (seq[s] < seq[s - 1] && !check.that(false, Rule::LAY_BP_19, checks.at(seq_buffer, s * sizeof(Id)), "seq_ptr",
                                           seq[s], "decreases at sequence", s))
      return;
}

}  // namespace

void check_block_table(BufferChecks& checks) {
  constexpr std::uint8_t wide_ids = 1;
  if (checks.descriptor.layout.index_type == wide_ids) return check_tables<std::uint64_t>(checks);
  check_tables<std::uint32_t>(checks);
}

}  // namespace hurray::reference
