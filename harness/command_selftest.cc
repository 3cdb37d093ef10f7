#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>

#include "harness/commands.h"
#include "harness/interrupt.h"
#include "harness/progress.h"
#include "harness/selftest.h"

namespace hurray::harness {
namespace {

namespace fs = std::filesystem;

struct Options {
  unsigned jobs = 0;
  unsigned timeout_ms = 5000;
  bool quick = false, quiet = false, everything = false, first = false;
  std::vector<std::string> only;
  std::string json, mutants = HURRAY_CONFORMANCE_SOURCE "/harness/mutants/mutants.json", mutant_reader;
};

bool is_wanted(const Options& o, const Subject& subject) {
  return o.only.empty() || std::any_of(o.only.begin(), o.only.end(), [&](const std::string& glob) {
           return fnmatch(glob.c_str(), subject.name.c_str(), FNM_CASEFOLD) == 0;
         });
}

/// False, with the exit code set, where there is nothing to run.
bool choose_subjects(Globals& globals, const Options& o, SelftestPlan& plan) {
  Subjects mutants = mutant_subjects(o.mutants);
  if (!mutants.error.empty()) return fail(globals, 4, mutants.error), false;
  for (std::vector<Subject>* subjects : {&mutants.subjects, &plan.subjects}) std::erase_if(*subjects, [&](const Subject& subject) {
      return !is_wanted(o, subject);
    });
  if (!mutants.subjects.empty() && access(plan.mutant_program.c_str(), X_OK) != 0)
    return fail(globals, 4, fmt::format("{}: cannot be run; build the target hurray-mutant-reader", plan.mutant_program)), false;
  plan.subjects.insert(plan.subjects.end(), mutants.subjects.begin(), mutants.subjects.end());
  if (plan.subjects.empty()) return fail(globals, 4, "--only matches no rule and no mutant"), false;
  return true;
}

void print_survivor(const Subject& subject, const Kill& kill) {
  fmt::print("survived  {} ({}), {} questions{}\n", subject.name, subject.what, kill.asked,
             kill.error.empty() ? "" : ": " + kill.error);
  if (!subject.unkillable.empty()) fmt::print("          as its entry says: {}\n", subject.unkillable);
}

void print(const SelftestPlan& plan, const SelftestOutcome& outcome) {
  for (const std::string& alarm : outcome.false_alarms) fmt::print("false alarm  {}\n", alarm);
  for (std::size_t i = 0; i < plan.subjects.size(); ++i) {
    const Kill& kill = outcome.kills[i];
    if (!kill.killed) print_survivor(plan.subjects[i], kill);
    if (!kill.unexpected.empty())
      fmt::print("unexpected  without {} these rules fail as well, and its entry states no such consequence: {}\n",
                 plan.subjects[i].name, fmt::join(kill.unexpected, ", "));
    if (!kill.stale.empty())
      fmt::print("stale  without {} these rules hold, which its entry states as consequences: {}\n",
                 plan.subjects[i].name, fmt::join(kill.stale, ", "));
  }
  const auto line = [&](std::string_view name, Subject::Kind kind) {
    const SelftestOutcome::Count count = outcome.count(plan.subjects, kind);
    if (count.total == 0) return;
    fmt::print("{:<14} {} of {} killed", name, count.killed, count.total);
    fmt::print("{}\n", count.unkillable == 0 ? "" : fmt::format(", {} survive as their entries say", count.unkillable));
  };
  line("rules waived", Subject::Kind::rule);
  line("mutants", Subject::Kind::mutant);
  fmt::print("{:.1f} s{}\n", outcome.seconds, outcome.quick ? ", quick: each asked its own cases only" : "");
}

void selftest(Globals& globals, const Options& o) {
  const auto matrix = load(globals, generators::Breadth::standard);
  if (!matrix) return;
  SelftestPlan plan;
  plan.matrix = &*matrix;
  plan.program = fs::read_symlink("/proc/self/exe").string();
  plan.mutant_program = o.mutant_reader.empty() ? (fs::path(plan.program).parent_path() / "hurray-mutant-reader").string() : o.mutant_reader;
  plan.subjects = rule_subjects(*matrix);
  plan.quick = o.quick;
  plan.everything = o.everything;
  plan.first = o.first;
  plan.limits.per_case = std::chrono::milliseconds(o.timeout_ms);
  if (!choose_subjects(globals, o, plan)) return;
  plan.jobs = o.jobs != 0 ? o.jobs : std::max(1u, std::thread::hardware_concurrency());
  plan.limits.interrupt = Interrupt::descriptor();
  plan.stop = &Interrupt::raised();
  SelftestOutcome outcome;
  {
    Progress progress(question_count(plan), o.quiet);
    plan.done = &progress.done;
    outcome = run_selftest(plan);
  }
  if (Interrupt::raised()) return fail(globals, 3, "interrupted");
  print(plan, outcome);
  if (!outcome.holds(plan.subjects)) globals.exit_code = 1;
  if (o.json.empty()) return;
  std::ofstream out(o.json, std::ios::binary);
  out << render_selftest_json(plan, outcome);
  out.close();
  if (!out) fail(globals, 4, fmt::format("{}: cannot be written", o.json));
}

}  // namespace

void add_selftest_command(CLI::App& app, Globals& globals) {
  CLI::App* command = app.add_subcommand("selftest", "Judges readers that are wrong on purpose: would the suite have noticed?");
  auto options = std::make_shared<Options>();
  command->add_option("--jobs", options->jobs, "readers at once (default: one for each processor)")->type_name("N");
  command->add_option("--only", options->only, "only these rules and mutants")->type_name("GLOB");
  command->add_flag("--quick", options->quick, "ask each reader the cases of its own rule, or the case that its entry names");
  command->add_flag("--everything", options->everything, "ask in permissive mode as well, and what only a breakdown can fail");
  command->add_flag("--first", options->first, "ask a reader no more once something caught it");
  command->add_option("--timeout-ms", options->timeout_ms, "deadline for one case")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--json", options->json, "write the kill matrix as JSON")->type_name("FILE");
  command->add_option("--mutants", options->mutants, "the table of mutants")->type_name("FILE")->capture_default_str();
  command->add_option("--mutant-reader", options->mutant_reader, "the reader with mutants (default: beside this program)")->type_name("FILE");
  command->add_flag("--quiet", options->quiet, "no progress");
  command->callback([&globals, options] { selftest(globals, *options); });
}

}  // namespace hurray::harness
