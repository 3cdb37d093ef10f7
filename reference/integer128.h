// 128-bit integers: the bit pattern of the widest element, and room for products of 64-bit sizes and strides.
#pragma once

namespace hurray::reference {

__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;

/// The stored bits of one element, low bits first, zero above its width.
using Pattern = Unsigned128;

}  // namespace hurray::reference
