// Inputs of the targets of decisions that grow a given model again, or the nearest that growth has.
#pragma once

#include <string_view>
#include <vector>

#include "generators/model.h"

namespace hurray::fuzz {

/// The targets whose inputs are decisions behind a prefix.
inline constexpr std::string_view decision_targets[] = {"fz_diff", "fz_merge", "fz_metamorph", "fz_nearmiss", "fz_tree"};

/// An input of that target. Of what its prefix chooses (carrier, law, fault, place) `choice` picks one.
[[nodiscard]] std::vector<std::uint8_t> seed_for(std::string_view target, const generators::Model& model, std::size_t choice);

}  // namespace hurray::fuzz
