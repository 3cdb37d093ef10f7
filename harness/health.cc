#include "harness/health.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "generators/matrix/interactions.h"
#include "harness/escape.h"
#include "harness/report.h"

namespace hurray::harness {
namespace {

using nlohmann::json;
using State = HealthEntry::State;

constexpr std::size_t most_details = 40;

HealthEntry missing(std::string subject, const std::filesystem::path& file, std::string_view remedy) {
  return {State::missing, std::move(subject), fmt::format("not measured: {} is missing or cannot be read; {} writes it", file.string(), remedy), {}};
}

/// Null where the file is not there or is no JSON object.
json object_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  json root = in ? json::parse(in, nullptr, false) : json();
  return root.is_object() ? root : json();
}

std::uint64_t count_at(const json& object, const char* key) { return object.at(key).get<std::uint64_t>(); }

std::string share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? fmt::format("{} of 0", part) : fmt::format("{} of {} ({:.1f} %)", part, whole, 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

HealthEntry killed(const json& root, const char* part, const std::string& subject) {
  const json& counts = root.at(part);
  const std::uint64_t total = count_at(counts, "total"), dead = count_at(counts, "killed"), unkillable = count_at(counts, "unkillable");
  HealthEntry entry{State::good, subject, share(dead, total) + " caught", {}};
  if (unkillable > 0) entry.text += fmt::format("; {} cannot be caught, each with its reason", unkillable);
  if (root.value("quick", false)) entry.text += "; a quick selftest, not the whole";
  std::size_t survivors = 0;
  for (const json& row : counts.at("matrix")) {
    if (row.at("killed").get<bool>() || row.contains("unkillable")) continue;
    ++survivors;
    entry.details.push_back(row.contains("rule") ? row.at("rule").get<std::string>() : row.at("mutant").get<std::string>());
  }
  if (survivors > 0) entry.text += fmt::format("; {} survive", survivors);
  if (survivors > 0 || total == 0) entry.state = State::bad;
  return entry;
}

void add_selftest(const std::filesystem::path& file, std::vector<HealthEntry>& health) {
  const json root = object_in(file);
  if (root.is_null()) return health.push_back(missing("kill matrix", file, "./dev selftest"));
  health.push_back(killed(root, "rules", "kill matrix: the reference without one rule"));
  health.push_back(killed(root, "mutants", "kill matrix: named mutants"));
  const json alarms = root.value("false_alarms", json::array());
  HealthEntry entry{State::good, "kill matrix: the reference as it is", "breaks no rule", {}};
  const std::size_t count = alarms.is_array() ? alarms.size() : alarms.get<std::size_t>();
  if (count > 0) entry = {State::bad, entry.subject, fmt::format("{} false alarms", count), {}};
  health.push_back(std::move(entry));
}

void add_coverage(const std::filesystem::path& file, std::vector<HealthEntry>& health) {
  const json root = object_in(file);
  if (root.is_null()) return health.push_back(missing("coverage of the reference", file, "./dev coverage"));
  const std::uint64_t covered = count_at(root.at("branches"), "covered"), total = count_at(root.at("branches"), "total");
  constexpr std::uint64_t least_percent = 95;
  HealthEntry entry{covered * 100 >= least_percent * total && total > 0 ? State::good : State::bad, "coverage of the reference by the default matrix", "", {}};
  entry.text = fmt::format("lines {}, branches {}", share(count_at(root.at("lines"), "covered"), count_at(root.at("lines"), "total")), share(covered, total));
  for (const json& one : root.value("files", json::array())) {
    const json& branches = one.at("branches");
    if (count_at(branches, "covered") < count_at(branches, "total"))
      entry.details.push_back(fmt::format("{}: branches {}", one.at("name").get<std::string>(), share(count_at(branches, "covered"), count_at(branches, "total"))));
  }
  health.push_back(std::move(entry));
}

void add_opinions(const std::filesystem::path& file, std::vector<HealthEntry>& health) {
  const json root = object_in(file);
  if (root.is_null()) return health.push_back(missing("second opinions", file, "./dev second-opinions"));
  const std::uint64_t open = count_at(root, "open"), stale = count_at(root, "stale");
  HealthEntry entry{open == 0 && stale == 0 ? State::good : State::bad, "second opinions", "", {}};
  entry.text = fmt::format("{} groups of disagreements, {} that nobody has looked at, {} stale adjudications of {}", count_at(root, "groups"), open, stale,
                           count_at(root, "adjudications"));
  for (const auto& [reader, asked] : root.at("readers").items()) entry.details.push_back(fmt::format("{}: {} questions", reader, asked.get<std::uint64_t>()));
  health.push_back(std::move(entry));
}

/// Proofs of other data than the present ones prove nothing about these.
bool is_older(const std::filesystem::path& file, const std::filesystem::path& data) {
  std::error_code ignored;  // what cannot be looked at is not newer
  const auto written = std::filesystem::last_write_time(file, ignored);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data, ignored))
    if (entry.path().extension() == ".json" && entry.last_write_time(ignored) > written) return true;
  return false;
}

/// One that answers at random gets a rule of few cases right now and then.
std::size_t luck(const Baseline& baseline, std::size_t rules) { return baseline.name == "random" ? rules / 100 : 0; }

HealthEntry null_readers(const std::vector<Baseline>& baselines, std::size_t rules) {
  HealthEntry entry{baselines.empty() ? State::missing : State::good, "readers that do not read", "pass no rule but by luck", {}};
  if (baselines.empty()) entry.text = "not asked";
  for (const Baseline& baseline : baselines) {
    entry.details.push_back(fmt::format("{}: {} rules, {} cases of {} asked", baseline.name, baseline.passed_rules, baseline.passed_cases, baseline.asked));
    if (baseline.passed_rules <= luck(baseline, rules) && !baseline.certified) continue;
    entry.state = State::bad;
    entry.text = "pass rules that they cannot know of";
  }
  return entry;
}

