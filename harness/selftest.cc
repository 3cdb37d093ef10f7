#include "harness/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <thread>

#include "generators/corpus/isolate.h"
#include "harness/report.h"

namespace hurray::harness {
namespace {

using generators::Case;
using generators::RuleEntry;

/// A case that cannot fail catches nobody.
bool can_fail(const Case& c) {
  return c.expect[0].verdict != generators::Verdict::either || c.question.kind != generators::ValueQuestion::Kind::none;
}

/// Strict mode, and permissive mode where only that can show a fault: a torn composite that is handed out. Both modes and
/// what cannot fail but by a breakdown where `everything` is wanted.
std::vector<Task> all_tasks(const generators::Matrix& matrix, bool everything) {
  std::vector<Task> tasks;
  for (std::uint32_t i = 0; i < matrix.cases.size(); ++i) {
    const Case& c = matrix.cases[i];
    if (everything || can_fail(c)) tasks.push_back({i, facts::Mode::strict});
    if (everything || !c.whole_composites.is_null()) tasks.push_back({i, facts::Mode::permissive});
  }
  return tasks;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Task> quick_tasks(const generators::Matrix& matrix, const Subject& subject) {
  std::vector<Task> tasks;
  for (const Task& task : all_tasks(matrix, false))
    if (contains(subject.quick_cases, matrix.cases[task.case_index].id)) tasks.push_back(task);
  return tasks;
}

bool caught(const Result& result) { return result.ran && (is_failure(result.judgement) || result.judgement == Judgement::disputed); }

class Selftest {
 public:
  explicit Selftest(const SelftestPlan& plan) : plan_(plan), everything_(all_tasks(*plan.matrix, plan.everything)) {}

  std::vector<std::string> false_alarms() const {
    RunPlan run_plan = plan_for({plan_.program, "reader"}, everything_);
    run_plan.jobs = plan_.jobs;
    const RunOutcome outcome = run(run_plan);
    std::vector<std::string> alarms;
    if (!outcome.reader_error.empty()) alarms.push_back(outcome.reader_error);
    for (const Result& result : outcome.results)
      if (caught(result)) alarms.push_back(fmt::format("{}: {}", place_of(result), result.detail));
    return alarms;
  }

  Kill judge(const Subject& subject) const {
    std::vector<std::string> words{plan_.mutant_program, "--mutant", subject.name};
    if (subject.kind == Subject::Kind::rule) words = {plan_.program, "reader", "--waive", subject.name};
    const RunOutcome outcome = ask(words, plan_.quick ? quick_tasks(*plan_.matrix, subject) : everything_);
    Kill kill;
    kill.ran = !outcome.stopped;
    kill.asked = outcome.results.size();
    kill.error = outcome.reader_error;
    std::set<std::string> named;
    bool firm = false;
    for (const Result& result : outcome.results) {
      if (!caught(result)) continue;
      kill.cases.push_back(place_of(result));
      named.insert(plan_.matrix->cases[result.task.case_index].rule);
      firm = firm || is_failure(result.judgement);
    }
    kill.only_disputed = !kill.cases.empty() && !firm;
    kill.killed = !kill.cases.empty();
    if (subject.kind == Subject::Kind::rule) sort_out(subject, named, kill);
    return kill;
  }

 private:
  /// All tasks, or as many as it takes: most readers that are wrong are wrong early.
  RunOutcome ask(const std::vector<std::string>& words, const std::vector<Task>& tasks) const {
    if (!plan_.first) return run(plan_for(words, tasks));
    RunOutcome outcome;
    const auto is_caught = [&] { return std::any_of(outcome.results.begin(), outcome.results.end(), caught); };
    for (std::size_t from = 0, count = 64; from < tasks.size() && !is_caught() && !outcome.stopped; from += count, count *= 4) {
      const auto begin = tasks.begin() + static_cast<std::ptrdiff_t>(from);
      RunOutcome part = run(plan_for(words, {begin, begin + static_cast<std::ptrdiff_t>(std::min(count, tasks.size() - from))}));
      outcome.results.insert(outcome.results.end(), part.results.begin(), part.results.end());
      outcome.reader_error = part.reader_error;
      outcome.stopped = part.stopped;
    }
    return outcome;
  }

  RunPlan plan_for(const std::vector<std::string>& words, const std::vector<Task>& tasks) const {
    RunPlan run_plan;
    run_plan.matrix = plan_.matrix;
    run_plan.tasks = tasks;
    run_plan.program = find_program(words);
    run_plan.limits = plan_.limits;
    run_plan.confirm = false;  // these readers keep no state that a question could spoil
    run_plan.stop = plan_.stop;
    run_plan.done = plan_.done;
    return run_plan;
  }

  std::string place_of(const Result& result) const {
    const Case& c = plan_.matrix->cases[result.task.case_index];
    return fmt::format("{} ({})", c.id, surface_name(c.surface));
  }

  /// The failing rules must name the waived one. Others are its consequence where they have no check of their own, restate
  /// it, or are stated in its entry.
  void sort_out(const Subject& subject, const std::set<std::string>& named, Kill& kill) const {
    bool by_name = false;
    for (const std::string& rule : named) {
      const bool is_checked_here = generators::checked_rule(*plan_.matrix, rule) == subject.name;
      by_name = by_name || is_checked_here;
      if (rule == subject.name) continue;
      const bool is_consequence = is_checked_here || !must_reject(rule) || contains(subject.consequences, rule);
      (is_consequence ? kill.consequences : kill.unexpected).push_back(rule.empty() ? "a base" : rule);
    }
    for (const std::string& rule : subject.consequences)
      if (!plan_.quick && kill.ran && named.count(rule) == 0) kill.stale.push_back(rule);
    kill.killed = by_name;
  }

  bool must_reject(const std::string& id) const {
    for (const RuleEntry& rule : plan_.matrix->rules)
      if (rule.id == id) return rule.rule_class <= facts::RuleClass::reject_should;
    return false;
  }

  const SelftestPlan& plan_;
  const std::vector<Task> everything_;
};

}  // namespace

SelftestOutcome::Count SelftestOutcome::count(const std::vector<Subject>& subjects, Subject::Kind kind) const {
  Count count;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (subjects[i].kind != kind) continue;
    ++count.total;
    count.killed += kills[i].killed;
    count.unkillable += !kills[i].killed && !subjects[i].unkillable.empty();
  }
  return count;
}

bool SelftestOutcome::holds(const std::vector<Subject>& subjects) const {
  bool good = false_alarms.empty();
  for (std::size_t i = 0; i < subjects.size(); ++i)
    good = good && (kills[i].killed || !subjects[i].unkillable.empty()) && kills[i].unexpected.empty() && kills[i].stale.empty();
  return good;
}

std::size_t question_count(const SelftestPlan& plan) {
  const std::size_t all = all_tasks(*plan.matrix, plan.everything).size();
  std::size_t count = all;
  for (const Subject& subject : plan.subjects) count += plan.quick ? quick_tasks(*plan.matrix, subject).size() : all;
  return count;
}

SelftestOutcome run_selftest(const SelftestPlan& plan) {
  const Clock::time_point start = Clock::now();
  const Selftest selftest(plan);
  SelftestOutcome outcome;
  outcome.quick = plan.quick;
  outcome.false_alarms = selftest.false_alarms();
  outcome.kills.resize(plan.subjects.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < plan.subjects.size() && (plan.stop == nullptr || !*plan.stop); i = next++)
      outcome.kills[i] = selftest.judge(plan.subjects[i]);
  };
  std::vector<std::thread> threads;
  for (unsigned job = 1; job < plan.jobs; ++job) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return outcome;
}

}  // namespace hurray::harness
