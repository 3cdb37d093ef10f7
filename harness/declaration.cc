#include "harness/declaration.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/frame.h"

namespace hurray::harness {
namespace {

using nlohmann::json;
using Names = std::set<std::string, std::less<>>;

std::string read_names(const json& ready, const char* key, Names& names) {
  const auto found = ready.find(key);
  if (found == ready.end() || found->is_null()) return {};
  if (!found->is_array()) return fmt::format("\"{}\" in ready is not a list of names", key);
  names.clear();
  for (const json& name : *found) {
    if (!name.is_string()) return fmt::format("\"{}\" in ready holds something that is not a name", key);
    names.insert(name.get<std::string>());
  }
  return {};
}

template <std::size_t N>
std::string read_flags(const json& ready, const char* key, const std::array<std::string_view, N>& known,
                       std::array<bool, N>& flags) {
  Names names(known.begin(), known.end());
  if (std::string wrong = read_names(ready, key, names); !wrong.empty()) return wrong;
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fmt::format("\"{}\" in ready holds '{}', which protocol 1 does not have", key, name);
  for (std::size_t i = 0; i < N; ++i) flags[i] = names.count(known[i]) != 0;
  return {};
}

std::string text_of(const json& ready, const char* key) {
  const auto found = ready.find(key);
  return found != ready.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

std::string read_merge(const json& ready, Declaration& declaration) {
  const auto found = ready.find("merge");
  if (found == ready.end() || found->is_null()) return {};
  if (!found->is_object()) return "\"merge\" in ready is not an object";
  MergeDeclaration merge;
  if (std::string wrong = read_names(*found, "rules", merge.rules); !wrong.empty()) return wrong;
  if (std::string wrong = read_names(*found, "combine", merge.combine); !wrong.empty()) return wrong;
  const auto lookup = found->find("lookup");
  merge.lookup = lookup != found->end() && lookup->is_boolean() && lookup->get<bool>();
  declaration.merge = std::move(merge);
  return {};
}

std::string first_undeclared(const std::vector<std::string>& needed, const Names& declared, const char* what) {
  for (const std::string& name : needed)
    if (declared.count(name) == 0) return fmt::format("{} {} is not declared", what, name);
  return {};
}

/// The composition rules and combine operations anywhere in a view entry must be declared for merging.
std::string merge_gap(const json& item, const MergeDeclaration& merge) {
  if (!item.is_object()) return {};
  const std::string rule = text_of(item, "rule"), combine = text_of(item, "combine");
  if (!rule.empty() && merge.rules.count(rule) == 0) return fmt::format("merging {} is not declared", rule);
  if (!combine.empty() && combine != "none" && merge.combine.count(combine) == 0)
    return fmt::format("combining by {} is not declared", combine);
  if (const auto members = item.find("members"); members != item.end())
    for (const json& member : *members)
      if (std::string gap = merge_gap(member, merge); !gap.empty()) return gap;
  return {};
}

std::string question_gap(const generators::Case& c, const Declaration& declaration) {
  using Kind = generators::ValueQuestion::Kind;
  if (c.question.kind == Kind::none) return {};
  if (!declaration.merge) return "merge is not declared";
  if (c.question.kind == Kind::lookup && !declaration.merge->lookup) return "lookup is not declared";
  if (!c.view.is_array() || c.question.item >= c.view.size()) return {};
  return merge_gap(c.view[c.question.item], *declaration.merge);
}

}  // namespace

Declaration tier_one() {
  Declaration all;
  for (const facts::ElementType& type : facts::element_types)
    if (type.tier == 1) all.types.emplace(type.name);
  for (const facts::Layout& layout : facts::layouts)
    if (layout.tag < 0x40) all.layouts.emplace(layout.name);
  for (const facts::Scheme& scheme : facts::schemes)
    if (scheme.tag <= facts::scheme_tag::per_block_affine) all.schemes.emplace(scheme.name);
  for (const facts::Device& device : facts::devices) all.devices.emplace(device.name);
  return all;
}

std::string parse_ready(const json& ready, Declaration& declaration) {
  declaration = tier_one();
  if (!ready.is_object() || text_of(ready, "op") != "ready") return "its first answer is not {\"op\":\"ready\",…}";
  const auto protocol = ready.find("protocol");
  if (protocol == ready.end() || number_of(*protocol) != 1u) return "ready does not say \"protocol\":1";
  declaration.name = text_of(ready, "name");
  declaration.version = text_of(ready, "version");
  declaration.language = text_of(ready, "language");
  declaration.url = text_of(ready, "url");
  std::string wrong = read_flags(ready, "surfaces", facts::surface_names, declaration.surfaces);
  if (wrong.empty()) wrong = read_flags(ready, "modes", facts::mode_names, declaration.modes);
  if (wrong.empty()) wrong = read_names(ready, "types", declaration.types);
  if (wrong.empty()) wrong = read_names(ready, "layouts", declaration.layouts);
  if (wrong.empty()) wrong = read_names(ready, "schemes", declaration.schemes);
  if (wrong.empty()) wrong = read_names(ready, "devices", declaration.devices);
  if (wrong.empty()) wrong = read_merge(ready, declaration);
  return wrong;
}

std::string why_not_applicable(const generators::Case& c, facts::Mode mode, const Declaration& declaration) {
  const std::size_t surface = static_cast<std::size_t>(c.surface);
  if (!declaration.surfaces[surface]) return fmt::format("surface {} is not declared", facts::surface_names[surface]);
  if (!declaration.modes[static_cast<std::size_t>(mode)])
    return fmt::format("mode {} is not declared", facts::mode_names[static_cast<std::size_t>(mode)]);
  std::string gap = first_undeclared(c.types, declaration.types, "type");
  if (gap.empty()) gap = first_undeclared(c.layouts, declaration.layouts, "layout");
  if (gap.empty()) gap = first_undeclared(c.schemes, declaration.schemes, "scheme");
  if (gap.empty()) gap = first_undeclared(c.devices, declaration.devices, "device");
  if (gap.empty()) gap = question_gap(c, declaration);
  return gap;
}

}  // namespace hurray::harness
