#include <fmt/format.h>

#include "harness/hex.h"
#include "harness/report.h"

namespace hurray::harness {
namespace {

constexpr std::size_t most_details = 50;  // the table lists every failing rule; bytes of more cases would bury it

std::string table(std::string_view title, const std::vector<RuleRow>& rows) {
  std::string text = fmt::format("| {} | rules | cases | passed | failed | disputed | n.a. | not scored |\n", title);
  text += "|---|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const RuleRow& row : rows) {
    text += fmt::format("| {} | {} | {} |", row.name, row.rules, row.cases);
    for (const std::size_t count : row.judged) text += fmt::format(" {} |", count);
    text += '\n';
  }
  return text + '\n';
}

std::string hex_block(const std::vector<generators::Segment>& segments) {
  std::string text = "```\n";
  for (const HexLine& line : hex_lines(segments, 4))
    text += fmt::format("{} {:>6x}  {:<48} {}{}\n", line.edited ? '>' : ' ', line.at, line.bytes, line.label,
                        line.value.empty() ? "" : " = " + line.value);
  return text + "```\n";
}

std::string failure(const Report& report, const Result& result) {
  const generators::Case& c = report.matrix.cases[result.task.case_index];
  std::string text = fmt::format("### {} ({}, {})\n\n", c.id, surface_name(c.surface), mode_name(result.task.mode));
  for (const generators::RuleEntry& rule : report.matrix.rules)
    if (rule.id == c.rule) text += fmt::format("{} - {} ({})\n\n", rule.id, rule.says, rule.section);
  text += fmt::format("Expected {}, observed {}: {}\n\n",
                      expectation_text(c.expect[static_cast<std::size_t>(result.task.mode)]), result.observed_text, result.detail);
  text += fmt::format("`{}`\n\nInput:\n{}", reproduction(report, result), hex_block(c.segments));
  if (const generators::Case* twin = twin_of(report.matrix, c))
    text += fmt::format("Valid twin {}:\n{}", twin->id, hex_block(marked_twin(c.segments, twin->segments)));
  if (!result.errors.empty()) text += fmt::format("stderr:\n```\n{}\n```\n", result.errors);
  return text + '\n';
}

}  // namespace

std::string render_markdown(const Report& report) {
  const Declaration& reader = report.outcome.declaration;
  std::string text = fmt::format("# {} {}\n\nJudged by hurray-conform {} against the {}.\n\n", reader.name, reader.version,
                                 suite_version, specification);
  for (const LevelResult& level : report.certificate.levels)
    text += fmt::format("- Certificate level {} ({}): **{}**\n", level.demand->code, level.demand->name,
                        level.holds ? "holds" : "does not hold");
  text += '\n' + table("page", rows_by_page(report.scorer)) + table("class of duty", rows_by_class(report.scorer));
  text += "| reader that does not read | rules | cases | asked |\n|---|--:|--:|--:|\n";
  for (const Baseline& baseline : report.baselines)
    text += fmt::format("| {} | {} | {} | {} of {} |\n", baseline.name, baseline.passed_rules, baseline.passed_cases,
                        baseline.asked, baseline.of);
  text += "\n## Failures\n\n";
  std::size_t shown = 0, total = 0;
  for (const Result& result : report.outcome.results)
    if (result.failed() && ++total <= most_details) {
      text += failure(report, result);
      ++shown;
    }
  if (total == 0) text += "None.\n";
  if (total > shown) text += fmt::format("… and {} more; the JSON report lists them all.\n", total - shown);
  if (!report.health.empty()) text += render_health_markdown(report.health);
  return text;
}

}  // namespace hurray::harness
