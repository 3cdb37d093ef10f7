#include <fmt/format.h>

#include "harness/escape.h"
#include "harness/report.h"

namespace hurray::harness {
namespace {

std::string test_case(const Report& report, const Result& result) {
  const generators::Case& c = report.matrix.cases[result.task.case_index];
  const std::string head =
      fmt::format("  <testcase classname=\"{}\" name=\"{} [{}, {}]\"", escaped(c.is_base() ? "bases" : c.rule),
                  escaped(c.id), surface_name(c.surface), mode_name(result.task.mode));
  if (!result.ran) return head + "><skipped message=\"the run ended before\"/></testcase>\n";
  if (is_failure(result.judgement) || result.judgement == Judgement::unexpected_pass)
    return fmt::format("{}>\n    <failure type=\"{}\" message=\"{}\">expected {}, observed {}\n{}\n{}</failure>\n  </testcase>\n",
                       head, name_of(result.judgement), escaped(result.detail),
                       escaped(expectation_text(c.expect[static_cast<std::size_t>(result.task.mode)])),
                       escaped(result.observed_text), escaped(reproduction(report, result)), escaped(result.errors));
  if (result.judgement == Judgement::pass) return head + "/>\n";
  return fmt::format("{}><skipped message=\"{}: {}\"/></testcase>\n", head, name_of(result.judgement), escaped(result.detail));
}

}  // namespace

std::string render_junit(const Report& report) {
  const auto counts = count_judgements(report.outcome.results);
  std::size_t failures = counts[static_cast<std::size_t>(Judgement::unexpected_pass)], skipped = counts.back();
  for (std::size_t i = 1; i < judgement_names.size(); ++i) {
    const auto judgement = static_cast<Judgement>(i);
    if (is_failure(judgement)) failures += counts[i];
    else if (judgement != Judgement::unexpected_pass) skipped += counts[i];
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuite name=\"hurray-conform: {}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
                      escaped(report.outcome.declaration.name), report.outcome.results.size(), failures,
                      report.outcome.reader_error.empty() ? 0 : 1, skipped);
  for (const Result& result : report.outcome.results) text += test_case(report, result);
  if (!report.outcome.reader_error.empty())
    text += fmt::format("  <testcase classname=\"reader\" name=\"can be run\"><error message=\"{}\"/></testcase>\n",
                        escaped(report.outcome.reader_error));
  return text + "</testsuite>\n";
}

}  // namespace hurray::harness
