#include "harness/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>

namespace hurray::harness {
namespace {

/// A reader that answers nothing this often in a row is given up: the rest would only repeat it, at a deadline each.
constexpr unsigned patience_for_breakdowns = 50;
/// So many failing verdicts of one rule are confirmed on a fresh child each; more of the same would only cost time.
constexpr unsigned confirmed_per_rule = 3;

/// What the workers share.
class Shared {
 public:
  Shared(const RunPlan& plan, RunOutcome& outcome) : plan_(plan), outcome_(outcome) {}

  bool next(std::size_t& index) {
    if (halted_ || (plan_.stop != nullptr && *plan_.stop)) return false;
    index = next_++;
    return index < plan_.tasks.size();
  }

  void give_up(std::string why) {
    halted_ = true;
    const std::lock_guard lock(mutex_);
    if (outcome_.reader_error.empty()) outcome_.reader_error = std::move(why);
  }

  bool to_confirm(const generators::Case& c, const Observation& seen, Judgement judgement) {
    if (!plan_.confirm || !is_failure(judgement)) return false;
    if (is_breakdown(seen.kind)) return true;
    const std::lock_guard lock(mutex_);
    return confirmed_[c.is_base() ? c.id : c.rule]++ < confirmed_per_rule;
  }

 private:
  const RunPlan& plan_;
  RunOutcome& outcome_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> halted_{false};
  std::mutex mutex_;
  std::map<std::string, unsigned> confirmed_;
};

void fill(Result& result, const Observation& seen, Judged judged) {
  result.ran = true;
  result.judgement = judged.judgement;
  result.unseen = judged.unseen;
  result.observed = seen.kind;
  if (judged.judgement == Judgement::pass) return;
  result.observed_text = seen.text();
  result.detail = std::move(judged.detail);
  result.reader_rule = seen.rule;
  result.reader_message = seen.message;
  result.errors = seen.errors;
}

class Worker {
 public:
  Worker(const RunPlan& plan, const Declaration& declaration, Shared& shared, std::vector<Result>& results)
      : plan_(plan), declaration_(declaration), shared_(shared), results_(results),
        door_(plan.door(plan.program, plan.limits)) {}

  void work() {
    for (std::size_t index = 0; shared_.next(index);) {
      const Result& result = results_[index];
      if (!judge_task(index)) return;
      if (plan_.done != nullptr) ++*plan_.done;
      if (plan_.failed != nullptr && result.failed()) ++*plan_.failed;
    }
  }

 private:
  /// False: nothing more can be asked.
  bool judge_task(std::size_t index) {
    const Task task = plan_.tasks[index];
    const generators::Case& c = plan_.matrix->cases[task.case_index];
    Result& result = results_[index];
    if (std::string gap = why_not_applicable(c, task.mode, declaration_); !gap.empty()) {
      result.ran = true;
      result.detail = std::move(gap);
      return true;
    }
    const Request request = request_for(index);
    Observation seen = door_->ask(request);
    if (!usable(seen)) return false;
    Judged judged = judge(c, task.mode, seen, declaration_);
    if (shared_.to_confirm(c, seen, judged.judgement) && !confirm(request, c, seen, judged, result)) return false;
    fill(result, seen, std::move(judged));
    if (result.first_try_unstable && previous_ != none) suspect_previous();
    previous_ = index;
    return count_breakdowns(seen);
  }

  /// What goes wrong here and not on a fresh child may be the doing of the question before: one that was answered and
  /// broke the reader all the same.
  void suspect_previous() {
    const Task task = plan_.tasks[previous_];
    const Observation again = door_->ask_alone(request_for(previous_));
    if (again.unstartable || again.interrupted || !is_breakdown(again.kind)) return;
    fill(results_[previous_], again, judge(plan_.matrix->cases[task.case_index], task.mode, again, declaration_));
  }

  Request request_for(std::size_t index) {
    const Task task = plan_.tasks[index];
    const generators::Case& c = plan_.matrix->cases[task.case_index];
    input_.clear();
    for (const generators::Segment& segment : c.segments)
      input_.insert(input_.end(), segment.bytes.begin(), segment.bytes.end());
    Request request{index + 1, c.surface, task.mode, nullptr, input_};
    if (c.question.kind != generators::ValueQuestion::Kind::none) request.question = &c.question;
    return request;
  }

  bool confirm(const Request& request, const generators::Case& c, Observation& seen, Judged& judged, Result& result) {
    Observation again = door_->ask_alone(request);
    if (!usable(again)) return false;
    Judged second = judge(c, request.mode, again, declaration_);
    if (second.judgement != judged.judgement || again.kind != seen.kind) {
      result.first_try = fmt::format("{}: {}", seen.text(), judged.detail);
      result.first_try_unstable = seen.kind != Observed::hang;
    }
    seen = std::move(again);
    judged = std::move(second);
    return true;
  }

  bool usable(const Observation& seen) {
    if (seen.unstartable) shared_.give_up(fmt::format("the reader could not be started again: {}", seen.detail));
    return !seen.unstartable && !seen.interrupted;
  }

  bool count_breakdowns(const Observation& seen) {
    breakdowns_ = is_breakdown(seen.kind) ? breakdowns_ + 1 : 0;
    if (breakdowns_ < patience_for_breakdowns) return true;
    shared_.give_up(fmt::format("gave the reader up after {} cases in a row without an answer, the last one: {}",
                                breakdowns_, seen.detail));
    return false;
  }

  const RunPlan& plan_;
  const Declaration& declaration_;
  Shared& shared_;
  std::vector<Result>& results_;
  std::unique_ptr<Door> door_;
  std::vector<std::uint8_t> input_;
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t previous_ = none;
  unsigned breakdowns_ = 0;
};

}  // namespace

RunOutcome run(const RunPlan& plan) {
  RunOutcome outcome;
  outcome.results.resize(plan.tasks.size());
  for (std::size_t i = 0; i < plan.tasks.size(); ++i) outcome.results[i].task = plan.tasks[i];
  {
    const std::unique_ptr<Door> door = plan.door(plan.program, plan.limits);
    if (!door->open(outcome.declaration, outcome.reader_error)) return outcome;
  }
  Shared shared(plan, outcome);
  const auto work = [&] { Worker(plan, outcome.declaration, shared, outcome.results).work(); };
  std::vector<std::thread> threads;
  for (unsigned job = 1; job < plan.jobs; ++job) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  outcome.stopped = plan.stop != nullptr && *plan.stop;
  return outcome;
}

}  // namespace hurray::harness
