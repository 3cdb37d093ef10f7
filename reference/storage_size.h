// How many bytes elements take (element-types.md, Buffer Size Calculation; metadata.md, Extension Type Section).
#pragma once

#include <optional>

#include "reference/descriptor.h"
#include "reference/integer128.h"

namespace hurray::reference {

using Wide = Unsigned128;

/// Numbers beyond 2^96 are all the same: no buffer comes near.
inline constexpr Wide wide_cap = Wide{1} << 96;
Wide wide_multiply(Wide left, Wide right);
Wide wide_add(Wide left, Wide right);

/// `elements` elements share `bytes` bytes: 1 in 4 for float32, 8 in 1 for bool, 4 in 3 for 6-bit floats.
struct Packing {
  std::uint32_t elements;
  std::uint32_t bytes;
};

/// Nothing for an unknown type and for a private one whose width is no whole number of bytes.
std::optional<Packing> packing_of(const Descriptor& descriptor);

/// Bytes of `count` elements packed from the start of a byte; of the last group only the bytes that hold an element.
Wide packed_bytes(Wide count, Packing packing);

bool has_dynamic_dimension(const Descriptor& descriptor);
/// Whether some dimension is 0. A tensor of rank 0 has one element.
bool is_empty(const Descriptor& descriptor);
/// Product of the dimensions, none of which may be dynamic.
Wide element_count(const Descriptor& descriptor);

/// How far elements lie before and after element [0, …, 0], in elements.
struct Extent {
  Wide below = 0, above = 0;
};

}  // namespace hurray::reference
