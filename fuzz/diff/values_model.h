// A model of what an input's tensors hold, for the oracle: so that sums and conversions are judged by what the readings
// admit, also where the input was not written from a model.
#pragma once

#include <optional>

#include "fuzz/target.h"
#include "generators/model.h"

namespace hurray::fuzz {

/// The tensor and everything below it with dense members whose elements are the reference's. Nothing where a reading leaves
/// a member's own values open (a sparse correction under replace, a NaN or a wide code out of a scheme), or where they are more than `most`.
[[nodiscard]] std::optional<generators::Node> model_of_values(const reference::Reading& reading, std::uint32_t number, std::uint64_t most);

}  // namespace hurray::fuzz
