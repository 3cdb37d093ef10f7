#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "generators/matrix/random.h"
#include "harness/commands.h"
#include "harness/expectations.h"
#include "harness/interrupt.h"
#include "harness/progress.h"
#include "harness/reader_choice.h"
#include "harness/report.h"

namespace hurray::harness {
namespace {

struct RunOptions {
  ReaderChoice choice;
  bool exhaustive = false, quiet = false, all = false;
  std::string shard, health, expectations, json, junit, markdown, html;
  Selection selection;
  std::size_t random = 0;
  std::uint64_t seed = 1;
  unsigned jobs = 0, timeout_ms = 5000, startup_ms = 20000, memory_mb = 4096;
};

void add_options(CLI::App& command, RunOptions& o) {
  add_reader_options(command, o.choice);
  command.add_option("--surface", o.selection.surfaces, "descriptor, bare, framed or file")
      ->check(CLI::IsMember(std::vector<std::string>(facts::surface_names.begin(), facts::surface_names.end())));
  command.add_option("--mode", o.selection.modes, "strict or permissive")
      ->check(CLI::IsMember(std::vector<std::string>(facts::mode_names.begin(), facts::mode_names.end())));
  command.add_option("--rule", o.selection.rules, "only rules that match")->type_name("GLOB");
  command.add_option("--case", o.selection.cases, "only this case and its twin")->type_name("ID");
  command.add_option("--level", o.selection.level, "only what this certificate level rests on: 1, 2 or M")->type_name("N");
  command.add_flag("--exhaustive", o.exhaustive, "every fault on every base that it applies to, on every surface");
  command.add_option("--random", o.random, "besides: grown composites, each legal, asked for its values, and broken in one way")->type_name("N");
  command.add_option("--seed", o.seed, "of what is grown; the same seed gives the same cases")->capture_default_str();
  command.add_option("--shard", o.shard, "the k-th of n parts of the matrix")->type_name("k/n");
  command.add_option("--jobs", o.jobs, "children at once (default: one for each processor)")->type_name("N");
  command.add_option("--timeout-ms", o.timeout_ms, "deadline for one case")->capture_default_str()->check(CLI::PositiveNumber);
  command.add_option("--startup-ms", o.startup_ms, "deadline from start to ready")->capture_default_str()->check(CLI::PositiveNumber);
  command.add_option("--memory-mb", o.memory_mb, "address space of the reader; 0 for none (sanitizers, Go, Java, CUDA)")
      ->capture_default_str();
  command.add_option("--expectations", o.expectations, "known failures of the reader, kept by its project")->type_name("FILE");
  command.add_option("--json", o.json, "write the report as JSON; - for stdout")->type_name("FILE");
  command.add_option("--junit", o.junit, "write the report as JUnit XML")->type_name("FILE");
  command.add_option("--markdown", o.markdown, "write the report as Markdown")->type_name("FILE");
  command.add_option("--html", o.html, "write the report as one HTML page")->type_name("DIR");
  command.add_option("--health", o.health, "add the health of the suite to the Markdown and HTML report, from the proofs that ./dev writes to DIR")
      ->type_name("DIR");
  command.add_flag("--all", o.all, "list every case in the JSON report, not only those that are no plain pass");
  command.add_flag("--quiet", o.quiet, "no progress and no tables");
}

std::string narrowed(const RunOptions& o) {
  std::string text;
  const auto add = [&](const char* option, bool given) {
    if (given) text += fmt::format("{}{}", text.empty() ? "" : ", ", option);
  };
  add("--surface", !o.selection.surfaces.empty());
  add("--mode", !o.selection.modes.empty());
  add("--rule", !o.selection.rules.empty());
  add("--case", !o.selection.cases.empty());
  add("--level", o.selection.level.has_value());
  add("--shard", o.selection.shard.of != 1);
  return text;
}

bool write_file(Globals& globals, const std::string& path, const std::string& text) {
  if (path.empty()) return true;
  if (path == "-") {
    fmt::print("{}", text);
    return true;
  }
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;  // a failure shows when the file cannot be opened
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) fail(globals, 4, fmt::format("{}: cannot be written", path));
  return static_cast<bool>(out);
}

void write_reports(Globals& globals, const RunOptions& o, const Report& report) {
  bool good = true;
  if (!o.json.empty()) good = write_file(globals, o.json, render_json(report, o.all));
  if (!o.junit.empty()) good = write_file(globals, o.junit, render_junit(report)) && good;
  if (!o.markdown.empty()) good = write_file(globals, o.markdown, render_markdown(report)) && good;
  if (!o.html.empty()) good = write_file(globals, o.html + "/index.html", render_html(report)) && good;
  if (o.quiet || o.json == "-") return;
  const char* no_color = std::getenv("NO_COLOR");
  const bool coloured = isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
  fmt::print("{}", render_terminal(report, coloured));
  if (!o.html.empty() && good) fmt::print("\nreport: {}/index.html\n", o.html);
}

int verdict(const Report& report) {
  if (!report.outcome.reader_error.empty()) return 3;
  bool failed = false, protocol = false;
  for (const Result& result : report.outcome.results) {
    failed = failed || (result.ran && is_failure(result.judgement));
    protocol = protocol || (result.ran && is_failure(result.judgement) && result.observed == Observed::protocol &&
                            result.judgement == Judgement::robustness);
  }
  if (protocol) return 3;
  if (failed) return 1;
  if (report.outcome.stopped) return 4;  // nothing is wrong so far, but that is not "as expected"
  return report.stale_expectations.empty() ? 0 : 2;
}

void judge_reader(Globals& globals, const RunOptions& o, RunPlan plan, const Expectations& expectations) {
  RunOutcome outcome;
  {
    Progress progress(plan.tasks.size(), o.quiet);
    plan.done = &progress.done;
    plan.failed = &progress.failed;
    outcome = run(plan);
  }
  if (outcome.declaration.name.empty() && !outcome.reader_error.empty())
    return fail(globals, 3, outcome.reader_error);
  plan.done = plan.failed = nullptr;
  const std::vector<std::string> stale = apply_expectations(expectations, *plan.matrix, outcome.results);
  const std::vector<Baseline> baselines = run_baselines(plan, own_program());
  const Scorer scorer(*plan.matrix, outcome.results);
  const std::string how_narrowed = narrowed(o);
  const Certificate certificate = certify(*plan.matrix, outcome, how_narrowed);
  std::vector<HealthEntry> health;
  if (!o.health.empty()) health = suite_health(o.health, data_folder(globals), *plan.matrix, baselines);
  const Report report{*plan.matrix, outcome, scorer, certificate, baselines, reader_options(o.choice), how_narrowed, stale, health};
  globals.exit_code = verdict(report);
  write_reports(globals, o, report);
  if (o.quiet && !outcome.reader_error.empty()) fmt::print(stderr, "hurray-conform: {}\n", outcome.reader_error);
  if (o.quiet)
    for (const std::string& line : stale) fmt::print(stderr, "hurray-conform: expectations: {}\n", line);
}

void run_command(Globals& globals, RunOptions& o) {
  RunPlan plan;
  if (!o.shard.empty())
    if (const std::string wrong = parse_shard(o.shard, o.selection.shard); !wrong.empty()) return fail(globals, 4, wrong);
  Expectations expectations;
  if (!o.expectations.empty()) expectations = read_expectations(o.expectations);
  if (!expectations.error.empty()) return fail(globals, 4, expectations.error);
  if (const std::string wrong = choose_reader(o.choice, plan.program, plan.door); !wrong.empty()) return fail(globals, 3, "reader: " + wrong);
  auto matrix = load(globals, o.exhaustive ? generators::Breadth::exhaustive : generators::Breadth::standard);
  if (!matrix) return;
  generators::add_random_cases(*matrix, o.random, o.seed);
  Selected selected = select(*matrix, o.selection);
  if (!selected.error.empty()) return fail(globals, 4, selected.error);
  if (selected.tasks.empty()) return fail(globals, 4, "nothing is left to judge: the options exclude each other");
  plan.matrix = &*matrix;
  plan.tasks = std::move(selected.tasks);
  plan.jobs = o.jobs != 0 ? o.jobs : std::max(1u, std::thread::hardware_concurrency());
  plan.limits.per_case = std::chrono::milliseconds(o.timeout_ms);
  plan.limits.startup = std::chrono::milliseconds(o.startup_ms);
  plan.limits.memory_bytes = std::uint64_t{o.memory_mb} << 20;
  plan.limits.interrupt = Interrupt::descriptor();
  plan.stop = &Interrupt::raised();
  judge_reader(globals, o, std::move(plan), expectations);
}

}  // namespace

void add_run_command(CLI::App& app, Globals& globals) {
  CLI::App* command = app.add_subcommand("run", "Judges one reader against the matrix");
  auto options = std::make_shared<RunOptions>();
  add_options(*command, *options);
  command->callback([&globals, options] { run_command(globals, *options); });
}

}  // namespace hurray::harness
