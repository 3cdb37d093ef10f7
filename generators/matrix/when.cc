#include "generators/matrix/when.h"

#include <algorithm>

#include "generators/matrix/properties.h"

namespace hurray::generators {
namespace {

using nlohmann::json;

constexpr std::string_view roots[] = {"head", "member", "tensor", "any"};

/// The first word of a path: `member` of member.flags, `data` of data[0].
std::string_view first_word(std::string_view path) { return path.substr(0, path.find_first_of(".[")); }

/// The members as the base writes them; `object` holds head and members. Never a copy: nodes point into it.
const json& members_of(const json& object) {
  static const json none = json::array();
  const auto found = object.find("members");
  return found == object.end() ? none : *found;
}

void bind_members(BoundBase& base, const json& list, std::size_t parent);

void bind_node(BoundBase& base, BoundNode node, const json& members) {
  base.nodes.push_back(std::move(node));
  if (base.nodes.back().node->head) bind_members(base, members, base.nodes.size() - 1);
}

void bind_members(BoundBase& base, const json& list, std::size_t parent) {
  const Node& head = *base.nodes[parent].node;
  const std::string prefix = base.nodes[parent].container.empty() ? "" : base.nodes[parent].container + ".";
  for (std::size_t i = 0; i < head.members.size() && i < list.size(); ++i) {
    const bool nested = head.members[i].head.has_value();
    const std::string element = prefix + "members[" + std::to_string(i) + "]";
    BoundNode node{&head.members[i], nested ? &list[i].at("head") : &list[i], nested ? element + ".head" : element,
                   element, element, parent, i, head.members.size(), base.nodes[parent].depth + 1};
    bind_node(base, std::move(node), members_of(list[i]));
  }
}

/// Calls `visit` on each string of an edit that is a path, with the verb it serves.
template <typename Edit, typename Visit>
void each_path(Edit& edit, Visit visit) {
  for (auto& step : edit)
    for (auto field = step.begin(); field != step.end(); ++field) {
      const std::string& verb = field.key();
      auto& value = field.value();
      const bool operand = verb == "to" && value.is_object() && value.contains("of");
      if (operand) {
        visit(value.at("of"), verb);
      } else if (verb == "swap" || verb == "keep") {
        for (auto& path : value) visit(path, verb);
      } else if (verb == "to" ? step.contains("append_bytes") : verb != "append_bytes" && verb != "bytes" && verb != "value" &&
                                                                    verb != "by" && verb != "with" && verb != "plus") {
        visit(value, verb);
      }
    }
}

/// A path below `node`: a head's members are reached through its container, its own fields through its path.
std::string below(const BoundNode& node, std::string_view rest, const std::string& verb) {
  const bool whole = verb == "remove" || verb == "duplicate" || verb == "insert" || verb == "swap";
  if (rest.empty()) return whole && !node.element.empty() ? node.element : node.path;
  if (rest.substr(0, 9) == ".members[") return node.container.empty() ? std::string(rest.substr(1)) : node.container + std::string(rest);
  return node.path + std::string(rest);
}

/// Follows `root` or `parent` (also parent.parent) to a node; none where the path is global or there is no such parent.
std::size_t follow(std::string_view& path, const std::string& root, const BoundBase& base, std::size_t node) {
  std::string_view word = first_word(path);
  if (word == "parent") {
    while (word == "parent" && node != BoundNode::none) {
      node = base.nodes[node].parent;
      path.remove_prefix(word.size());
      const bool again = path.substr(0, 8) == ".parent." || path == ".parent";
      if (!again) return node;
      path.remove_prefix(1);
      word = first_word(path);
    }
    return node;
  }
  if (root.empty() || word != root) return BoundNode::none;
  path.remove_prefix(word.size());
  return node;
}

bool admits(const std::string& root, const BoundBase& base, std::size_t node) {
  if (root.empty()) return true;
  const BoundNode& bound = base.nodes[node];
  if (root == "head") return bound.node->head.has_value();
  if (root == "member") return bound.parent != BoundNode::none;
  if (root == "tensor") return !bound.node->head.has_value();
  return true;
}

}  // namespace

void BoundBase::bind() {
  nodes.clear();
  if (entry.contains("items")) {
    const json& items = entry.at("items");
    for (std::size_t i = 0; i < model.items.size() && i < items.size(); ++i) {
      const std::string element = "items[" + std::to_string(i) + "]";
      const char* kind = model.items[i].head ? "head" : "tensor";
      bind_node(*this, {&model.items[i], &items[i].at(kind), element + "." + kind, element, element, BoundNode::none, i,
                        model.items.size(), 0},
                members_of(items[i]));
    }
  } else if (!model.items.empty()) {
    const char* kind = model.items[0].head ? "head" : "tensor";
    bind_node(*this, {&model.items[0], &entry.at(kind), kind, "", "", BoundNode::none, 0, 1, 0}, members_of(entry));
  }
}

FaultRoot root_of(const json& fault) {
  FaultRoot found;
  bool encloses = false;
  const auto note = [&](std::string_view path) {
    const std::string_view word = first_word(path);
    encloses = encloses || word == "parent";
    if (std::find(std::begin(roots), std::end(roots), word) == std::end(roots)) return;
    if (!found.root.empty() && found.root != word)
      found.error = "two roots in one fault, '" + found.root + "' and '" + std::string(word) + "'; quantify over one";
    found.root = word;
  };
  if (fault.contains("when"))
    for (const auto& condition : fault.at("when").items()) note(condition.key());
  for (const std::string& path : paths_of(fault.at("edit"))) note(path);
  if (found.root.empty() && encloses) found.root = "member";  // only members have a parent
  return found;
}

bool applies(const json& fault, const std::string& root, const BoundBase& base, std::size_t node, std::string& error) {
  if (!admits(root, base, node)) return false;
  for (const std::string& path : paths_of(fault.at("edit")))
    if (first_word(path) == "parent" && (node == BoundNode::none || base.nodes[node].parent == BoundNode::none)) return false;
  if (!fault.contains("when")) return true;
  bool all = true;
  for (const auto& condition : fault.at("when").items()) {
    std::string_view path = condition.key();
    const bool relative = first_word(path) == "parent" || (!root.empty() && first_word(path) == root);
    const std::size_t target = relative ? follow(path, root, base, node) : BoundNode::none;
    if (relative && target == BoundNode::none) return false;
    const Property property = relative ? node_property(base, target, path.substr(std::min<std::size_t>(1, path.size())))
                                       : base_property(base, path);
    if (!property.known) {
      error = "`when` asks for '" + condition.key() + "', which is no key or property; see generators/README.md";
      return false;
    }
    all = satisfies(property.value, condition.value(), error) && all;
  }
  return all && error.empty();
}

json bind_edit(const json& edit, const std::string& root, const BoundBase& base, std::size_t node) {
  json bound = edit;
  each_path(bound, [&](json& value, const std::string& verb) {
    if (!value.is_string()) return;
    const std::string written = value.get<std::string>();
    std::string_view path = written;
    const std::size_t target = follow(path, root, base, node);
    if (target != BoundNode::none) value = below(base.nodes[target], path, verb);
  });
  return bound;
}

std::vector<std::string> paths_of(const json& edit) {
  std::vector<std::string> paths;
  each_path(edit, [&](const json& value, const std::string&) {
    if (value.is_string()) paths.push_back(value.get<std::string>());
  });
  return paths;
}

}  // namespace hurray::generators
