#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdlib>
#include <fstream>

#include "harness/commands.h"
#include "harness/hex.h"
#include "harness/label.h"
#include "generators/corpus/reading_view.h"
#include "harness/report.h"
#include "harness/value_trace.h"

namespace hurray::harness {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::string subject, surface, mode;
  std::optional<std::string> index;
  std::uint64_t item = 0;
  bool json = false, exhaustive = false, whole = false;
};

/// What is to be explained: a case of the matrix, or a file that nothing is known of.
struct Subject {
  const generators::Matrix* matrix = nullptr;
  const generators::Case* c = nullptr;  // null for a file
  facts::Surface surface = facts::Surface::bare;
  std::vector<generators::Segment> segments;
  std::vector<std::uint8_t> bytes;
  std::vector<facts::Mode> modes;
};

std::string place_of(std::uint64_t at) { return fmt::format("byte {} ({:#x})", at, at); }

const generators::RuleEntry* rule_of(const generators::Matrix* matrix, std::string_view id) {
  if (matrix == nullptr) return nullptr;
  for (const generators::RuleEntry& rule : matrix->rules)
    if (rule.id == id) return &rule;
  return nullptr;
}

std::string verdict_text(const Subject& subject, facts::Mode mode, const reference::Reading& reading) {
  if (!reading.violation) return fmt::format("{:<11} accept{}\n", mode_name(mode), reading.partial ? ", but not all of it" : "");
  const reference::Violation& broken = *reading.violation;
  const facts::RuleFacts& rule = facts::facts_of(broken.rule);
  std::string text = fmt::format("{:<11} reject: {} at {}: {}\n", mode_name(mode), rule.id, place_of(broken.at), broken.message.text());
  if (const auto* entry = rule_of(subject.matrix, rule.id)) text += fmt::format("{:<11} {}\n", "", entry->says);
  return text + fmt::format("{:<11} {}\n", "", rule.section);
}

std::string joined(const nlohmann::json& numbers) {
  std::string text;
  for (const auto& number : numbers)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", number.is_string() ? number.get<std::string>() : number.dump());
  return fmt::format("[{}]", text);
}

void add_tree(std::string& text, const nlohmann::json& items, const std::string& indent) {
  for (const auto& item : items) {
    const auto word = [&](const char* key) { return item.contains(key) ? " " + item[key].get<std::string>() : std::string{}; };
    std::string line = fmt::format("{}{}{}{}{} {}", indent, item["kind"].get<std::string>(), word("rule"),
                                   item.value("combine", "none") == "none" ? "" : word("combine"), word("type"), joined(item["shape"]));
    if (!item.contains("rule")) line += word("layout");
    line += word("scheme") + word("role");
    if (item.contains("offset")) line += fmt::format(" at {} of {}", joined(item["offset"]), joined(item["parent"]));
    if (item.contains("name")) line += fmt::format(" \"{}\"", item["name"].get<std::string>());
    if (!item.value("complete", true)) line += " (not complete)";
    text += line + "\n";
    if (item.contains("members")) add_tree(text, item["members"], indent + "  ");
  }
}

std::string case_text(const Subject& subject) {
  const generators::Case& c = *subject.c;
  std::string text = fmt::format("{} on {}\n", c.id, surface_name(c.surface));
  if (const auto* rule = rule_of(subject.matrix, c.rule))
    text += fmt::format("{:<11} {} ({}, {})\n{:<11} {}\n{:<11} {}\n", "rule", rule->id, rule->level,
                        class_title(rule->rule_class), "", rule->says, "", rule->section);
  if (!c.notes.empty()) text += fmt::format("{:<11} {}\n", "notes", c.notes);
  text += fmt::format("{:<11} strict {}, permissive {}\n", "expected", expectation_text(c.expect[0]), expectation_text(c.expect[1]));
  if (!c.is_base()) text += fmt::format("{:<11} {}, from which it differs by\n", "valid twin", c.base);
  for (const auto& edit : c.edit) text += fmt::format("{:<11}   {}\n", "", edit.dump());
  return text + fmt::format("{:<11} {}\n", "written in", c.source);
}

