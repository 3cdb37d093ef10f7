#include "harness/report.h"

#include <fmt/format.h>

#include <algorithm>

namespace hurray::harness {
namespace {

using facts::RuleClass;

std::string page_of(const generators::RuleEntry& rule) { return rule.section.substr(0, rule.section.find(' ')); }

template <typename NameOf>
std::vector<RuleRow> rows(const Scorer& scorer, NameOf name_of_rule) {
  std::vector<RuleRow> table;
  for (const RuleScore& score : scorer.rules()) {
    if (score.rule->rule_class == RuleClass::untestable) continue;
    const std::string name = name_of_rule(*score.rule);
    auto row = std::find_if(table.begin(), table.end(), [&](const RuleRow& r) { return r.name == name; });
    if (row == table.end()) row = table.insert(table.end(), RuleRow{name, 0, 0, {}});
    ++row->rules;
    row->cases += score.results.size();
    ++row->judged[static_cast<std::size_t>(score.judgement)];
  }
  return table;
}

}  // namespace

std::vector<RuleRow> rows_by_page(const Scorer& scorer) {
  std::vector<RuleRow> table = rows(scorer, page_of);
  std::stable_sort(table.begin(), table.end(), [](const RuleRow& a, const RuleRow& b) { return a.name < b.name; });
  return table;
}

std::vector<RuleRow> rows_by_class(const Scorer& scorer) {
  std::vector<RuleRow> table;
  const std::vector<RuleRow> found = rows(scorer, [](const generators::RuleEntry& rule) { return class_title(rule.rule_class); });
  for (std::size_t i = 0; i < static_cast<std::size_t>(RuleClass::untestable); ++i)
    for (const RuleRow& row : found)
      if (row.name == class_title(static_cast<RuleClass>(i))) table.push_back(row);
  return table;
}

std::string class_title(RuleClass rule_class) {
  switch (rule_class) {
    case RuleClass::reject: return "explicit duty to reject";
    case RuleClass::reject_implied: return "declared invalid, rejection implied";
    case RuleClass::reject_should: return "SHOULD validate";
    case RuleClass::either: return "text leaves it open";
    case RuleClass::accept: return "must be accepted";
    case RuleClass::behaviour: return "behaviour";
    case RuleClass::untestable: return "no reader test can show it";
  }
  return {};
}

std::string class_name(RuleClass rule_class) {
  switch (rule_class) {
    case RuleClass::reject: return "reject";
    case RuleClass::reject_implied: return "reject-implied";
    case RuleClass::reject_should: return "reject-should";
    case RuleClass::either: return "either";
    case RuleClass::accept: return "accept";
    case RuleClass::behaviour: return "behaviour";
    case RuleClass::untestable: return "untestable";
  }
  return {};
}

std::string expectation_text(const generators::Expectation& expectation) {
  switch (expectation.verdict) {
    case generators::Verdict::accept: return "accept";
    case generators::Verdict::reject: return "reject";
    case generators::Verdict::either: return fmt::format("either ({})", expectation.reading);
  }
  return {};
}

std::string_view surface_name(facts::Surface surface) { return facts::surface_names[static_cast<std::size_t>(surface)]; }
std::string_view mode_name(facts::Mode mode) { return facts::mode_names[static_cast<std::size_t>(mode)]; }

std::string reproduction(const Report& report, const Result& result) {
  const generators::Case& c = report.matrix.cases[result.task.case_index];
  return fmt::format("hurray-conform run {} --case '{}' --surface {} --mode {}", report.reader_options, c.id,
                     surface_name(c.surface), mode_name(result.task.mode));
}

const generators::Case* twin_of(const generators::Matrix& matrix, const generators::Case& c) {
  if (c.is_base()) return nullptr;
  for (const generators::Case& base : matrix.cases)
    if (base.is_base() && base.surface == c.surface && base.id == c.base) return &base;
  return nullptr;
}

}  // namespace hurray::harness
