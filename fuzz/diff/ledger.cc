#include "fuzz/diff/ledger.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace hurray::fuzz {
namespace {

using nlohmann::json;

constexpr std::string_view known_keys[] = {"reader", "rule", "kind", "surface", "mode", "match", "right", "sentence", "reading", "why", "expires"};
constexpr std::string_view rights[] = {"reference", "reader", "open"};

template <typename Names>
bool holds(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Empty, or what the schema would say too.
std::string problem_with(const json& entry) {
  if (!entry.is_object()) return "is no object";
  for (const auto& [key, value] : entry.items()) {
    if (!holds(known_keys, key)) return "has the key \"" + key + "\", which no adjudication has";
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) return "\"" + key + "\" is no text";
  }
  for (const char* key : {"rule", "kind", "right", "why"})
    if (!entry.contains(key)) return std::string("lacks \"") + key + "\"";
  if (!holds(difference_names, entry["kind"].get<std::string>()) && entry["kind"] != "robustness") return "has a kind that no difference is of";
  if (!holds(rights, entry["right"].get<std::string>())) return "\"right\" is none of reference, reader, open";
  if (entry["right"] == "open" && !entry.contains("reading")) return "leaves it open and names no reading";
  if (entry["right"] != "open" && !entry.contains("sentence")) return "names no sentence that decides";
  return {};
}

bool same_or_any(const std::string& wanted, std::string_view there) { return wanted.empty() || wanted == there; }

bool is_about(const Adjudication& one, const Difference& difference) {
  const auto also = [&](const std::string& rule) { return rule == one.rule; };
  return (one.rule == (difference.rule.empty() ? "none-named" : difference.rule) || std::any_of(difference.more.begin(), difference.more.end(), also)) &&
         one.kind == name_of(difference.kind) && same_or_any(one.surface, facts::surface_names[static_cast<std::size_t>(difference.surface)]) &&
         same_or_any(one.mode, facts::mode_names[static_cast<std::size_t>(difference.mode)]) &&
         (one.match.empty() || difference.detail.find(one.match) != std::string::npos);
}

}  // namespace

std::string Adjudication::title() const {
  std::string text = kind + " " + rule;
  for (const std::string* part : {&surface, &mode, &match})
    if (!part->empty()) text += ", " + *part;
  return text;
}

std::string Ledger::load(const std::string& path, const std::string& reader, const std::string& today) {
  std::ifstream in(path);
  if (!in) return path + ": cannot be read";
  const json entries = json::parse(in, nullptr, false);
  if (!entries.is_array()) return path + ": is no JSON array of adjudications";
  for (std::size_t number = 0; number < entries.size(); ++number) {
    const json& entry = entries[number];
    if (const std::string wrong = problem_with(entry); !wrong.empty()) return path + ": entry " + std::to_string(number + 1) + " " + wrong;
    const auto text = [&](const char* key) { return entry.value(key, std::string{}); };
    Adjudication one{text("reader"), text("rule"), text("kind"), text("surface"), text("mode"), text("match"), text("right"), text("expires"), false};
    if (!same_or_any(one.reader, reader)) continue;
    const bool past = !one.expires.empty() && one.expires < today;
    (past ? expired_ : entries_).push_back(std::move(one));
  }
  return {};
}

bool Ledger::settles(const Difference& difference) {
  bool settled = false;
  for (Adjudication& one : entries_) {
    if (!is_about(one, difference)) continue;
    one.used = settled = true;
  }
  return settled;
}

std::vector<const Adjudication*> Ledger::unused() const {
  std::vector<const Adjudication*> found;
  for (const Adjudication& one : entries_)
    if (!one.used) found.push_back(&one);
  return found;
}

}  // namespace hurray::fuzz