std::string hex_text(const Subject& subject, const Options& o, std::optional<std::uint64_t> stop) {
  std::string text = "\nbytes";
  if (subject.c != nullptr && !subject.c->is_base()) text += "  (> what the edit touched)";
  if (stop) text += "  (! where the reader stops)";
  text += '\n';
  const auto lines = hex_lines(subject.segments, o.whole ? 0 : 8);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const HexLine& line = lines[i];
    const bool stops = stop && *stop >= line.at && (i + 1 == lines.size() || *stop < lines[i + 1].at);
    text += fmt::format("{}{} {:>6x}  {:<48} {}{}\n", line.edited ? '>' : ' ', stops ? '!' : ' ', line.at, line.bytes,
                        line.label, line.value.empty() ? "" : " = " + line.value);
  }
  return text;
}

/// The tree in spite of what is wrong: the rules that stop the reader are waived one after the other.
nlohmann::json lenient_tree(const Subject& subject, std::string& waived) {
  constexpr unsigned most = 16;
  reference::Waivers waivers = reference::Waivers::of(facts::Mode::permissive);
  reference::Reading reading = reference::read(subject.bytes, subject.surface, waivers);
  for (unsigned round = 0; reading.violation && round < most; ++round) {
    const facts::Rule rule = reading.violation->rule;
    if (waivers.has(rule)) break;
    waived += fmt::format("{}{}", waived.empty() ? "" : ", ", facts::facts_of(rule).id);
    reading = reference::read(subject.bytes, subject.surface, waivers.waive(rule));
  }
  return generators::view_of(reading, subject.surface);
}

std::string tree_text(const Subject& subject) {
  std::string waived, lines;
  add_tree(lines, lenient_tree(subject, waived), "  ");
  const std::string title = waived.empty() ? "\ntree" : fmt::format("\ntree, {} waived", waived);
  return fmt::format("{}\n{}", title, lines.empty() ? "  (nothing could be read)\n" : lines);
}

/// Numbers between commas; none in a text of no characters, which is the index of a scalar.
std::optional<std::vector<std::uint64_t>> parse_index(std::string_view text) {
  std::vector<std::uint64_t> index;
  for (const char* at = text.data(), *end = at + text.size(); at != end;) {
    std::uint64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || (next != end && (*next != ',' || next + 1 == end))) return std::nullopt;
    index.push_back(number);
    at = next == end ? end : next + 1;
  }
  return index;
}

/// The element that --index asks for, as a reader sees it that accepts in one of the asked modes.
ordered_json trace_of(const Subject& subject, const Options& o) {
  const auto index = parse_index(*o.index);
  if (!index) return {{"error", fmt::format("--index {}: expected numbers between commas, as 3,6", *o.index)}};
  for (const facts::Mode mode : subject.modes) {
    const reference::Reading reading = reference::read(subject.bytes, subject.surface, reference::Waivers::of(mode));
    if (reading.accepted()) return trace_value(reading, o.item, *index);
  }
  return {{"error", "the input is rejected, so that it has no values"}};
}

std::string render_text(const Subject& subject, const Options& o) {
  std::string text = subject.c != nullptr ? case_text(subject) : fmt::format("{} on {}\n", o.subject, surface_name(subject.surface));
  std::optional<std::uint64_t> stop;
  for (const facts::Mode mode : subject.modes) {
    const reference::Reading reading = reference::read(subject.bytes, subject.surface, reference::Waivers::of(mode));
    text += verdict_text(subject, mode, reading);
    if (reading.violation && !stop) stop = reading.violation->at;
  }
  return text + hex_text(subject, o, stop) + tree_text(subject);
}

ordered_json render_case(const Subject& subject) {
  const generators::Case& c = *subject.c;
  return {{"id", c.id}, {"rule", c.rule}, {"twin", c.base}, {"edit", c.edit}, {"notes", c.notes}, {"source", c.source},
          {"expect", {{"strict", expectation_text(c.expect[0])}, {"permissive", expectation_text(c.expect[1])}}}};
}

