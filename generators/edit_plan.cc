#include <algorithm>
#include <array>
#include <initializer_list>

#include "generators/edit.h"
#include "generators/edit_path.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;

struct Verb {
  std::string_view name;
  std::string_view needs;      // a companion key; empty: none
  std::string_view otherwise;  // that may stand in its place, or an optional key where `needs` is empty
};

constexpr std::array<Verb, 12> verbs{{
    {"set", "to", ""},           {"add", "by", ""},       {"xor", "with", ""},     {"insert", "value", "bytes"},
    {"remove", "", ""},          {"duplicate", "", ""},   {"swap", "", ""},        {"raw", "bytes", ""},
    {"append_bytes", "", "to"},  {"cut_at", "", "plus"},  {"cut_after", "", ""},   {"keep", "", ""},
}};

const Verb* verb_of(const Json& edit) {
  for (const Verb& verb : verbs)
    if (edit.contains(verb.name)) return &verb;
  return nullptr;
}

std::string check_keys(const Json& edit, const Verb& verb) {
  const bool companion = verb.needs.empty() || edit.contains(verb.needs) || (!verb.otherwise.empty() && edit.contains(verb.otherwise));
  if (!companion) return edit.dump() + ": \"" + std::string(verb.name) + "\" needs \"" + std::string(verb.needs) + "\"";
  const bool repeats = verb.name == "insert" && edit.contains("bytes") && edit.contains("times");
  for (const auto& [key, ignored] : edit.items())
    if (key != verb.name && key != verb.needs && (verb.otherwise.empty() || key != verb.otherwise) && !(repeats && key == "times"))
      return edit.dump() + ": \"" + key + "\" does not go with \"" + std::string(verb.name) + "\"";
  if (edit.size() > (repeats ? 3 : 2)) return edit.dump() + ": more keys than one edit has";
  return {};
}

std::string check_path(const Json& edit, const Json& path) {
  if (path.is_string() && parse_path(path.get_ref<const std::string&>())) return {};
  return edit.dump() + ": " + path.dump() + " is not a path";
}

/// The paths of an edit, whichever verb carries them.
std::vector<Json> paths_of(const Json& edit, const Verb& verb) {
  const Json& operand = edit[std::string(verb.name)];
  if (verb.name == "append_bytes") return edit.contains("to") ? std::vector<Json>{edit["to"]} : std::vector<Json>{};
  if (verb.name == "swap" || verb.name == "keep")
    return operand.is_array() ? std::vector<Json>(operand.begin(), operand.end()) : std::vector<Json>{Json()};
  return {operand};
}

bool acts_on_model(const Json& edit, const Verb& verb, const std::vector<Json>& paths) {
  constexpr std::array<std::string_view, 5> always_written{"raw", "append_bytes", "cut_at", "cut_after", "keep"};
  if (std::find(always_written.begin(), always_written.end(), verb.name) != always_written.end()) return false;
  if (edit.contains("bytes")) return false;
  if (verb.name == "set" && edit["to"].is_object() && edit["to"].contains("of")) return false;
  return is_model_path(*parse_path(paths.front().get_ref<const std::string&>()));
}

std::string plan_edit(const Json& edit, EditPlan& plan) {
  if (!edit.is_object()) return "expected an edit as an object, found " + edit.dump();
  const Verb* verb = verb_of(edit);
  if (verb == nullptr)
    return edit.dump() + ": no verb; known are set, add, xor, insert, remove, duplicate, swap, raw, append_bytes, cut_at, cut_after, keep";
  if (std::string error = check_keys(edit, *verb); !error.empty()) return error;
  const std::vector<Json> paths = paths_of(edit, *verb);
  for (const Json& path : paths)
    if (std::string error = check_path(edit, path); !error.empty()) return error;
  if (verb->name == "swap" && paths.size() != 2) return edit.dump() + ": swap takes two paths";
  (acts_on_model(edit, *verb, paths) ? plan.model : plan.written).push_back(edit);
  return {};
}

}  // namespace

EditPlan plan_edits(const Json& edits) {
  EditPlan plan;
  if (edits.is_null()) return plan;
  if (!edits.is_array()) {
    plan.error = "expected a list of edits, found " + edits.dump();
    return plan;
  }
  for (std::size_t k = 0; k < edits.size() && plan.error.empty(); ++k) {
    plan.error = plan_edit(edits[k], plan);
    if (!plan.error.empty()) plan.error = "edit[" + std::to_string(k) + "]: " + plan.error;
  }
  return plan;
}

}  // namespace hurray::generators
