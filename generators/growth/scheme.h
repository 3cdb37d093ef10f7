// Grows a quantization scheme that a float32 view of the tensor's shape allows.
#pragma once

#include "generators/grow.h"

namespace hurray::generators::growth {

/// Replaces the tensor's type by a storage type and sets its scheme. Parameter arrays need a dense layout without
/// buffers of its own: elsewhere (`plain` false) only per-tensor affine is used (AMB-16, AMB-22). A recorder aims at `like`.
void grow_scheme(Decisions& decisions, bool plain, const GrowthLimits& limits, Node& tensor, const Node& like);

}  // namespace hurray::generators::growth
