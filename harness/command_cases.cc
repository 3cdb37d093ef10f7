#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "harness/commands.h"
#include "harness/report.h"

namespace hurray::harness {
namespace {

struct Options {
  Selection selection;
  bool json = false, exhaustive = false;
};

nlohmann::ordered_json described(const generators::Case& c) {
  std::size_t size = 0;
  for (const generators::Segment& segment : c.segments) size += segment.bytes.size();
  nlohmann::ordered_json entry{{"id", c.id}, {"rule", c.rule}, {"surface", surface_name(c.surface)}, {"twin", c.base}};
  entry["expect"] = {{"strict", expectation_text(c.expect[0])}, {"permissive", expectation_text(c.expect[1])}};
  entry["bytes"] = size;
  entry["source"] = c.source;
  if (!c.notes.empty()) entry["notes"] = c.notes;
  return entry;
}

void list_cases(Globals& globals, const Options& o) {
  const auto matrix = load(globals, o.exhaustive ? generators::Breadth::exhaustive : generators::Breadth::standard);
  if (!matrix) return;
  const Selected selected = select(*matrix, o.selection);
  if (!selected.error.empty()) return fail(globals, 4, selected.error);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::uint32_t previous = ~0u;
  for (const Task& task : selected.tasks) {
    if (task.case_index == previous) continue;
    previous = task.case_index;
    const generators::Case& c = matrix->cases[task.case_index];
    if (o.json) list.push_back(described(c));
    else fmt::print("{:<56} {:<10} strict {:<16} permissive {}\n", c.id, surface_name(c.surface), expectation_text(c.expect[0]),
                    expectation_text(c.expect[1]));
  }
  if (o.json) fmt::print("{}\n", list.dump(1));
}

}  // namespace

void add_cases_command(CLI::App& app, Globals& globals) {
  CLI::App* command = app.add_subcommand("cases", "Lists the matrix");
  auto options = std::make_shared<Options>();
  command->add_option("--rule", options->selection.rules, "only rules that match, and the twins of their cases")->type_name("GLOB");
  command->add_option("--case", options->selection.cases, "only this case and its twin")->type_name("ID");
  command->add_option("--surface", options->selection.surfaces, "descriptor, bare, framed or file");
  command->add_option("--level", options->selection.level, "only what this certificate level rests on")->type_name("N");
  command->add_flag("--exhaustive", options->exhaustive, "every fault on every base that it applies to");
  command->add_flag("--json", options->json, "for tools");
  command->callback([&globals, options] { list_cases(globals, *options); });
}

}  // namespace hurray::harness
