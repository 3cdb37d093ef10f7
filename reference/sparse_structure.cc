// The index arrays of COO (layouts/coo.md, Validity Constraints), CSR and CSC (Storage Invariants).
#include <algorithm>
#include <numeric>
#include <vector>

#include "reference/buffer_checks.h"

namespace hurray::reference {
namespace {

constexpr std::size_t index_buffer = 1, pointer_buffer = 2;
constexpr std::uint64_t word = sizeof(std::uint64_t);

/// Whether a coordinate may stand in dimension `size`; of a dynamic dimension nothing is known.
bool in_bounds(std::uint64_t coordinate, std::uint64_t size) {
  return coordinate < size || size == facts::limit::dynamic;
}

/// The coordinate tuples of a COO tensor, `rank` numbers each.
struct Coordinates {
  U64Array numbers;
  std::uint64_t rank, count;

  bool less(std::uint64_t left, std::uint64_t right) const {
    for (std::uint64_t k = 0; k < rank; ++k) {
      const std::uint64_t a = numbers[left * rank + k], b = numbers[right * rank + k];
      if (a != b) return a < b;
    }
    return false;
  }
};

/// An entry whose tuple occurred before it. Sorted input is settled in one pass.
std::optional<std::uint64_t> find_duplicate(const Coordinates& tuples) {
  std::uint64_t ascending = 1;
  while (ascending < tuples.count && tuples.less(ascending - 1, ascending)) ++ascending;
  if (ascending >= tuples.count) return std::nullopt;
  std::vector<std::uint64_t> order(tuples.count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) { return tuples.less(a, b); });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (!tuples.less(order[i - 1], order[i])) return std::max(order[i - 1], order[i]);
  return std::nullopt;
}

void check_coordinates(BufferChecks& checks) {
  const Descriptor& d = checks.descriptor;
  const U64Array numbers = checks.entries<std::uint64_t>(index_buffer);
  const std::uint64_t rank = d.rank;
  if (rank == 0) return;
  const Coordinates tuples{numbers, rank, std::min<std::uint64_t>(d.layout.nnz, numbers.size() / rank)};
  for (std::uint64_t i = 0; i < tuples.count; ++i)
    for (std::uint64_t k = 0; k < rank; ++k)
      if (!in_bounds(numbers[i * rank + k], d.shape[k]) &&
          !checks.check.that(false, Rule::LAY_COO_07, checks.at(index_buffer, (i * rank + k) * word), "coordinate",
                             numbers[i * rank + k], "in a dimension of", d.shape[k]))
        return;
  const std::optional<std::uint64_t> duplicate = find_duplicate(tuples);
  checks.check.that(!duplicate, Rule::LAY_COO_08, checks.at(index_buffer, duplicate.value_or(0) * rank * word),
                    "coordinates stored before, entry", duplicate.value_or(0));
}

/// CSR compresses dimension 0 and stores indices of dimension 1; CSC the other way round.
struct Compression {
  std::size_t major, minor;
  Rule ends, monotone, increasing, bounds;
};
constexpr Compression csr{0, 1, Rule::LAY_CSR_06, Rule::LAY_CSR_07, Rule::LAY_CSR_08, Rule::LAY_CSR_09};
constexpr Compression csc{1, 0, Rule::LAY_CSC_06, Rule::LAY_CSC_07, Rule::LAY_CSC_08, Rule::LAY_CSC_09};

void check_slices(BufferChecks& checks, const Compression& by, std::uint64_t slices, std::uint64_t count) {
  const U64Array pointers = checks.entries<std::uint64_t>(pointer_buffer);
  const U64Array indices = checks.entries<std::uint64_t>(index_buffer);
  const std::uint64_t nnz = checks.descriptor.layout.nnz;
  Checks& check = checks.check;
  check.that(pointers[0] == 0 && pointers[slices] == nnz, by.ends, checks.at(pointer_buffer, 0), "pointers to",
             pointers[slices], "with nnz", nnz);
  const std::optional<std::uint64_t> decrease = first_decrease(pointers, slices);
  const std::uint64_t where = decrease.value_or(0);
  check.that(!decrease, by.monotone, checks.at(pointer_buffer, where * word), "pointer", pointers[where],
             "decreases in slice", where);
  if (decrease) return;  // there are no slices to look into
  for (std::uint64_t slice = 0; slice < slices; ++slice) {
    const std::uint64_t end = std::min(pointers[slice + 1], count);
    if (const auto position = first_not_above(indices, std::min(pointers[slice], end), end))
      if (!check.that(false, by.increasing, checks.at(index_buffer, *position * word), "index", indices[*position],
                      "not above the one before it in slice", slice))
        return;
  }
}

void check_compressed(BufferChecks& checks, const Compression& by) {
  const Descriptor& d = checks.descriptor;
  const U64Array indices = checks.entries<std::uint64_t>(index_buffer);
  const std::uint64_t count = std::min<std::uint64_t>(d.layout.nnz, indices.size());
  const std::uint64_t slices = d.shape[by.major];
  if (slices < checks.entries<std::uint64_t>(pointer_buffer).size()) check_slices(checks, by, slices, count);
  for (std::uint64_t i = 0; i < count; ++i)
    if (!in_bounds(indices[i], d.shape[by.minor]) &&
        !checks.check.that(false, by.bounds, checks.at(index_buffer, i * word), "index", indices[i], "in a dimension of",
                           d.shape[by.minor]))
      return;
}

}  // namespace

void check_sparse_structure(BufferChecks& checks) {
  if (checks.descriptor.layout_tag == facts::layout_tag::coo) check_coordinates(checks);
  if (checks.descriptor.layout_tag == facts::layout_tag::csr) check_compressed(checks, csr);
  if (checks.descriptor.layout_tag == facts::layout_tag::csc) check_compressed(checks, csc);
}

}  // namespace hurray::reference
