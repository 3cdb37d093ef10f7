// Holds an observation against what a case expects.
#pragma once

#include <array>

#include "harness/declaration.h"
#include "harness/observed.h"

namespace hurray::harness {

enum class Judgement : std::uint8_t {
  pass,
  false_accept,        // accepted what must be rejected
  false_reject,        // did not accept what must be accepted
  wrong_value,         // accepted, but understood something else: view, merged or looked-up bytes
  robustness,          // broke down instead of answering
  choice,              // the text leaves it open; either answer is fine
  disputed,            // deviates from an expectation that rests on a reading of an unclear text
  expected_failure,    // fails as the reader's own project says it does
  unexpected_pass,     // its project says that it fails, it does not
  not_applicable,      // outside what the reader declares
};
inline constexpr std::array<std::string_view, 10> judgement_names{
    "pass",     "false-accept",     "false-reject",    "wrong-value",    "robustness", "choice",
    "disputed", "expected-failure", "unexpected-pass", "not-applicable"};

constexpr std::string_view name_of(Judgement judgement) { return judgement_names[static_cast<std::size_t>(judgement)]; }

constexpr bool is_failure(Judgement judgement) {
  return judgement >= Judgement::false_accept && judgement <= Judgement::robustness;
}

struct Judged {
  Judgement judgement = Judgement::not_applicable;
  std::string detail;
  bool unseen = false;  // a pass on the verdict alone: the reader showed nothing of what it understood
};

[[nodiscard]] Judged judge(const generators::Case& c, facts::Mode mode, const Observation& seen,
                           const Declaration& declaration);

}  // namespace hurray::harness
