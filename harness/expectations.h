// The failures that a reader's own project knows of: a file in its repository, kept honest by the runner.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "generators/matrix.h"
#include "harness/results.h"

namespace hurray::harness {

/// One entry: a case or a rule, perhaps on one surface or in one mode only, and why it fails.
struct KnownFailure {
  std::string case_id, rule, surface, mode, why;
  bool covers(const generators::Case& c, facts::Mode mode) const;
  std::string text() const;
};

struct Expectations {
  std::vector<KnownFailure> entries;
  std::string error;  // not empty: file and what is wrong with it
};

/// Reads a JSON array of {"case"|"rule": …, "surface"?: …, "mode"?: …, "why": …}.
[[nodiscard]] Expectations read_expectations(const std::filesystem::path& file);

/// Marks known failures and unexpected passes in `results`. Returns one line for every entry that is out of date: it
/// matches nothing in the matrix, or everything it matches was run and passed.
[[nodiscard]] std::vector<std::string> apply_expectations(const Expectations& expectations,
                                                          const generators::Matrix& matrix, std::vector<Result>& results);

}  // namespace hurray::harness
