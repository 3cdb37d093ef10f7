#include <nlohmann/json.hpp>

#include "harness/report.h"
#include "harness/selftest.h"

namespace hurray::harness {
namespace {

using json = nlohmann::ordered_json;

json row(const Subject& subject, const Kill& kill) {
  json entry{{subject.kind == Subject::Kind::rule ? "rule" : "mutant", subject.name}, {"what", subject.what}, {"killed", kill.killed}};
  if (kill.only_disputed) entry["only_disputed"] = true;
  if (!subject.unkillable.empty()) entry["unkillable"] = subject.unkillable;
  if (!kill.error.empty()) entry["error"] = kill.error;
  entry["cases"] = kill.cases;
  if (!kill.consequences.empty()) entry["consequences"] = kill.consequences;
  if (!kill.unexpected.empty()) entry["unexpected"] = kill.unexpected;
  if (!kill.stale.empty()) entry["stale"] = kill.stale;
  return entry;
}

json part(const SelftestPlan& plan, const SelftestOutcome& outcome, Subject::Kind kind) {
  const SelftestOutcome::Count count = outcome.count(plan.subjects, kind);
  json rows = json::array(), survivors = json::array();
  for (std::size_t i = 0; i < plan.subjects.size(); ++i) {
    if (plan.subjects[i].kind != kind) continue;
    rows.push_back(row(plan.subjects[i], outcome.kills[i]));
    if (!outcome.kills[i].killed) survivors.push_back(plan.subjects[i].name);
  }
  return {{"total", count.total}, {"killed", count.killed}, {"unkillable", count.unkillable}, {"survivors", survivors}, {"matrix", rows}};
}

}  // namespace

std::string render_selftest_json(const SelftestPlan& plan, const SelftestOutcome& outcome) {
  const json root{{"suite", {{"version", suite_version}, {"spec", specification}}},
                  {"quick", outcome.quick},
                  {"seconds", outcome.seconds},
                  {"false_alarms", outcome.false_alarms},
                  {"rules", part(plan, outcome, Subject::Kind::rule)},
                  {"mutants", part(plan, outcome, Subject::Kind::mutant)}};
  return root.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace hurray::harness
