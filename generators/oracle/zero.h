// Which tensors have no zero to fill their gaps with.
#pragma once

#include "generators/model.h"

namespace hurray::generators {

/// float8_e8m0 has no code for zero, so what a sparse tensor of it does not store has no value that anybody could be held to.
/// True of a node that is such a tensor or holds one.
[[nodiscard]] bool lacks_a_zero(const Node& node);

}  // namespace hurray::generators
