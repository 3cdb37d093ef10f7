// Which cases of the matrix a run, or a listing, is about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generators/matrix.h"

namespace hurray::harness {

/// One question: a case of the matrix read in one mode.
struct Task {
  std::uint32_t case_index = 0;
  facts::Mode mode = facts::Mode::strict;
};

struct Shard {
  std::uint32_t number = 1, of = 1;  // 1-based
};

struct Selection {
  std::vector<std::string> surfaces, modes;  // empty: all
  std::vector<std::string> rules;            // globs; empty: all
  std::vector<std::string> cases;            // exact ids or base names; empty: all
  std::optional<std::string> level;                  // what that certificate level rests on
  Shard shard;

  /// Whether anything is left out.
  bool narrows() const;
};

/// Reads "k/n". Empty string, or what is wrong.
[[nodiscard]] std::string parse_shard(const std::string& text, Shard& shard);

/// The tasks of the selected cases and of their valid twins, in matrix order. Empty `error` unless a case, rule or level
/// names nothing.
struct Selected {
  std::vector<Task> tasks;
  std::string error;
};
[[nodiscard]] Selected select(const generators::Matrix& matrix, const Selection& selection);

/// `id` as the person wrote it, or the ids that are closest to it, for error messages.
[[nodiscard]] std::string unknown_case(const generators::Matrix& matrix, const std::string& id);

}  // namespace hurray::harness
