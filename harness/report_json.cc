#include "harness/report.h"

namespace hurray::harness {
namespace {

using json = nlohmann::ordered_json;

json names_of(const auto& flags, const auto& names) {
  json list = json::array();
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i]) list.push_back(names[i]);
  return list;
}

json reader_part(const Declaration& reader) {
  json part{{"name", reader.name},
            {"version", reader.version},
            {"language", reader.language},
            {"url", reader.url},
            {"surfaces", names_of(reader.surfaces, facts::surface_names)},
            {"modes", names_of(reader.modes, facts::mode_names)},
            {"types", reader.types},
            {"layouts", reader.layouts},
            {"schemes", reader.schemes},
            {"devices", reader.devices}};
  if (reader.merge)
    part["merge"] = {{"rules", reader.merge->rules}, {"combine", reader.merge->combine}, {"lookup", reader.merge->lookup}};
  return part;
}

json totals_part(const Report& report) {
  const auto counts = count_judgements(report.outcome.results);
  std::size_t failures = 0;
  for (std::size_t i = 0; i < judgement_names.size(); ++i)
    if (is_failure(static_cast<Judgement>(i))) failures += counts[i];
  json totals{{"cases", report.outcome.results.size()}, {"pass", counts[0]}, {"fail", failures}};
  for (std::size_t i = 1; i < judgement_names.size(); ++i) totals[std::string(judgement_names[i])] = counts[i];
  totals["not-run"] = counts[judgement_names.size()];
  json rules;
  for (const std::string_view name : rule_judgement_names) rules[std::string(name)] = 0;
  for (const RuleScore& score : report.scorer.rules())
    rules[std::string(name_of(score.judgement))] = rules[std::string(name_of(score.judgement))].get<int>() + 1;
  totals["rules"] = rules;
  return totals;
}

json rules_part(const Report& report) {
  json rules = json::array();
  for (const RuleScore& score : report.scorer.rules()) {
    json failed = json::array();
    for (const std::size_t i : score.failed) {
      const std::string& id = report.matrix.cases[report.outcome.results[i].task.case_index].id;
      if (failed.empty() || failed.back() != id) failed.push_back(id);
    }
    json rule{{"id", score.rule->id},
              {"level", score.rule->level},
              {"class", class_name(score.rule->rule_class)},
              {"section", score.rule->section},
              {"testable", score.rule->rule_class != facts::RuleClass::untestable},
              {"judgement", name_of(score.judgement)},
              {"cases", score.results.size()},
              {"failed", failed}};
    if (!score.why.empty()) rule["why"] = score.why;
    rules.push_back(std::move(rule));
  }
  return rules;
}

json case_part(const Report& report, const Result& result) {
  const generators::Case& c = report.matrix.cases[result.task.case_index];
  json entry{{"id", c.id},
             {"rule", c.rule},
             {"surface", surface_name(c.surface)},
             {"mode", mode_name(result.task.mode)},
             {"expect", expectation_text(c.expect[static_cast<std::size_t>(result.task.mode)])},
             {"observed", result.observed_text.empty() ? std::string(name_of(result.observed)) : result.observed_text},
             {"judgement", name_of(result.judgement)},
             {"detail", result.detail}};
  if (result.judgement == Judgement::not_applicable) entry["observed"] = nullptr;
  if (!result.reader_rule.empty()) entry["reader_rule"] = result.reader_rule;
  if (!result.reader_message.empty()) entry["reader_message"] = result.reader_message;
  if (!result.errors.empty()) entry["stderr"] = result.errors;
  if (!result.first_try.empty()) entry["flaky"] = result.first_try;
  if (result.failed()) entry["reproduce"] = reproduction(report, result);
  return entry;
}

/// Levels of a number are numbers, the others are named.
json code_of(const LevelDemand& demand) {
  const char first = demand.code.front();
  return first >= '0' && first <= '9' ? json(first - '0') : json(demand.code);
}

/// `level` at the top is the highest of the numbered levels that holds, or the first, with what is missing for it.
json certificate_part(const Certificate& certificate) {
  json levels = json::array();
  const LevelResult* shown = &certificate.levels.front();
  for (const LevelResult& level : certificate.levels) {
    if (level.holds && !level.demand->values) shown = &level;
    levels.push_back({{"level", code_of(*level.demand)},
                      {"name", level.demand->name},
                      {"holds", level.holds},
                      {"rules", level.rules},
                      {"values", level.values},
                      {"rules_without_cases", level.without_cases},
                      {"missing", level.missing}});
  }
  return {{"level", code_of(*shown->demand)}, {"holds", shown->holds}, {"missing", shown->missing}, {"levels", levels}};
}

}  // namespace

std::string render_json(const Report& report, bool all) {
  json baselines = json::object();
  for (const Baseline& baseline : report.baselines) {
    baselines[baseline.name] = {{"rules", baseline.passed_rules}, {"cases", baseline.passed_cases},
                                {"asked", baseline.asked},        {"of", baseline.of},
                                {"certified", baseline.certified}};
    if (!baseline.error.empty()) baselines[baseline.name]["error"] = baseline.error;
  }
  json cases = json::array();
  for (const Result& result : report.outcome.results)
    if (all || result.failed() || result.judgement == Judgement::disputed ||
        result.judgement == Judgement::unexpected_pass || !result.first_try.empty())
      if (result.ran) cases.push_back(case_part(report, result));
  json root{{"suite", {{"version", suite_version}, {"spec", specification}}},
            {"reader", reader_part(report.outcome.declaration)},
            {"totals", totals_part(report)},
            {"rules", rules_part(report)},
            {"cases", cases},
            {"baselines", baselines},
            {"certificate", certificate_part(report.certificate)},
            {"narrowed", report.narrowed},
            {"stale_expectations", report.stale_expectations}};
  if (!report.outcome.reader_error.empty()) root["reader_error"] = report.outcome.reader_error;
  if (report.outcome.stopped) root["interrupted"] = true;
  return root.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace hurray::harness
