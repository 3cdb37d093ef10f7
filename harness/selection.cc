#include "harness/selection.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include "harness/levels.h"

namespace hurray::harness {
namespace {

using generators::Case;
using generators::Matrix;

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

bool matches_any(const std::vector<std::string>& globs, const std::string& text) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return fnmatch(glob.c_str(), text.c_str(), FNM_CASEFOLD) == 0; });
}

bool in_level(const Case& c, const LevelDemand& demand, const std::map<std::string, facts::RuleClass>& classes) {
  if (!demand.surfaces[static_cast<std::size_t>(c.surface)]) return false;
  if (demand.values) return c.question.kind != generators::ValueQuestion::Kind::none;
  if (c.is_base()) return true;
  const auto found = classes.find(c.rule);
  return found != classes.end() && demand.rests_on(found->second);
}

/// The flags of the cases that the selection names, before twins and shards.
std::vector<bool> chosen(const Matrix& matrix, const Selection& selection) {
  std::map<std::string, facts::RuleClass> classes;
  for (const generators::RuleEntry& rule : matrix.rules) classes[rule.id] = rule.rule_class;
  const LevelDemand* demand = selection.level ? level_demand(*selection.level) : nullptr;
  std::vector<bool> flags(matrix.cases.size());
  std::uint32_t position = 0;
  for (std::size_t i = 0; i < matrix.cases.size(); ++i) {
    const Case& c = matrix.cases[i];
    bool wanted = holds(selection.surfaces, facts::surface_names[static_cast<std::size_t>(c.surface)]);
    wanted = wanted && (selection.rules.empty() || (!c.is_base() && matches_any(selection.rules, c.rule)));
    wanted = wanted && holds(selection.cases, c.id);
    wanted = wanted && (demand == nullptr || in_level(c, *demand, classes));
    flags[i] = wanted && position++ % selection.shard.of == selection.shard.number - 1;
  }
  return flags;
}

void add_twins(const Matrix& matrix, std::vector<bool>& flags) {
  std::set<std::tuple<std::string_view, facts::Surface>> twins;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i] && !matrix.cases[i].is_base()) twins.emplace(matrix.cases[i].base, matrix.cases[i].surface);
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (matrix.cases[i].is_base() && twins.count({matrix.cases[i].id, matrix.cases[i].surface}) != 0) flags[i] = true;
}

std::string complaint(const Matrix& matrix, const Selection& selection) {
  for (const std::string& id : selection.cases) {
    const bool known = std::any_of(matrix.cases.begin(), matrix.cases.end(), [&](const Case& c) { return c.id == id; });
    if (!known) return unknown_case(matrix, id);
  }
  for (const std::string& glob : selection.rules) {
    const bool known = std::any_of(matrix.rules.begin(), matrix.rules.end(),
                                   [&](const generators::RuleEntry& rule) { return matches_any({glob}, rule.id); });
    if (!known) return fmt::format("no rule matches '{}'; list them with  hurray-conform rules", glob);
  }
  if (selection.level && level_demand(*selection.level) == nullptr)
    return fmt::format("there is no certificate level {}; there are 1, 2 and M", *selection.level);
  return {};
}

}  // namespace

bool Selection::narrows() const {
  return !surfaces.empty() || !modes.empty() || !rules.empty() || !cases.empty() || level || shard.of != 1;
}

std::string parse_shard(const std::string& text, Shard& shard) {
  const char* end = text.data() + text.size();
  const auto [slash, first] = std::from_chars(text.data(), end, shard.number);
  if (first == std::errc{} && slash != end && *slash == '/') {
    const auto [last, second] = std::from_chars(slash + 1, end, shard.of);
    if (second == std::errc{} && last == end && shard.number >= 1 && shard.number <= shard.of) return {};
  }
  return fmt::format("--shard {} is not of the form k/n with 1 <= k <= n", text);
}

Selected select(const Matrix& matrix, const Selection& selection) {
  Selected selected;
  selected.error = complaint(matrix, selection);
  if (!selected.error.empty()) return selected;
  std::vector<bool> flags = chosen(matrix, selection);
  add_twins(matrix, flags);
  const LevelDemand* demand = selection.level ? level_demand(*selection.level) : nullptr;
  for (std::uint32_t i = 0; i < flags.size(); ++i)
    for (std::size_t mode = 0; flags[i] && mode < facts::mode_names.size(); ++mode)
      if (holds(selection.modes, facts::mode_names[mode]) && (demand == nullptr || demand->modes[mode]))
        selected.tasks.push_back({i, static_cast<facts::Mode>(mode)});
  return selected;
}

std::string unknown_case(const Matrix& matrix, const std::string& id) {
  std::string near;
  const std::string rule = id.substr(0, id.find('/'));
  std::size_t shown = 0;
  for (const Case& c : matrix.cases)
    if ((c.rule == rule || c.id.find(id) != std::string::npos) && near.find(c.id) == std::string::npos && shown++ < 4)
      near += (near.empty() ? "" : ", ") + c.id;
  if (near.empty()) return fmt::format("there is no case '{}'; list them with  hurray-conform cases", id);
  return fmt::format("there is no case '{}'; did you mean: {}", id, near);
}

}  // namespace hurray::harness
