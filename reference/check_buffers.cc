#include "reference/buffer_checks.h"

namespace hurray::reference {

std::optional<std::uint64_t> first_decrease(const U64Array& numbers, std::uint64_t count) {
  for (std::uint64_t k = 1; k <= count; ++k)
    if (numbers[k] < numbers[k - 1]) return k;
  return std::nullopt;
}

std::optional<std::uint64_t> first_not_above(const U64Array& numbers, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t position = begin + 1; position < end; ++position)
    if (numbers[position] <= numbers[position - 1]) return position;
  return std::nullopt;
}

BufferOutcome check_buffers(const Descriptor& descriptor, std::span<const Bytes> buffers,
                            std::span<const std::uint64_t> positions, const Waivers& waivers) {
  if (descriptor.opaque || descriptor.buffer_count == 0) return {};
  BufferChecks checks{descriptor, buffers, positions, Checks(waivers)};
  const std::uint8_t tag = descriptor.layout_tag;
  if (tag == facts::layout_tag::coo || tag == facts::layout_tag::csr || tag == facts::layout_tag::csc)
    check_sparse_structure(checks);
  if (tag == facts::layout_tag::csf) check_fiber_structure(checks);
  if (tag == facts::layout_tag::block_paged) check_block_table(checks);
  if (descriptor.has(facts::flag::quantization)) check_quantization_parameters(checks);
  check_element_codes(checks);
  return {checks.check.first(), checks.check.lawful()};
}

}  // namespace hurray::reference