HealthEntry rules_by_class(const generators::Matrix& matrix) {
  std::map<facts::RuleClass, std::size_t> counts;
  for (const generators::RuleEntry& rule : matrix.rules) ++counts[rule.rule_class];
  HealthEntry entry{State::told, "rules by class", fmt::format("{} rules", matrix.rules.size()), {}};
  for (const auto& [rule_class, count] : counts) entry.details.push_back(fmt::format("{}: {}", class_title(rule_class), count));
  return entry;
}

HealthEntry open_readings(const generators::Matrix& matrix) {
  std::map<std::string, std::size_t> cases;
  for (const generators::Case& one : matrix.cases)
    for (const generators::Expectation& expected : one.expect)
      if (!expected.reading.empty()) ++cases[expected.reading];
  HealthEntry entry{State::told, "disputed readings", fmt::format("{} readings, {} of them leave cases open or disputed", matrix.readings.size(), cases.size()), {}};
  for (const auto& [reading, count] : cases) entry.details.push_back(fmt::format("{}: {} questions", reading, count));
  return entry;
}

std::string uncovered(const generators::Interaction& one) {
  std::string text;
  for (std::size_t k = 0; k < one.factors.size(); ++k) text += fmt::format("{}{} {}", k == 0 ? "" : ", ", one.factors[k], one.values[k]);
  return text;
}

HealthEntry interactions_of(const std::filesystem::path& data, const generators::Matrix& matrix) {
  const generators::InteractionReport report = generators::interactions(matrix, data / "interactions.json");
  HealthEntry entry{State::good, "interactions of members' properties", "", {}};
  if (!report.error.empty()) return {State::missing, entry.subject, "not measured: " + report.error, {}};
  const auto shown = [&](const std::vector<generators::Interaction>& all) {
    std::size_t count = 0;
    for (const generators::Interaction& one : all) {
      if (one.example.empty()) entry.details.push_back(uncovered(one));
      else ++count;
    }
    return share(count, all.size());
  };
  entry.text = fmt::format("pairs {}", shown(report.pairs));
  entry.text += fmt::format(", triples {}", shown(report.triples));
  if (!entry.details.empty()) entry.state = State::bad;
  return entry;
}

std::string_view word(State state) {
  switch (state) {
    case State::good: return "good";
    case State::bad: return "bad";
    case State::missing: return "missing";
    case State::told: return "";
  }
  return "";
}

}  // namespace

std::vector<HealthEntry> suite_health(const std::filesystem::path& folder, const std::filesystem::path& data, const generators::Matrix& matrix,
                                      const std::vector<Baseline>& baselines) {
  std::vector<HealthEntry> health;
  const auto read = [&](void (*add)(const std::filesystem::path&, std::vector<HealthEntry>&), const char* name) {
    const std::size_t before = health.size();
    try {
      add(folder / name, health);
      for (std::size_t at = before; at < health.size() && is_older(folder / name, data); ++at) {
        if (health[at].state == State::missing) continue;
        health[at].state = State::bad;
        health[at].text += "; measured before the data last changed";
      }
    } catch (const json::exception& error) {  // of another shape than this program writes
      health.resize(before);
      health.push_back({State::missing, name, fmt::format("not measured: {} has another shape ({})", (folder / name).string(), error.what()), {}});
    }
  };
  read(add_selftest, "selftest.json");
  health.push_back(null_readers(baselines, matrix.rules.size()));
  read(add_coverage, "coverage.json");
  health.push_back(rules_by_class(matrix));
  health.push_back(open_readings(matrix));
  health.push_back(interactions_of(data, matrix));
  read(add_opinions, "second-opinions.json");
  return health;
}

std::string render_health_markdown(const std::vector<HealthEntry>& health) {
  std::string text = "\n## Health of the suite\n\n| proof | state | figures |\n|---|---|---|\n";
  for (const HealthEntry& entry : health)
    text += fmt::format("| {} | {} | {} |\n", entry.subject, entry.state == State::missing || entry.state == State::bad ? fmt::format("**{}**", word(entry.state)) : word(entry.state),
                        entry.text);
  for (const HealthEntry& entry : health) {
    if (entry.details.empty()) continue;
    text += fmt::format("\n{}:\n\n", entry.subject);
    for (std::size_t at = 0; at < entry.details.size() && at < most_details; ++at) text += fmt::format("- {}\n", entry.details[at]);
    if (entry.details.size() > most_details) text += fmt::format("- … and {} more\n", entry.details.size() - most_details);
  }
  return text;
}

std::string render_health_html(const std::vector<HealthEntry>& health) {
  std::string text = "<h2 id=health>Health of the suite</h2>\n<p>What the suite's own proofs came to. What was not measured is said to be missing.</p>\n"
                     "<table><tr><th>proof<th>state<th>figures</tr>\n";
  for (const HealthEntry& entry : health) {
    const char* look = entry.state == State::good ? "good" : entry.state == State::told ? "" : "bad";
    text += fmt::format("<tr><td>{}<td class=\"{}\">{}<td style=\"text-align:left\">{}", escaped(entry.subject), look, word(entry.state), escaped(entry.text));
    if (!entry.details.empty()) text += fmt::format("<details><summary>{} lines</summary><ul>\n", entry.details.size());
    for (const std::string& line : entry.details) text += fmt::format("<li>{}</li>\n", escaped(line));
    text += entry.details.empty() ? "</tr>\n" : "</ul></details></tr>\n";
  }
  return text + "</table>\n";
}

}  // namespace hurray::harness
