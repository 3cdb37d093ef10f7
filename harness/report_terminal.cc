#include <fmt/format.h>

#include "harness/report.h"

namespace hurray::harness {
namespace {

struct Style {
  std::string_view red, green, yellow, bold, plain;
};
constexpr Style coloured_style{"\033[31m", "\033[32m", "\033[33m", "\033[1m", "\033[0m"};
constexpr Style plain_style{};

std::string table(std::string_view title, const std::vector<RuleRow>& rows, const Style& style) {
  std::string text = fmt::format("{}{:<36} {:>5} {:>6} {:>6} {:>6} {:>8} {:>5} {:>10}{}\n", style.bold, title, "rules",
                                 "cases", "passed", "failed", "disputed", "n.a.", "not scored", style.plain);
  RuleRow total{"total", 0, 0, {}};
  const auto line = [&](const RuleRow& row) {
    const auto count = [&](RuleJudgement j) { return row.judged[static_cast<std::size_t>(j)]; };
    const std::size_t failed = count(RuleJudgement::fail);
    return fmt::format("{:<36} {:>5} {:>6} {:>6} {}{:>6}{} {:>8} {:>5} {:>10}\n", row.name, row.rules, row.cases,
                       count(RuleJudgement::pass), failed != 0 ? style.red : "", failed,
                       failed != 0 ? style.plain : "", count(RuleJudgement::disputed),
                       count(RuleJudgement::not_applicable), count(RuleJudgement::not_scored));
  };
  for (const RuleRow& row : rows) {
    text += line(row);
    total.rules += row.rules;
    total.cases += row.cases;
    for (std::size_t i = 0; i < row.judged.size(); ++i) total.judged[i] += row.judged[i];
  }
  return text + line(total);
}

std::string first_failures(const Report& report, const Style& style) {
  constexpr std::size_t most = 8;
  std::string text;
  std::size_t shown = 0, total = 0;
  for (const Result& result : report.outcome.results) {
    if (!result.ran || !is_failure(result.judgement)) continue;
    if (++total > most) continue;
    ++shown;
    const generators::Case& c = report.matrix.cases[result.task.case_index];
    text += fmt::format("{}{:<12}{} {} [{}, {}]\n             {}\n             {}\n", style.red, name_of(result.judgement),
                        style.plain, c.id, surface_name(c.surface), mode_name(result.task.mode), result.detail,
                        reproduction(report, result));
  }
  if (total > shown) text += fmt::format("... and {} more; --html DIR or --json FILE shows them all\n", total - shown);
  return text.empty() ? text : fmt::format("\n{}failures{}\n{}", style.bold, style.plain, text);
}

std::string baselines(const Report& report, const Style& style) {
  std::string text = fmt::format("\n{}readers that do not read{} (rules passed of the same matrix)\n", style.bold, style.plain);
  for (const Baseline& baseline : report.baselines) {
    if (!baseline.error.empty()) {
      text += fmt::format("  {:<11} could not be run: {}\n", baseline.name, baseline.error);
      continue;
    }
    const std::string sample = baseline.asked < baseline.of ? fmt::format(" (sample of {})", baseline.asked) : "";
    text += fmt::format("  {:<11} {} rules, {} of {} cases{}, {}\n", baseline.name, baseline.passed_rules,
                        baseline.passed_cases, baseline.asked, sample, baseline.certified ? "CERTIFIED" : "no certificate");
  }
  return text;
}

std::string certificates(const Report& report, const Style& style) {
  std::string text = "\n";
  for (const LevelResult& level : report.certificate.levels) {
    text += fmt::format("certificate level {} ({}): {}{}{}", level.demand->code, level.demand->name,
                        level.holds ? style.green : style.yellow, level.holds ? "holds" : "does not hold", style.plain);
    if (level.holds) text += level.demand->values ? fmt::format(", on {} values", level.values) : fmt::format(", on {} rules", level.rules);
    text += '\n';
    for (std::size_t i = 0; i < level.missing.size() && i < 3; ++i) text += fmt::format("  missing: {}\n", level.missing[i]);
    if (level.missing.size() > 3) text += fmt::format("  … and {} more\n", level.missing.size() - 3);
  }
  return text;
}

std::string remarks(const Report& report, const Style& style) {
  std::string text;
  if (!report.outcome.reader_error.empty())
    text += fmt::format("{}reader: {}{}\n", style.red, report.outcome.reader_error, style.plain);
  if (report.outcome.stopped) text += "the run was interrupted; what was judged before stands above\n";
  std::size_t flaky = 0;
  for (const Result& result : report.outcome.results) flaky += result.first_try.empty() ? 0 : 1;
  if (flaky != 0) text += fmt::format("{} cases came out differently on a fresh child (the second try stands)\n", flaky);
  for (const std::string& line : report.stale_expectations) text += fmt::format("expectations: {}\n", line);
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string render_terminal(const Report& report, bool coloured) {
  const Style& style = coloured ? coloured_style : plain_style;
  const auto counts = count_judgements(report.outcome.results);
  const Declaration& reader = report.outcome.declaration;
  std::string text = fmt::format("\n{}{} {}{} - {}\n\n", style.bold, reader.name, reader.version, style.plain, specification);
  text += table("page of the specification", rows_by_page(report.scorer), style);
  text += '\n';
  text += table("class of duty", rows_by_class(report.scorer), style);
  text += fmt::format("\n{} cases:", report.outcome.results.size());
  for (std::size_t i = 0; i < judgement_names.size(); ++i)
    if (counts[i] != 0) text += fmt::format(" {} {},", counts[i], judgement_names[i]);
  if (counts.back() != 0) text += fmt::format(" {} not run,", counts.back());
  if (text.back() == ',') text.back() = '\n';
  return text + first_failures(report, style) + baselines(report, style) + certificates(report, style) + remarks(report, style);
}

}  // namespace hurray::harness
