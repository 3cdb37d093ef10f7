// A legal model with one named fault of the register: what the reference must say about it.
#pragma once

#include <optional>
#include <string>

#include "fuzz/target.h"
#include "generators/grow.h"

namespace hurray::fuzz {

/// How many faults the build embeds: those that every strict reader must reject.
[[nodiscard]] std::size_t fault_count();

/// A legal model with one fault, written.
struct BrokenInput {
  std::size_t fault = 0;  // its number
  std::string name;       // RULE/name
  facts::Surface surface = facts::Surface::bare;
  std::vector<std::uint8_t> bytes;
};

/// Takes the first fault at or after number `fault` (wrapping, a few tries) that applies to the model grown from
/// `decisions`, at the node that `choice` picks of those where it does.
[[nodiscard]] std::optional<BrokenInput> break_model(std::size_t fault, std::uint8_t choice, generators::Decisions& decisions);

enum class NearMiss : std::uint8_t { not_applicable, held, broken };

struct NearMissOutcome {
  NearMiss result = NearMiss::not_applicable;
  std::string fault;     // RULE/name of the fault that was applied
  std::string problem;   // where broken: what was expected and what came
};

/// Reads what break_model() gives: the fault's rule (or one that it forces) must be the one reported, and waiving it must make the input accepted (or leave a forced rule).
[[nodiscard]] NearMissOutcome near_miss(std::size_t fault, std::uint8_t choice, generators::Decisions& decisions);

}  // namespace hurray::fuzz
