// From results to rules: which of them the reader keeps.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/results.h"

namespace hurray::harness {

enum class RuleJudgement : std::uint8_t { pass, fail, disputed, not_applicable, not_scored };
inline constexpr std::array<std::string_view, 5> rule_judgement_names{"pass", "fail", "disputed", "not-applicable",
                                                                      "not-scored"};
constexpr std::string_view name_of(RuleJudgement j) { return rule_judgement_names[static_cast<std::size_t>(j)]; }

struct RuleScore {
  const generators::RuleEntry* rule = nullptr;
  RuleJudgement judgement = RuleJudgement::not_scored;
  std::string why;                         // where it is not scored
  std::vector<std::size_t> results;        // positions of its questions among the results
  std::vector<std::size_t> failed;         // those that failed
};

/// Restricts which questions a score looks at; empty: all.
using ResultFilter = std::function<bool(const generators::Case&, const Result&)>;

/// A rule passes when every applicable question about it that has one right answer was judged right together with its
/// valid twin on the same surface and in the same mode. Where the right answer is to accept, no violating input stands
/// beside it; there the reader must have told some violating input of that surface and mode from its twin, so that one
/// that accepts everything scores nothing.
class Scorer {
 public:
  Scorer(const generators::Matrix& matrix, const std::vector<Result>& results, const ResultFilter& filter = {});

  const std::vector<RuleScore>& rules() const { return rules_; }
  /// The bases' own questions, judged apart from every rule.
  const std::vector<std::size_t>& bases() const { return bases_; }
  std::size_t passed() const;

 private:
  using Slot = std::pair<facts::Surface, facts::Mode>;

  const Result* twin_of(const Result& result) const;
  bool twin_is_right(const Result& result) const;
  bool twin_was_declined(const Result& result) const;
  void find_discrimination();
  void judge_rule(RuleScore& score) const;
  std::string why_not_scored(const Result& result) const;

  const generators::Matrix& matrix_;
  const std::vector<Result>& results_;
  std::vector<RuleScore> rules_;
  std::vector<std::size_t> bases_;
  std::map<std::pair<std::string_view, Slot>, const Result*> base_results_;
  std::map<Slot, bool> discriminates_;
};

/// How many results have each judgement, by its position in judgement_names; the last entry counts those not run.
[[nodiscard]] std::array<std::size_t, judgement_names.size() + 1> count_judgements(const std::vector<Result>& results);

}  // namespace hurray::harness
