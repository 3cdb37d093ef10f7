// Which bytes of a buffer hold an element, for strided and tiled tensors of one-byte elements.
#pragma once

#include <vector>

#include "reference/descriptor.h"

namespace hurray::reference {

/// One entry for each of the `size` bytes of buffer 0: 1 where some element lies (memory-layout.md, Element Address
/// Computation). Strides may alias, so elements are not enumerated: each dimension spreads the marks of the ones before
/// it, which is exact and takes time linear in the buffer for each dimension and level of tiling.
std::vector<std::uint8_t> reachable_bytes(const Descriptor& descriptor, std::size_t size);

}  // namespace hurray::reference
