// float8_e8m0 has two codes that no element may have (element-types.md, Float8 Variants). Bytes that hold no element,
// such as the padding of a tile, may be anything; of a page pool nothing tells which slots hold a token.
#include <algorithm>

#include "reference/buffer_checks.h"
#include "reference/reachable_bytes.h"
#include "reference/storage_size.h"

namespace hurray::reference {
namespace {

bool is_reserved(std::uint8_t code) { return code == 0x00 || code == 0xFF; }

/// False when the element at byte `i` of buffer 0 has a code that is not waived.
bool check_code(BufferChecks& checks, std::uint64_t i) {
  const std::uint8_t code = checks.buffers[0][i];
  return checks.check.that(!is_reserved(code), Rule::TYPE_E8M0_01, checks.at(0, i), "float8_e8m0 element", hex(code));
}

/// Whether some element has Morton code `code` (layouts/morton.md, Morton Index Computation).
bool has_morton_code(const Descriptor& d, std::uint64_t code) {
  const std::size_t rank = d.shape.size();
  for (std::size_t k = 0; k < rank; ++k) {
    std::uint64_t index = 0;
    for (std::uint64_t bit = 0; bit * rank + k < 64; ++bit) {
      const bool is_set = (code >> (bit * rank + k) & 1) != 0;
      if (is_set && bit >= d.layout.morton_bits[k]) return false;
      if (is_set) index |= std::uint64_t{1} << bit;
    }
    if (index >= d.shape[k]) return false;
  }
  return true;
}

/// Where the bytes that can hold an element of a dense tensor start and end in buffer 0.
struct Range {
  std::uint64_t begin, end;
};

Range dense_range(const Descriptor& d, std::uint64_t size) {
  const bool aliases = d.layout_tag == facts::layout_tag::strided || d.layout_tag == facts::layout_tag::tiled;
  if (has_dynamic_dimension(d) || is_empty(d)) return {0, 0};
  if (aliases) return {0, size};  // strides may lead backwards from byte_offset
  const std::uint64_t begin = std::min(d.byte_offset, size);
  if (d.layout_tag == facts::layout_tag::morton) return {begin, size};
  return {begin, begin + static_cast<std::uint64_t>(std::min<Wide>(element_count(d), size - begin))};
}

void check_dense(BufferChecks& checks) {
  const Descriptor& d = checks.descriptor;
  const Bytes bytes = checks.buffers[0];
  const Range range = dense_range(d, bytes.size());
  const bool is_morton = d.layout_tag == facts::layout_tag::morton;
  const bool aliases = d.layout_tag == facts::layout_tag::strided || d.layout_tag == facts::layout_tag::tiled;
  std::vector<std::uint8_t> reachable;
  for (std::uint64_t i = range.begin; i < range.end; ++i) {
    if (!is_reserved(bytes[i])) continue;
    if (aliases && reachable.empty()) reachable = reachable_bytes(d, bytes.size());
    const bool holds_element = aliases ? reachable[i] != 0 : !is_morton || has_morton_code(d, i - range.begin);
    if (holds_element && !check_code(checks, i)) return;
  }
}

void check_sparse(BufferChecks& checks) {
  const std::uint64_t count = std::min<std::uint64_t>(checks.descriptor.layout.nnz, checks.buffers[0].size());
  for (std::uint64_t i = 0; i < count; ++i)
    if (!check_code(checks, i)) return;
}

}  // namespace

void check_element_codes(BufferChecks& checks) {
  if (checks.descriptor.type_tag != facts::tag::float8_e8m0) return;
  const facts::Layout* const layout = facts::layout(checks.descriptor.layout_tag);
  if (layout == nullptr) return;
  if (layout->addressing == facts::Addressing::dense) check_dense(checks);
  if (layout->addressing == facts::Addressing::sparse) check_sparse(checks);
}

}  // namespace hurray::reference
