// Which properties of a composite's members meet in the matrix. A reader that is right about CSR and right about overlays
// may be wrong about CSR in overlays: so all pairs of some factors, and all triples of a few, have to stand in some input
// that must be accepted. conformance/interactions.json names factors and what the format forbids.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "generators/matrix.h"

namespace hurray::generators {

/// One value of one factor, and another that meets it (three for triples).
struct Interaction {
  std::vector<std::string> factors, values;
  std::string example;  // the first case that shows it, empty where none does
};

struct InteractionReport {
  std::vector<Interaction> pairs, triples;  // all that the format allows
  std::size_t forbidden_pairs = 0, forbidden_triples = 0;  // by a sentence, or because no member can have both
  std::string error;                        // the file cannot be read or names what does not exist
};

/// Counts over the accepted cases of the matrix: every member of every composite in their views.
[[nodiscard]] InteractionReport interactions(const Matrix& matrix, const std::filesystem::path& file);

}  // namespace hurray::generators
