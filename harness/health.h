// How far the suite itself can be trusted: what its own proofs came to. Shown on every report that is asked for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/baseline.h"

namespace hurray::harness {

/// One thing that was, or should have been, measured.
struct HealthEntry {
  enum class State : std::uint8_t { good, bad, missing, told } state = State::missing;  // told: a figure without a verdict
  std::string subject, text;
  std::vector<std::string> details;  // survivors, missed files, readings …
};

/// From `folder` (where ./dev writes its reports): selftest.json, coverage.json, second-opinions.json; from the data:
/// rules by class, open readings, interactions; from the run: the readers that do not read. What is not there, or cannot be
/// read, is an entry that says so and how to make it.
[[nodiscard]] std::vector<HealthEntry> suite_health(const std::filesystem::path& folder, const std::filesystem::path& data,
                                                    const generators::Matrix& matrix, const std::vector<Baseline>& baselines);

[[nodiscard]] std::string render_health_markdown(const std::vector<HealthEntry>& health);
[[nodiscard]] std::string render_health_html(const std::vector<HealthEntry>& health);

}  // namespace hurray::harness