std::string render_json_text(const Subject& subject) {
  ordered_json root = subject.c != nullptr ? render_case(subject) : ordered_json::object();
  root["surface"] = surface_name(subject.surface);
  for (const facts::Mode mode : subject.modes) {
    const reference::Reading reading = reference::read(subject.bytes, subject.surface, reference::Waivers::of(mode));
    ordered_json verdict{{"verdict", reading.violation ? "reject" : "accept"}};
    if (reading.violation) {
      verdict["rule"] = facts::facts_of(reading.violation->rule).id;
      verdict["at"] = reading.violation->at;
      verdict["message"] = reading.violation->message.text();
    }
    verdict["view"] = generators::view_of(reading, subject.surface);
    root["read"][std::string(mode_name(mode))] = std::move(verdict);
  }
  std::uint64_t at = 0;
  root["bytes"] = ordered_json::array();
  for (const generators::Segment& segment : subject.segments) {
    root["bytes"].push_back({{"at", at}, {"label", segment.label}, {"hex", hex_of(segment.bytes, "")}, {"edited", segment.edited}});
    at += segment.bytes.size();
  }
  return root.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

/// Empty string, or why there is nothing to explain.
std::string take_file(const Options& o, Subject& subject) {
  if (o.surface.empty()) return fmt::format("{}: say with --surface how the bytes are to be read: {}", o.subject, "descriptor, bare, framed or file");
  std::ifstream in(o.subject, std::ios::binary);
  if (!in) return fmt::format("{}: cannot be read", o.subject);
  subject.bytes.assign(std::istreambuf_iterator<char>(in), {});
  subject.segments = label(subject.bytes, subject.surface);
  return {};
}

std::string take_case(const Options& o, const generators::Matrix& matrix, Subject& subject) {
  subject.matrix = &matrix;
  for (const generators::Case& c : matrix.cases)
    if (c.id == o.subject && (o.surface.empty() || c.surface == subject.surface)) {
      subject.c = &c;
      subject.surface = c.surface;
      subject.segments = c.segments;
      subject.bytes = c.bytes();
      return {};
    }
  for (const generators::Case& c : matrix.cases)
    if (c.id == o.subject) return fmt::format("{} is not asked on {}, but on {}", c.id, o.surface, surface_name(c.surface));
  return unknown_case(matrix, o.subject);
}

void explain(Globals& globals, const Options& o) {
  Subject subject;
  for (std::size_t i = 0; i < facts::surface_names.size(); ++i)
    if (facts::surface_names[i] == o.surface) subject.surface = static_cast<facts::Surface>(i);
  for (std::size_t i = 0; i < facts::mode_names.size(); ++i)
    if (o.mode.empty() || facts::mode_names[i] == o.mode) subject.modes.push_back(static_cast<facts::Mode>(i));
  std::error_code ignored;  // what cannot be looked at is no file
  const bool is_file = std::filesystem::is_regular_file(o.subject, ignored);
  std::optional<generators::Matrix> matrix;
  std::string wrong;
  if (is_file) {
    wrong = take_file(o, subject);
  } else {
    matrix = load(globals, o.exhaustive ? generators::Breadth::exhaustive : generators::Breadth::standard);
    if (!matrix) return;
    wrong = take_case(o, *matrix, subject);
  }
  if (!wrong.empty()) return fail(globals, 4, wrong);
  if (!o.index) return fmt::print("{}", o.json ? render_json_text(subject) : render_text(subject, o));
  const ordered_json trace = trace_of(subject, o);
  if (trace.contains("error")) return fail(globals, 4, fmt::format("{}: {}", o.subject, trace["error"].get<std::string>()));
  fmt::print("{}", o.json ? trace.dump(1) + "\n" : trace_text(trace));
}

}  // namespace

void add_explain_command(CLI::App& app, Globals& globals) {
  CLI::App* command = app.add_subcommand("explain", "What the bytes of a case or a file say");
  auto options = std::make_shared<Options>();
  command->add_option("CASE|FILE", options->subject, "the id of a case, or a file")->required();
  command->add_option("--surface", options->surface, "descriptor, bare, framed or file")
      ->check(CLI::IsMember(std::vector<std::string>(facts::surface_names.begin(), facts::surface_names.end())));
  command->add_option("--mode", options->mode, "strict or permissive; both without")
      ->check(CLI::IsMember(std::vector<std::string>(facts::mode_names.begin(), facts::mode_names.end())));
  command->add_flag("--json", options->json, "for tools");
  command->add_flag("--whole", options->whole, "all bytes of long contents");
  command->add_flag("--exhaustive", options->exhaustive, "look for the case in the exhaustive matrix");
  CLI::Option* index = command->add_option("--index", options->index,
                                           "one element instead: which member wins, what is stored, every step; as 3,6, and '' for a scalar");
  command->add_option("--item", options->item, "the top-level item that --index looks into (default: 0)")->needs(index);
  command->callback([&globals, options] { explain(globals, *options); });
}

}  // namespace hurray::harness
