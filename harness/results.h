// What became of every question of a run.
#pragma once

#include <string>
#include <vector>

#include "harness/judge.h"
#include "harness/selection.h"

namespace hurray::harness {

struct Result {
  Task task;
  bool ran = false;  // false: the run ended before it came to this
  Judgement judgement = Judgement::not_applicable;
  Observed observed = Observed::accept;  // meaningless where not applicable
  bool unseen = false;                   // a pass without a view of what was understood
  std::string observed_text;             // of what is not a plain pass
  std::string detail;
  std::string reader_rule, reader_message;  // what the reader named, never scored
  std::string errors;                       // breakdowns: the end of its stderr
  /// Not empty: the first try came out differently from the one on a fresh child, which stands.
  std::string first_try;
  bool first_try_unstable = false;  // … and not for want of time

  bool right() const {
    return ran && (judgement == Judgement::pass || judgement == Judgement::unexpected_pass ||
                   (judgement == Judgement::choice && observed != Observed::reject));
  }
  bool failed() const { return ran && (is_failure(judgement) || judgement == Judgement::expected_failure); }
};

}  // namespace hurray::harness
