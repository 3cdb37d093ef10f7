// Everything that a report tells about one run, and its renderings.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "harness/baseline.h"
#include "harness/certificate.h"
#include "harness/health.h"
#include "harness/runner.h"
#include "harness/score.h"

namespace hurray::harness {

inline constexpr std::string_view suite_version = "0.1.0";
inline constexpr std::string_view specification = "Hurray 1.0 draft";

struct Report {
  const generators::Matrix& matrix;
  const RunOutcome& outcome;
  const Scorer& scorer;
  const Certificate& certificate;
  const std::vector<Baseline>& baselines;
  std::string reader_options;  // as typed, to reproduce a failure: --reader './mine'
  std::string narrowed;        // how the run was less than the whole matrix; empty where it was not
  std::vector<std::string> stale_expectations;
  std::vector<HealthEntry> health{};  // of the suite; empty where it was not asked for
};

/// Counts of rules by judgement, in one row of a table.
struct RuleRow {
  std::string name;
  std::size_t rules = 0, cases = 0;
  std::array<std::size_t, rule_judgement_names.size()> judged{};
};
/// By page of the specification, in the register's order; rules that no reader test can show are left out.
[[nodiscard]] std::vector<RuleRow> rows_by_page(const Scorer& scorer);
/// By class of duty; `explicit duty to reject` first.
[[nodiscard]] std::vector<RuleRow> rows_by_class(const Scorer& scorer);

[[nodiscard]] std::string class_title(facts::RuleClass rule_class);
[[nodiscard]] std::string class_name(facts::RuleClass rule_class);
[[nodiscard]] std::string expectation_text(const generators::Expectation& expectation);
[[nodiscard]] std::string_view surface_name(facts::Surface surface);
[[nodiscard]] std::string_view mode_name(facts::Mode mode);
/// The command that asks this one question again.
[[nodiscard]] std::string reproduction(const Report& report, const Result& result);
/// The valid twin of a case: its base on the same surface; null where the matrix has none.
[[nodiscard]] const generators::Case* twin_of(const generators::Matrix& matrix, const generators::Case& c);

/// `all`: every case, not only those that are no plain pass.
[[nodiscard]] std::string render_json(const Report& report, bool all);
[[nodiscard]] std::string render_junit(const Report& report);
[[nodiscard]] std::string render_markdown(const Report& report);
[[nodiscard]] std::string render_html(const Report& report);
/// Tables for a terminal; colours only where `coloured`.
[[nodiscard]] std::string render_terminal(const Report& report, bool coloured);

}  // namespace hurray::harness
