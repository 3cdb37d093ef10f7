// What a reader says in `ready`, and which cases that makes it answer for.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "generators/matrix.h"

namespace hurray::harness {

struct MergeDeclaration {
  std::set<std::string, std::less<>> rules, combine;
  bool lookup = false;
};

struct Declaration {
  std::string name, version, language, url;
  std::array<bool, 4> surfaces{true, true, true, true};  // by facts::Surface
  std::array<bool, 2> modes{true, true};                 // by facts::Mode
  std::set<std::string, std::less<>> types, layouts, schemes, devices;
  std::optional<MergeDeclaration> merge;
  bool shows_views = true;   // false through the exec door, which has no way to
  bool can_certify = true;
  bool may_decline = false;  // exec: nothing is declared, so `unsupported` is no failure

  bool reads(facts::Surface surface, facts::Mode mode) const {
    return surfaces[static_cast<std::size_t>(surface)] && modes[static_cast<std::size_t>(mode)];
  }
};

/// All of Tier 1 on every surface in both modes: what an absent list of `ready` means. Devices have no tiers; the
/// affine schemes are Tier 1.
[[nodiscard]] Declaration tier_one();

/// Reads `ready`. Empty string, or what is wrong with it.
[[nodiscard]] std::string parse_ready(const nlohmann::json& ready, Declaration& declaration);

/// Why the case lies outside the declaration; empty where the reader answers for it.
[[nodiscard]] std::string why_not_applicable(const generators::Case& c, facts::Mode mode, const Declaration& declaration);

}  // namespace hurray::harness
