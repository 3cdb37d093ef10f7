#include <fmt/format.h>
#include <fnmatch.h>

#include <CLI/CLI.hpp>
#include <map>

#include "harness/commands.h"
#include "harness/report.h"

namespace hurray::harness {
namespace {

struct Options {
  std::vector<std::string> globs, classes;
  bool json = false, no_case = false;
};

void list_rules(Globals& globals, const Options& o) {
  const auto matrix = load(globals, generators::Breadth::standard);
  if (!matrix) return;
  std::map<std::string_view, std::size_t> cases;
  for (const generators::Case& c : matrix->cases) ++cases[c.rule];
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const generators::RuleEntry& rule : matrix->rules) {
    const auto matches = [&](const std::string& glob) { return fnmatch(glob.c_str(), rule.id.c_str(), FNM_CASEFOLD) == 0; };
    if (!o.globs.empty() && std::none_of(o.globs.begin(), o.globs.end(), matches)) continue;
    const std::string name = class_name(rule.rule_class);
    if (!o.classes.empty() && std::find(o.classes.begin(), o.classes.end(), name) == o.classes.end()) continue;
    const auto found = cases.find(rule.id);
    const std::size_t count = found == cases.end() ? 0 : found->second;
    if (o.no_case && (count != 0 || rule.rule_class == facts::RuleClass::untestable)) continue;
    if (!o.json) fmt::print("{:<16} {:<9} {:<14} {:>4} cases  {}\n    {}\n", rule.id, rule.level, name, count, rule.section, rule.says);
    else list.push_back({{"id", rule.id}, {"level", rule.level}, {"class", name}, {"section", rule.section},
                         {"says", rule.says}, {"cases", count}});
  }
  if (o.json) fmt::print("{}\n", list.dump(1));
}

}  // namespace

void add_rules_command(CLI::App& app, Globals& globals) {
  CLI::App* command = app.add_subcommand("rules", "Lists the register");
  auto options = std::make_shared<Options>();
  command->add_option("--rule", options->globs, "only rules that match")->type_name("GLOB");
  command->add_option("--class", options->classes, "reject, reject-implied, reject-should, either, accept, behaviour, untestable");
  command->add_flag("--without-cases", options->no_case, "only testable rules that the default matrix has no case for");
  command->add_flag("--json", options->json, "for tools");
  command->callback([&globals, options] { list_rules(globals, *options); });
}

}  // namespace hurray::harness
