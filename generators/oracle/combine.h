// Adding elements in the head's type: every result that some order or intermediate precision gives.
#pragma once

#include <optional>

#include "generators/oracle.h"
#include "generators/oracle/number.h"

namespace hurray::generators {

/// The sum of `terms` (in emission order, all of element type `type`).
AdmissibleElement admissible_sum(std::uint8_t type, const std::vector<AdmissibleElement>& terms);

/// A float32 element as one of another float type. Where it was computed, both rounding through float32 and one rounding
/// of what it was before are admitted: the text leaves conversion open.
AdmissibleElement converted_from_float32(std::uint8_t type, const AdmissibleElement& element, const std::optional<Number>& unrounded);

}  // namespace hurray::generators
