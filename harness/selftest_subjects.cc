#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "generators/corpus/isolate.h"
#include "harness/report.h"
#include "harness/selftest.h"

namespace hurray::harness {
namespace {

using generators::Case;
using generators::RuleEntry;

/// A rule that restates another, or that no case can be made for, has no check that could be waived to an effect.
bool has_own_check(const RuleEntry& rule) {
  return rule.rule_class <= facts::RuleClass::reject_should && !rule.entry.contains("same_as") && !rule.entry.contains("no_case");
}

}  // namespace

std::vector<Subject> rule_subjects(const generators::Matrix& matrix) {
  std::vector<Subject> subjects;
  for (const RuleEntry& rule : matrix.rules) {
    if (!has_own_check(rule)) continue;
    Subject subject{Subject::Kind::rule, rule.id, class_name(rule.rule_class), rule.entry.value("unkillable", ""), {}, {}};
    subject.consequences = rule.entry.value("consequences", std::vector<std::string>{});
    for (const Case& c : matrix.cases)
      if (!c.is_base() && generators::checked_rule(matrix, c.rule) == rule.id) subject.quick_cases.push_back(c.id);
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

Subjects mutant_subjects(const std::string& table) {
  Subjects read;
  std::ifstream in(table);
  const nlohmann::json entries = nlohmann::json::parse(in, nullptr, false);
  if (!entries.is_array()) {
    read.error = fmt::format("{}: cannot be read, or is no JSON array", table);
    return read;
  }
  for (const nlohmann::json& entry : entries) {
    Subject subject{Subject::Kind::mutant, entry.value("name", ""), {}, entry.value("survives", ""), {}, {}};
    subject.what = fmt::format("{}: {}", entry.value("file", ""), entry.value("why", ""));
    if (entry.contains("caught_by")) subject.quick_cases.push_back(entry.value("caught_by", ""));
    read.subjects.push_back(std::move(subject));
  }
  return read;
}

}  // namespace hurray::harness
