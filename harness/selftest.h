// The suite's proof of its own power: readers that are wrong on purpose, each judged by the ordinary harness.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "harness/runner.h"

namespace hurray::harness {

/// A reader that is wrong in one known way: the reference with one rule waived, or with one named mutant.
struct Subject {
  enum class Kind : std::uint8_t { rule, mutant } kind = Kind::rule;
  std::string name;        // the rule's id, or the mutant's name
  std::string what;        // the rule's class, or file: why of the mutant
  std::string unkillable;  // why it survives, as its entry says: no input can tell, or a reading leaves it open
  std::vector<std::string> quick_cases;   // ids: what a quick run asks
  std::vector<std::string> consequences;  // other rules that its entry says fail as well
};

struct Subjects {
  std::vector<Subject> subjects;
  std::string error;
};

/// A subject for every rule with a duty to reject that has a check of its own.
[[nodiscard]] std::vector<Subject> rule_subjects(const generators::Matrix& matrix);
/// A subject for every entry of a table of mutants (harness/mutants/mutants.json).
[[nodiscard]] Subjects mutant_subjects(const std::string& table);

/// What became of one subject.
struct Kill {
  bool ran = false;
  bool killed = false;                    // some case failed, of a waived rule one that names it
  bool only_disputed = false;             // every case that caught it rests on a reading
  std::size_t asked = 0;
  std::vector<std::string> cases;         // that caught it: "id (surface)"
  std::vector<std::string> consequences;  // rules without a check of their own, restating it, or stated, that failed as well
  std::vector<std::string> unexpected;    // other rules that failed as well
  std::vector<std::string> stale;         // stated consequences that did not fail though everything was asked
  std::string error;                      // the subject could not be run
};

struct SelftestPlan {
  const generators::Matrix* matrix = nullptr;
  std::vector<Subject> subjects;
  std::string program;         // of the bundled reader: PROGRAM reader --waive RULE
  std::string mutant_program;  // PROGRAM --mutant NAME
  bool quick = false;          // each subject is asked its quick_cases only
  bool everything = false;     // in permissive mode as well, and what only a breakdown can fail
  bool first = false;          // a subject is asked no more once something caught it
  unsigned jobs = 1;
  ChildLimits limits;
  const std::atomic<bool>* stop = nullptr;
  std::atomic<std::size_t>* done = nullptr;  // counts finished questions
};

struct SelftestOutcome {
  std::vector<std::string> false_alarms;  // cases that the reference itself fails: nothing below means anything then
  std::vector<Kill> kills;                // one a subject, in their order
  bool quick = false;
  double seconds = 0;

  /// Subjects of a kind, killed or not; those that survive as their entry says count apart.
  struct Count {
    std::size_t total = 0, killed = 0, unkillable = 0;
  };
  Count count(const std::vector<Subject>& subjects, Subject::Kind kind) const;
  /// Whether every subject was killed whose entry does not say why it survives, without a false alarm, and nothing failed
  /// with it but what is stated.
  bool holds(const std::vector<Subject>& subjects) const;
};

/// Questions that the plan asks in all, for a progress display.
[[nodiscard]] std::size_t question_count(const SelftestPlan& plan);
[[nodiscard]] SelftestOutcome run_selftest(const SelftestPlan& plan);

/// The kill matrix for tools: totals, and each rule or mutant with the cases that catch it.
[[nodiscard]] std::string render_selftest_json(const SelftestPlan& plan, const SelftestOutcome& outcome);

}  // namespace hurray::harness
