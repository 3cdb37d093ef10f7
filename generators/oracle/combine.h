// Adding elements in the head's type: every result that some order or intermediate precision gives.
#pragma once

#include "generators/oracle.h"

namespace hurray::generators {

/// The sum of `terms` (in emission order, all of element type `type`).
AdmissibleElement admissible_sum(std::uint8_t type, const std::vector<AdmissibleElement>& terms);

/// A float32 element as one of another float type; both one rounding and rounding through float32 are admitted.
AdmissibleElement converted_from_float32(std::uint8_t type, const AdmissibleElement& element);

}  // namespace hurray::generators
