// Cases that nobody wrote: models that grow, and the register's faults on them.
#pragma once

#include <cstdint>

#include "generators/matrix.h"

namespace hurray::generators {

/// Appends `count` grown models as bases, each on one surface, once more with the question for its first item's values
/// where it has any, and for each one fault that applies to it, where one of some tries does. The same seed gives the same cases. Only
/// faults that every strict reader must reject are taken; what a fault must do in strict mode holds on grown
/// models as on bases (fz_nearmiss); of permissive mode nothing is claimed.
void add_random_cases(Matrix& matrix, std::size_t count, std::uint64_t seed);

}  // namespace hurray::generators
