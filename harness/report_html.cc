// One page that needs nothing else: no script, no style sheet, no image from elsewhere.
#include <fmt/format.h>

#include "harness/escape.h"
#include "harness/hex.h"
#include "harness/report.h"

namespace hurray::harness {
namespace {

constexpr std::size_t details_per_rule = 3;  // more examples of one rule add bytes, no insight; all are in the list

constexpr std::string_view page_head = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>
body{{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}}
h1{{font-size:1.6rem}}h2{{font-size:1.25rem;margin-top:2.5rem}}h3{{font-size:1.05rem;margin:1.5rem 0 .3rem}}
table{{border-collapse:collapse;margin:.8rem 0}}th,td{{padding:.2rem .7rem;border-bottom:1px solid #ddd;text-align:right}}
th:first-child,td:first-child{{text-align:left}}.bad{{color:#a40000;font-weight:600}}.good{{color:#1b6e1b;font-weight:600}}
pre{{background:#f6f6f6;padding:.6rem;overflow-x:auto;font:13px/1.35 ui-monospace,monospace}}mark{{background:#ffd966}}
code{{background:#f2f2f2;padding:0 .2rem}}details{{border-left:3px solid #ccc;padding-left:.8rem;margin:.6rem 0}}
summary{{cursor:pointer}}.twins{{display:flex;flex-wrap:wrap;gap:1rem}}.twins>div{{flex:1 1 30rem;min-width:0}}
</style></head><body>
)";

std::string table(std::string_view title, const std::vector<RuleRow>& rows) {
  std::string text = fmt::format(
      "<table><tr><th>{}<th>rules<th>cases<th>passed<th>failed<th>disputed<th>not applicable<th>not scored</tr>\n", title);
  for (const RuleRow& row : rows) {
    text += fmt::format("<tr><td>{}<td>{}<td>{}", escaped(row.name), row.rules, row.cases);
    for (std::size_t i = 0; i < row.judged.size(); ++i) {
      const bool bad = i == static_cast<std::size_t>(RuleJudgement::fail) && row.judged[i] != 0;
      text += fmt::format("<td{}>{}", bad ? " class=bad" : "", row.judged[i]);
    }
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

std::string hex_block(const std::vector<generators::Segment>& segments) {
  std::string text = "<pre>";
  for (const HexLine& line : hex_lines(segments, 6)) {
    const std::string content = fmt::format("{:>6x}  {:<48} {}{}", line.at, line.bytes, escaped(line.label),
                                            line.value.empty() ? "" : " = " + line.value);
    text += line.edited ? fmt::format("<mark>{}</mark>\n", content) : content + "\n";
  }
  return text + "</pre>\n";
}

std::string edit_text(const generators::Case& c) {
  std::string text;
  for (const nlohmann::json& edit : c.edit)
    text += fmt::format("<code>{}</code> ", escaped(edit.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  return text;
}

std::string failure(const Report& report, const Result& result) {
  const generators::Case& c = report.matrix.cases[result.task.case_index];
  std::string text = fmt::format(
      "<details><summary><b>{}</b> on {}, {} mode: <span class=bad>{}</span></summary>\n"
      "<p>Expected <b>{}</b>, observed <b>{}</b>: {}</p>\n",
      escaped(c.id), surface_name(c.surface), mode_name(result.task.mode), name_of(result.judgement),
      escaped(expectation_text(c.expect[static_cast<std::size_t>(result.task.mode)])), escaped(result.observed_text),
      escaped(result.detail));
  if (!result.reader_message.empty() || !result.reader_rule.empty())
    text += fmt::format("<p>The reader said: {} {}</p>\n", escaped(result.reader_rule), escaped(result.reader_message));
  if (!result.first_try.empty())
    text += fmt::format("<p>The first try came out differently: {}</p>\n", escaped(result.first_try));
  if (!c.notes.empty()) text += fmt::format("<p>{}</p>\n", escaped(c.notes));
  if (!c.edit.empty()) text += fmt::format("<p>The edit that separates it from its valid twin: {}</p>\n", edit_text(c));
  text += fmt::format("<p>Ask again: <code>{}</code></p>\n", escaped(reproduction(report, result)));
  text += fmt::format("<div class=twins><div>Input{}", hex_block(c.segments));
  if (const generators::Case* twin = twin_of(report.matrix, c))
    text += fmt::format("</div><div>Valid twin <code>{}</code>{}", escaped(twin->id),
                        hex_block(marked_twin(c.segments, twin->segments)));
  text += "</div></div>\n";
  if (!result.errors.empty()) text += fmt::format("<p>The end of its stderr:</p><pre>{}</pre>\n", escaped(result.errors));
  return text + "</details>\n";
}

std::string failing_rule(const Report& report, const RuleScore& score) {
  std::string text = fmt::format("<h3 id=\"{0}\">{0} <small>{1}, {2}</small></h3>\n<p>{3}<br><small>{4}</small></p>\n",
                                 escaped(score.rule->id), escaped(score.rule->level), class_title(score.rule->rule_class),
                                 escaped(score.rule->says), escaped(score.rule->section));
  for (std::size_t i = 0; i < score.failed.size() && i < details_per_rule; ++i)
    text += failure(report, report.outcome.results[score.failed[i]]);
  if (score.failed.size() <= details_per_rule) return text;
  text += "<details><summary>and as well</summary><ul>\n";
  for (std::size_t i = details_per_rule; i < score.failed.size(); ++i) {
    const Result& result = report.outcome.results[score.failed[i]];
    text += fmt::format("<li>{}: <code>{}</code></li>\n", escaped(result.detail), escaped(reproduction(report, result)));
  }
  return text + "</ul></details>\n";
}

std::string failures(const Report& report) {
  std::string text = "<h2>Failures</h2>\n";
  const std::size_t before = text.size();
  std::string bases;
  for (const std::size_t i : report.scorer.bases())
    if (report.outcome.results[i].failed()) bases += failure(report, report.outcome.results[i]);
  if (!bases.empty()) text += "<h3>Valid inputs</h3>\n" + bases;
  for (const RuleScore& score : report.scorer.rules())
    if (!score.failed.empty()) text += failing_rule(report, score);
  return text.size() == before ? text + "<p>None.</p>\n" : text;
}

std::string certificates(const Report& report) {
  std::string text = "<h2>Certificate</h2>\n";
  for (const LevelResult& level : report.certificate.levels) {
    text += fmt::format("<p>Level {} ({}): <span class={}>{}</span></p>\n", level.demand->code, level.demand->name,
                        level.holds ? "good" : "bad", level.holds ? "holds" : "does not hold");
    if (level.missing.empty()) continue;
    text += fmt::format("<details><summary>{} things are missing</summary><ul>\n", level.missing.size());
    for (const std::string& line : level.missing) text += fmt::format("<li>{}</li>\n", escaped(line));
    text += "</ul></details>\n";
  }
  return text;
}

std::string rules(const Report& report) {
  std::string text = "<h2>All rules</h2>\n<details><summary>Every rule with its judgement</summary><table>"
                     "<tr><th>rule<th>class<th>cases<th>failed<th>judgement</tr>\n";
  for (const RuleScore& score : report.scorer.rules()) {
    if (score.rule->rule_class == facts::RuleClass::untestable) continue;
    const bool failed = score.judgement == RuleJudgement::fail;
    text += fmt::format("<tr><td title=\"{}\">{}<td>{}<td>{}<td>{}<td{} title=\"{}\">{}</tr>\n", escaped(score.rule->says),
                        failed ? fmt::format("<a href=\"#{0}\">{0}</a>", escaped(score.rule->id)) : escaped(score.rule->id),
                        class_name(score.rule->rule_class), score.results.size(), score.failed.size(),
                        failed ? " class=bad" : "", escaped(score.why), name_of(score.judgement));
  }
  return text + "</table></details>\n";
}

std::string baselines(const Report& report) {
  std::string text = "<h2>Readers that do not read</h2>\n<p>The same matrix put to readers that never look at the input. "
                     "What they score is what a verdict alone is worth.</p>\n"
                     "<table><tr><th>reader<th>rules passed<th>cases passed<th>cases asked<th>certificate</tr>\n";
  for (const Baseline& baseline : report.baselines)
    text += fmt::format("<tr><td>{}<td>{}<td>{}<td>{} of {}<td>{}</tr>\n", baseline.name, baseline.passed_rules,
                        baseline.passed_cases, baseline.asked, baseline.of, baseline.certified ? "yes" : "no");
  return text + "</table>\n";
}

}  // namespace

std::string render_html(const Report& report) {
  const Declaration& reader = report.outcome.declaration;
  const std::string title = fmt::format("{} {}", reader.name, reader.version);
  std::string text = fmt::format(page_head, fmt::arg("title", escaped(title)));
  text += fmt::format("<h1>{}</h1>\n<p>Judged by hurray-conform {} against the {}{}.</p>\n", escaped(title), suite_version,
                      specification, report.narrowed.empty() ? "" : fmt::format(" ({})", escaped(report.narrowed)));
  if (!report.outcome.reader_error.empty())
    text += fmt::format("<p class=bad>{}</p>\n", escaped(report.outcome.reader_error));
  text += certificates(report);
  text += "<h2>Verdicts by section</h2>\n" + table("page of the specification", rows_by_page(report.scorer));
  text += table("class of duty", rows_by_class(report.scorer));
  text += failures(report) + baselines(report) + rules(report);
  if (!report.health.empty()) text += render_health_html(report.health);
  return text + "</body></html>\n";
}

}  // namespace hurray::harness
