#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "harness/commands.h"
#include "harness/interrupt.h"
#include "harness/minimize/outcome.h"
#include "harness/minimize/reduce.h"
#include "harness/reader_choice.h"

namespace hurray::harness {
namespace {

struct Options {
  std::string file, out, surface, mode = "strict";
  ReaderChoice choice;
  unsigned most_tries = 5000, timeout_ms = 5000, memory_mb = 4096;
  bool quiet = false;
};

template <std::size_t N>
std::size_t position_of(const std::array<std::string_view, N>& names, const std::string& name) {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// A line that is overwritten, on a terminal.
void show_progress(unsigned tries, std::size_t size, bool shown) {
  if (!shown || tries % 16 != 0) return;
  fmt::print(stderr, "\r\033[K{} tries, {} bytes", tries, size);
  std::fflush(stderr);
}

ChildLimits limits_of(const Options& o) {
  ChildLimits limits;
  limits.per_case = std::chrono::milliseconds(o.timeout_ms);
  limits.memory_bytes = std::uint64_t{o.memory_mb} << 20;
  limits.interrupt = Interrupt::descriptor();
  return limits;
}

std::string summary(const Options& o, const Outcome& outcome, std::size_t before, const Reduction& reduction) {
  const double factor = static_cast<double>(before) / static_cast<double>(std::max<std::size_t>(reduction.bytes.size(), 1));
  std::string text = fmt::format("outcome    {}\nsize       {} -> {} bytes ({:.1f} times smaller, {} tries{})\nwritten to {}\n", outcome.text(), before,
                                 reduction.bytes.size(), factor, reduction.tries, reduction.parsed ? "" : "; not parsed, byte by byte", o.out);
  if (reduction.tries >= o.most_tries) text += "           the tries are used up; --max-tries allows more\n";
  return text + fmt::format("look at it with\n  hurray-conform explain {} --surface {} --mode {}\n", o.out, o.surface, o.mode);
}

void minimize(Globals& globals, Options& o) {
  std::ifstream in(o.file, std::ios::binary);
  const std::vector<std::uint8_t> input{std::istreambuf_iterator<char>(in), {}};
  if (!in) return fail(globals, 4, o.file + ": cannot be read");
  if (o.out.empty()) o.out = o.file + ".min";
  Program program;
  DoorFactory door = nullptr;
  if (const std::string wrong = choose_reader(o.choice, program, door); !wrong.empty()) return fail(globals, 3, "reader: " + wrong);
  const auto surface = static_cast<facts::Surface>(position_of(facts::surface_names, o.surface));
  OutcomeFinder finder(door(program, limits_of(o)), surface, static_cast<facts::Mode>(position_of(facts::mode_names, o.mode)));
  if (const std::string wrong = finder.open(); !wrong.empty()) return fail(globals, 3, wrong);
  std::string error;
  const Outcome outcome = finder.find(input, error);
  if (!error.empty()) return fail(globals, 3, error);
  const bool shown = !o.quiet && isatty(STDERR_FILENO) == 1;
  ReductionPlan plan;
  plan.surface = surface;
  plan.most_tries = o.most_tries;
  plan.keeps = [&](std::span<const std::uint8_t> candidate) { return error.empty() && finder.find(candidate, error) == outcome && error.empty(); };
  plan.progress = [&](unsigned tries, std::size_t size) { show_progress(tries, size, shown); };
  const Reduction reduction = reduce(input, plan);
  if (shown) fmt::print(stderr, "\r\033[K");
  std::ofstream out(o.out, std::ios::binary);
  out.write(reinterpret_cast<const char*>(reduction.bytes.data()), static_cast<std::streamsize>(reduction.bytes.size()));
  out.close();
  if (!out) return fail(globals, 4, o.out + ": cannot be written");
  fmt::print("{}", summary(o, outcome, input.size(), reduction));
  if (!error.empty()) fail(globals, 3, fmt::format("stopped early: {}; what was written is the smallest so far", error));
}

}  // namespace

void add_minimize_command(CLI::App& app, Globals& globals) {
  CLI::App* command = app.add_subcommand("minimize", "Makes an input smaller that makes a reader do something, as long as it still does");
  auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file, "the input")->required();
  command->add_option("--surface", options->surface, "descriptor, bare, framed or file")->required()
      ->check(CLI::IsMember(std::vector<std::string>(facts::surface_names.begin(), facts::surface_names.end())));
  command->add_option("--mode", options->mode, "strict or permissive")->capture_default_str()
      ->check(CLI::IsMember(std::vector<std::string>(facts::mode_names.begin(), facts::mode_names.end())));
  add_reader_options(*command, options->choice);
  command->add_option("-o,--out", options->out, "where to write; FILE.min without")->type_name("OUT");
  command->add_option("--max-tries", options->most_tries, "how often the reader is asked at most")->capture_default_str();
  command->add_option("--timeout-ms", options->timeout_ms, "deadline for one try")->capture_default_str()->check(CLI::PositiveNumber);
  command->add_option("--memory-mb", options->memory_mb, "address space of the reader; 0 for none")->capture_default_str();
  command->add_flag("--quiet", options->quiet, "no progress");
  command->callback([&globals, options] { minimize(globals, *options); });
}

}  // namespace hurray::harness
