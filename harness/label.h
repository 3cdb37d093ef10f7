// Says what every byte of an input is, as far as the bytes themselves tell: for files that come without a case. Goes by the
// format's tables alone and stops at nothing, so that broken inputs are labelled too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "generators/matrix.h"

namespace hurray::harness {

/// Labelled runs that joined give `input`. The names are those of the matrix's own inputs.
[[nodiscard]] std::vector<generators::Segment> label(std::span<const std::uint8_t> input, facts::Surface surface);

}  // namespace hurray::harness
