// The values of a tensor, a partition or an overlay (layouts/composite.md, Composition Semantics), exact to the bit.
#pragma once

#include "reference/read.h"

// What a value is:
// - Partition: the value of the one member that holds the index. Bits are copied.
// - Overlay, replace: the last member in emission order that covers the index. Bits are copied. A sparse correction covers
//   only what it stores, zeros included; elsewhere the member below shows through (AMB-09, conformance/decisions/0003).
// - Overlay, add: the base plus each covering correction in emission order, every sum rounded to nearest even in the head's
//   type; integers wrap, bool is the logical or; unstored coordinates of a sparse correction contribute nothing (AMB-12,
//   conformance/decisions/0004).
// - A sparse tensor is zero where it stores nothing. A nested head is its own view, evaluated first.
// - A quantized tensor is float32; under a head of another floating-point type that value is rounded to it (AMB-01).
// Only readable tensors have values (Tensor::readable): nothing is checked again here. Memory: nested heads under add are
// evaluated into scratch space of their view's size, which never exceeds the enclosing one's.

namespace hurray::reference {

enum class ValueStatus : std::uint8_t {
  ok,
  no_values,     // not readable: a group, a torn composite, an unknown type or layout, a dynamic dimension
  out_of_range,  // the index lies outside the shape, or the tensor does not exist
  too_large,     // the dense view does not fit `out`
};

/// Bytes of the dense row-major view of tensor `tensor`, packed as its element type packs; a quantized plain tensor
/// is seen in float32, everything else in its own type_tag. Empty where there are no values or the size does not fit 64 bits.
[[nodiscard]] std::optional<std::uint64_t> merged_size(const Reading& reading, std::uint32_t tensor);

/// Writes that view. `out` must have merged_size bytes; padding bits of the last byte or group are zero.
[[nodiscard]] ValueStatus merge(const Reading& reading, std::uint32_t tensor, std::span<std::uint8_t> out);

/// One element in its own whole bytes (sub-byte types: in the low bits of one byte). `out` must have 16 bytes;
/// `size` receives how many are meant.
[[nodiscard]] ValueStatus lookup(const Reading& reading, std::uint32_t tensor, std::span<const std::uint64_t> index,
                                 std::span<std::uint8_t> out, std::size_t& size);

}  // namespace hurray::reference
