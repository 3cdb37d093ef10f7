#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "generators/matrix/interactions.h"
#include "harness/commands.h"
#include "harness/report.h"

namespace hurray::harness {
namespace {

struct Options {
  Selection selection;
  bool json = false, exhaustive = false, interactions = false;
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

std::string named(const generators::Interaction& one) {
  std::string text;
  for (std::size_t i = 0; i < one.values.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", one.factors[i], one.values[i]);
  return text;
}

nlohmann::ordered_json counted(const std::vector<generators::Interaction>& all, std::size_t forbidden) {
  nlohmann::ordered_json missing = nlohmann::ordered_json::array(), covered = nlohmann::ordered_json::array();
  for (const generators::Interaction& one : all) {
    if (one.example.empty()) missing.push_back(named(one));
    else covered.push_back({{"values", named(one)}, {"case", one.example}});
  }
  return {{"allowed", all.size()}, {"covered", covered.size()}, {"forbidden", forbidden}, {"missing", missing}, {"examples", covered}};
}

void list_interactions(Globals& globals, const Options& o) {
  const auto matrix = load(globals, o.exhaustive ? generators::Breadth::exhaustive : generators::Breadth::standard);
  if (!matrix) return;
  const generators::InteractionReport report = generators::interactions(*matrix, globals.data + "/conformance/interactions.json");
  if (!report.error.empty()) return fail(globals, 4, report.error);
  const nlohmann::ordered_json all{{"pairs", counted(report.pairs, report.forbidden_pairs)},
                                   {"triples", counted(report.triples, report.forbidden_triples)}};
  if (o.json) return fmt::print("{}\n", all.dump(1));
  for (const char* kind : {"pairs", "triples"}) {
    const nlohmann::ordered_json& part = all.at(kind);
    for (const auto& line : part.at("missing")) fmt::print("missing  {}\n", line.get<std::string>());
    fmt::print("{:<8} {} of {} covered, {} forbidden\n", kind, part.at("covered").get<std::size_t>(), part.at("allowed").get<std::size_t>(),
               part.at("forbidden").get<std::size_t>());
  }
}

}  // namespace

void add_cases_command(CLI::App& app, Globals& globals) {
  CLI::App* command = app.add_subcommand("cases", "Lists the matrix");
  auto options = std::make_shared<Options>();
  command->add_option("--rule", options->selection.rules, "only rules that match, and the twins of their cases")->type_name("GLOB");
  command->add_option("--case", options->selection.cases, "only this case and its twin")->type_name("ID");
  command->add_option("--surface", options->selection.surfaces, "descriptor, bare, framed or file");
  command->add_option("--level", options->selection.level, "only what this certificate level rests on: 1, 2 or M")->type_name("N");
  command->add_flag("--exhaustive", options->exhaustive, "every fault on every base that it applies to");
  command->add_flag("--interactions", options->interactions, "instead which properties of members meet in some accepted case");
  command->add_flag("--json", options->json, "for tools");
  command->callback([&globals, options] { options->interactions ? list_interactions(globals, *options) : list_cases(globals, *options); });
}

}  // namespace hurray::harness
