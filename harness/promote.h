// A finding becomes a case: its bytes as an edit of a valid twin that is as near as can be found.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "generators/matrix.h"

namespace hurray::harness {

struct Finding {
  std::vector<std::uint8_t> bytes;
  facts::Surface surface = facts::Surface::bare;
  std::string rule, name, why;
};

struct Promotion {
  nlohmann::json base, entry;   // for conformance/bases/promoted.json and conformance/cases/promoted.json
  std::string twin;             // how far the twin is, in words
  std::string error;            // not empty: it cannot be a case, and why
};

/// `number` is that of the new case; the matrix offers a twin where none is near.
[[nodiscard]] Promotion promote(const Finding& finding, const generators::Matrix& matrix, std::size_t number);

/// The id of a case with these bytes on this surface; empty where there is none.
[[nodiscard]] std::string known_case(const Finding& finding, const generators::Matrix& matrix);

/// A valid input near `bytes`: one field changed, or several one after the other. Empty where none is found.
struct Twin {
  std::vector<std::uint8_t> bytes;
  std::size_t edits = 0;
};
[[nodiscard]] Twin nearest_twin(const std::vector<std::uint8_t>& bytes, facts::Surface surface);

}  // namespace hurray::harness
