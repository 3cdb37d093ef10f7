// What the checks of buffer contents share. None of them is called for an opaque descriptor, so every buffer that the
// layout owns is there; each may still be shorter than it should be where the rule about its size is waived.
#pragma once

#include "reference/checks.h"
#include "reference/descriptor.h"

namespace hurray::reference {

struct BufferChecks {
  const Descriptor& descriptor;
  std::span<const Bytes> buffers;
  std::span<const std::uint64_t> positions;  // absolute starts
  Checks check;

  /// The whole numbers of type T in buffer `index`.
  template <typename T>
  LittleEndianArray<T> entries(std::size_t index) const {
    return {buffers[index].data(), buffers[index].size() / sizeof(T)};
  }
  /// Where in the input byte `byte` of buffer `index` lies.
  std::uint64_t at(std::size_t index, std::uint64_t byte) const { return positions[index] + byte; }
};

/// sparse_structure.cc: COO, CSR and CSC; fiber_structure.cc: CSF; block_table.cc: block-paged.
void check_sparse_structure(BufferChecks& checks);
void check_fiber_structure(BufferChecks& checks);
void check_block_table(BufferChecks& checks);
/// quantization_parameters.cc: scales and zero-points in their buffers.
void check_quantization_parameters(BufferChecks& checks);
/// element_codes.cc: bit patterns that an element may not have.
void check_element_codes(BufferChecks& checks);

/// The first k in [1, count] with numbers[k] < numbers[k - 1], or nothing: count + 1 numbers that do not decrease.
std::optional<std::uint64_t> first_decrease(const U64Array& numbers, std::uint64_t count);

/// The first position in [begin, end) whose number is not above the one before it.
std::optional<std::uint64_t> first_not_above(const U64Array& numbers, std::uint64_t begin, std::uint64_t end);

}  // namespace hurray::reference
