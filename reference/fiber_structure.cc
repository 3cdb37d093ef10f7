// The pos and crd arrays of CSF (layouts/csf.md, Storage Invariants).
#include <algorithm>

#include "reference/buffer_checks.h"
#include "reference/storage_size.h"

namespace hurray::reference {
namespace {

constexpr std::uint64_t word = sizeof(std::uint64_t);

std::size_t pos_buffer(std::size_t level) { return 2 * level + 1; }
std::size_t crd_buffer(std::size_t level) { return 2 * level + 2; }

bool values_hold(const BufferChecks& checks) {
  const std::optional<Packing> packing = packing_of(checks.descriptor);
  return !packing || packed_bytes(checks.descriptor.layout.nnz, *packing) <= checks.buffers[0].size();
}

void check_siblings(BufferChecks& checks, std::size_t level, std::uint64_t parents, std::uint64_t nodes) {
  const U64Array pos = checks.entries<std::uint64_t>(pos_buffer(level));
  const U64Array crd = checks.entries<std::uint64_t>(crd_buffer(level));
  for (std::uint64_t parent = 0; parent < parents; ++parent) {
    const std::uint64_t end = std::min(pos[parent + 1], nodes);
    if (const auto position = first_not_above(crd, std::min(pos[parent], end), end))
      if (!checks.check.that(false, Rule::LAY_CSF_08, checks.at(crd_buffer(level), *position * word), "coordinate",
                             crd[*position], "not above its sibling on level", level))
        return;
  }
}

void check_coordinates(BufferChecks& checks, std::size_t level, std::uint64_t nodes) {
  const Descriptor& d = checks.descriptor;
  const U64Array crd = checks.entries<std::uint64_t>(crd_buffer(level));
  const std::uint64_t size = d.shape[d.layout.mode_order[level]];
  for (std::uint64_t i = 0; i < nodes && size != facts::limit::dynamic; ++i)
    if (crd[i] >= size && !checks.check.that(false, Rule::LAY_CSF_09, checks.at(crd_buffer(level), i * word), "coordinate",
                                             crd[i], "in a dimension of", size))
      return;
}

/// One level under `parents` nodes; how many nodes it has, of which all are there.
std::uint64_t check_level(BufferChecks& checks, std::size_t level, std::uint64_t parents) {
  const Descriptor& d = checks.descriptor;
  Checks& check = checks.check;
  const U64Array pos = checks.entries<std::uint64_t>(pos_buffer(level));
  const std::uint64_t stored = checks.entries<std::uint64_t>(crd_buffer(level)).size();
  const bool has_last = pos.size() > parents;
  const std::uint64_t last = pos[parents];
  const bool is_leaf = level + 1 == d.rank;
  check.that(has_last && last <= stored && (!is_leaf || (last == d.layout.nnz && values_hold(checks))), Rule::LAY_CSF_16,
             checks.at(pos_buffer(level), has_last ? parents * word : 0), "last pos", last, "on level", level);
  if (!has_last) parents = std::max<std::uint64_t>(pos.size(), 1) - 1;
  check.that(pos[0] == 0, Rule::LAY_CSF_07, checks.at(pos_buffer(level), 0), "first pos", pos[0], "on level", level);
  const std::optional<std::uint64_t> decrease = first_decrease(pos, parents);
  const std::uint64_t where = decrease.value_or(0);
  check.that(!decrease, Rule::LAY_CSF_15, checks.at(pos_buffer(level), where * word), "pos", pos[where],
             "decreases on level", level);
  const std::uint64_t nodes = std::min(pos[parents], stored);
  if (!decrease) check_siblings(checks, level, parents, nodes);
  check_coordinates(checks, level, nodes);
  return nodes;
}

/// Without entries the tree is its first pos array alone.
void check_empty_tree(BufferChecks& checks) {
  Checks& check = checks.check;
  bool stores_nothing = checks.buffers[0].empty();
  for (std::size_t level = 0; level < checks.descriptor.rank; ++level) {
    const U64Array pos = checks.entries<std::uint64_t>(pos_buffer(level));
    stores_nothing &= checks.buffers[crd_buffer(level)].empty();
    const std::uint64_t at = checks.at(pos_buffer(level), 0);
    if (level == 0) {
      check.that(pos.size() == 2 && pos[0] == 0 && pos[1] == 0, Rule::LAY_CSF_10, at, "nnz 0 with pos_0 up to", pos[1]);
    } else {
      check.that(pos.size() == 1 && pos[0] == 0, Rule::LAY_CSF_18, at, "nnz 0 with pos entries", pos.size(), "on level",
                 level);
    }
  }
  check.that(stores_nothing, Rule::LAY_CSF_17, checks.at(0, 0), "nnz 0 with stored values or coordinates");
}

}  // namespace

void check_fiber_structure(BufferChecks& checks) {
  if (checks.descriptor.layout.nnz == 0) return check_empty_tree(checks);
  std::uint64_t parents = 1;
  for (std::size_t level = 0; level < checks.descriptor.rank && !checks.check.failed(); ++level)
    parents = check_level(checks, level, parents);
}

}  // namespace hurray::reference
