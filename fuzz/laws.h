// Laws that hold for every legal model, each with a precondition, and a count of how often it really applied.
#pragma once

#include <array>
#include <string_view>

#include "fuzz/target.h"
#include "generators/grow.h"

namespace hurray::fuzz {

enum class Law : std::uint8_t { permuted_members, split_member, same_on_carriers, untriggered_waiver, narrowed_violation };
inline constexpr std::array<std::string_view, 5> law_names{"permuting partition members keeps verdict and values",
                                                           "splitting a member in two keeps the values",
                                                           "bare, framed and file give one verdict",
                                                           "waiving an untriggered rule changes nothing",
                                                           "waiving the broken rule removes just its finding"};

/// Checks one law on a model grown from `decisions`; aborts with the law's name where it does not hold. Returns whether
/// the precondition was met.
bool check_law(Law law, generators::Decisions& decisions);

/// How often each law's precondition was met in this process.
const std::array<std::uint64_t, law_names.size()>& law_firings();

}  // namespace hurray::fuzz
