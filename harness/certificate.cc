#include "harness/certificate.h"

#include <fmt/format.h>

#include <algorithm>

namespace hurray::harness {
namespace {

using generators::Case;

std::string place_of(const Case& c, const Result& result) {
  return fmt::format("{} [{}, {}]", c.id, facts::surface_names[static_cast<std::size_t>(c.surface)],
                     facts::mode_names[static_cast<std::size_t>(result.task.mode)]);
}

bool in_reach(const LevelDemand& demand, const Case& c, const Result& result) {
  return demand.surfaces[static_cast<std::size_t>(c.surface)] && demand.modes[static_cast<std::size_t>(result.task.mode)];
}

void need_declaration(LevelResult& level, const Declaration& declaration) {
  for (const std::array<bool, 4>& group : level.demand->one_of) {
    bool any = false;
    std::string names;
    for (std::size_t s = 0; s < group.size(); ++s) {
      any = any || (group[s] && declaration.surfaces[s]);
      if (group[s]) names += fmt::format("{}{}", names.empty() ? "" : " or ", facts::surface_names[s]);
    }
    if (!any) level.missing.push_back(fmt::format("the reader does not declare the surface {}", names));
  }
  for (std::size_t m = 0; m < facts::mode_names.size(); ++m)
    if (level.demand->modes[m] && !declaration.modes[m])
      level.missing.push_back(fmt::format("the reader does not declare the mode {}", facts::mode_names[m]));
}

void need_rules(LevelResult& level, const Scorer& scorer) {
  for (const RuleScore& score : scorer.rules()) {
    if (!level.demand->rests_on(score.rule->rule_class)) continue;
    switch (score.judgement) {
      case RuleJudgement::pass: ++level.rules; break;
      case RuleJudgement::fail:
        ++level.rules;
        level.missing.push_back(fmt::format("{} fails", score.rule->id));
        break;
      case RuleJudgement::not_scored:
        if (score.results.empty()) ++level.without_cases;
        else level.missing.push_back(fmt::format("{} is not scored: {}", score.rule->id, score.why));
        break;
      case RuleJudgement::disputed:
      case RuleJudgement::not_applicable: break;
    }
  }
}

void need_answers(LevelResult& level, const generators::Matrix& matrix, const std::vector<Result>& results) {
  for (const Result& result : results) {
    const Case& c = matrix.cases[result.task.case_index];
    if (!in_reach(*level.demand, c, result) || !result.ran) continue;
    if (c.is_base() && result.failed())
      level.missing.push_back(fmt::format("the valid input {}: {}", place_of(c, result), result.detail));
    else if (is_breakdown(result.observed) && result.failed())
      level.missing.push_back(fmt::format("{}: {}", place_of(c, result), result.observed_text));
    else if (result.first_try_unstable)
      level.missing.push_back(fmt::format("{} came out differently on a fresh child", place_of(c, result)));
  }
}

/// All of merging: who declares less is judged on that much, and holds no certificate of it.
void need_merging(LevelResult& level, const Declaration& declaration) {
  if (!declaration.merge) return level.missing.push_back("the reader does not declare merge");
  for (const std::string_view rule : {"partition", "overlay"})
    if (declaration.merge->rules.count(rule) == 0) level.missing.push_back(fmt::format("the reader does not declare merging a {}", rule));
  for (const std::string_view combine : {"replace", "add"})
    if (declaration.merge->combine.count(combine) == 0) level.missing.push_back(fmt::format("the reader does not declare merging by {}", combine));
  if (!declaration.merge->lookup) level.missing.push_back("the reader does not declare lookup");
}

void need_values(LevelResult& level, const generators::Matrix& matrix, const std::vector<Result>& results) {
  for (const Result& result : results) {
    const Case& c = matrix.cases[result.task.case_index];
    if (c.question.kind == generators::ValueQuestion::Kind::none || !in_reach(*level.demand, c, result) || !result.ran) continue;
    if (result.judgement != Judgement::not_applicable) ++level.values;
    if (result.failed()) level.missing.push_back(fmt::format("{}: {}", place_of(c, result), result.detail));
    else if (result.first_try_unstable) level.missing.push_back(fmt::format("{} came out differently on a fresh child", place_of(c, result)));
  }
  if (level.values == 0) level.missing.push_back("no value was asked");
}

/// A verdict alone does not show that an input was understood.
void need_views(LevelResult& level, const generators::Matrix& matrix, const std::vector<Result>& results) {
  const auto unseen = std::count_if(results.begin(), results.end(), [&](const Result& result) {
    return result.ran && result.unseen && in_reach(*level.demand, matrix.cases[result.task.case_index], result);
  });
  if (unseen > 0) level.missing.push_back(fmt::format("{} accepted inputs came without a view of what was understood", unseen));
}

LevelResult judge_level(const LevelDemand& demand, const generators::Matrix& matrix, const RunOutcome& outcome,
                        const std::string& narrowed) {
  LevelResult level;
  level.demand = &demand;
  if (!outcome.declaration.can_certify) level.missing.push_back("the exec door cannot certify; use --reader");
  if (!outcome.reader_error.empty()) level.missing.push_back(outcome.reader_error);
  if (outcome.stopped) level.missing.push_back("the run was interrupted");
  if (!narrowed.empty()) level.missing.push_back(fmt::format("the run was narrowed ({}); a certificate needs the whole matrix", narrowed));
  need_declaration(level, outcome.declaration);
  if (demand.values) {
    need_merging(level, outcome.declaration);
    need_values(level, matrix, outcome.results);
    level.holds = level.missing.empty();
    return level;
  }
  const Scorer scorer(matrix, outcome.results,
                      [&](const Case& c, const Result& result) { return in_reach(demand, c, result); });
  need_rules(level, scorer);
  need_answers(level, matrix, outcome.results);
  need_views(level, matrix, outcome.results);
  if (level.rules == 0) level.missing.push_back("no rule of this level was scored");
  level.holds = level.missing.empty();
  return level;
}

}  // namespace

bool Certificate::holds(std::string_view code) const {
  return std::any_of(levels.begin(), levels.end(), [&](const LevelResult& level) { return level.demand->code == code && level.holds; });
}

bool Certificate::any() const {
  return std::any_of(levels.begin(), levels.end(), [](const LevelResult& level) { return level.holds; });
}

Certificate certify(const generators::Matrix& matrix, const RunOutcome& outcome, const std::string& narrowed) {
  Certificate certificate;
  for (const LevelDemand& demand : level_demands) {
    LevelResult level = judge_level(demand, matrix, outcome, narrowed);
    if (!demand.below.empty() && !certificate.holds(demand.below)) level.missing.insert(level.missing.begin(), fmt::format("level {}", demand.below));
    level.holds = level.missing.empty();
    certificate.levels.push_back(std::move(level));
  }
  return certificate;
}

}  // namespace hurray::harness
