#include "harness/score.h"

#include <fmt/format.h>

#include <algorithm>

namespace hurray::harness {
namespace {

using generators::Case;
using generators::Verdict;

Verdict expected_of(const Case& c, facts::Mode mode) { return c.expect[static_cast<std::size_t>(mode)].verdict; }

}  // namespace

Scorer::Scorer(const generators::Matrix& matrix, const std::vector<Result>& results, const ResultFilter& filter)
    : matrix_(matrix), results_(results) {
  std::map<std::string_view, std::size_t> position;
  for (const generators::RuleEntry& rule : matrix.rules) {
    position[rule.id] = rules_.size();
    rules_.push_back({&rule, RuleJudgement::not_scored, {}, {}, {}});
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& result = results[i];
    const Case& c = matrix.cases[result.task.case_index];
    if (filter && !filter(c, result)) continue;
    if (c.is_base()) {
      bases_.push_back(i);
      base_results_[{c.id, {c.surface, result.task.mode}}] = &result;
    } else if (const auto rule = position.find(c.rule); rule != position.end()) {
      rules_[rule->second].results.push_back(i);
      if (result.failed()) rules_[rule->second].failed.push_back(i);
    }
  }
  find_discrimination();
  for (RuleScore& score : rules_) judge_rule(score);
}

const Result* Scorer::twin_of(const Result& result) const {
  const Case& c = matrix_.cases[result.task.case_index];
  const auto twin = base_results_.find({c.base, {c.surface, result.task.mode}});
  return twin == base_results_.end() ? nullptr : twin->second;
}

bool Scorer::twin_is_right(const Result& result) const {
  const Result* twin = twin_of(result);
  return twin != nullptr && twin->right();
}

/// The text lets a reader refuse the twin, a private type for instance, and this one does: rejecting the violating
/// input too says nothing about the rule.
bool Scorer::twin_was_declined(const Result& result) const {
  const Result* twin = twin_of(result);
  return twin != nullptr && twin->ran && twin->judgement == Judgement::choice && twin->observed == Observed::reject;
}

void Scorer::find_discrimination() {
  for (const RuleScore& score : rules_)
    for (const std::size_t i : score.results) {
      const Result& result = results_[i];
      const Case& c = matrix_.cases[result.task.case_index];
      if (expected_of(c, result.task.mode) == Verdict::reject && result.right() && twin_is_right(result))
        discriminates_[{c.surface, result.task.mode}] = true;
    }
}

/// Of a question that was answered rightly and has one right answer: why it still counts for nothing.
std::string Scorer::why_not_scored(const Result& result) const {
  const Case& c = matrix_.cases[result.task.case_index];
  const std::string_view surface = facts::surface_names[static_cast<std::size_t>(c.surface)];
  const Verdict expected = expected_of(c, result.task.mode);
  if (expected == Verdict::reject && !twin_is_right(result))
    return fmt::format("{} on {}: its valid twin {} was not judged right", c.id, surface, c.base);
  if (expected == Verdict::accept && discriminates_.count({c.surface, result.task.mode}) == 0)
    return fmt::format("{} on {}: no violating input of that surface was told from its twin", c.id, surface);
  return {};
}

void Scorer::judge_rule(RuleScore& score) const {
  std::size_t applicable = 0, firm = 0, disputed = 0;
  bool unfinished = false;
  for (const std::size_t i : score.results) {
    const Result& result = results_[i];
    if (!result.ran) unfinished = true;
    if (!result.ran || result.judgement == Judgement::not_applicable || twin_was_declined(result)) continue;
    ++applicable;
    if (result.judgement == Judgement::disputed) ++disputed;
    if (expected_of(matrix_.cases[result.task.case_index], result.task.mode) == Verdict::either || result.failed()) continue;
    ++firm;
    if (score.why.empty() && result.right()) score.why = why_not_scored(result);
  }
  if (!score.failed.empty()) score.judgement = RuleJudgement::fail;
  else if (score.results.empty()) score.why = "no question about it in this run";
  else if (unfinished) score.why = "the run ended before all its questions were asked";
  else if (applicable == 0) score.judgement = RuleJudgement::not_applicable;
  else if (firm == 0 || disputed > 0) score.judgement = RuleJudgement::disputed;
  else if (score.why.empty()) score.judgement = RuleJudgement::pass;
  if (score.judgement != RuleJudgement::not_scored) score.why.clear();
}

std::size_t Scorer::passed() const {
  return static_cast<std::size_t>(std::count_if(rules_.begin(), rules_.end(), [](const RuleScore& score) {
    return score.judgement == RuleJudgement::pass;
  }));
}

std::array<std::size_t, judgement_names.size() + 1> count_judgements(const std::vector<Result>& results) {
  std::array<std::size_t, judgement_names.size() + 1> counts{};
  for (const Result& result : results)
    ++counts[result.ran ? static_cast<std::size_t>(result.judgement) : judgement_names.size()];
  return counts;
}

}  // namespace hurray::harness
