// What an accepting reader has understood, as protocol.md asks for it.
#include "generators/build.h"
#include "generators/carriers.h"
#include "generators/descriptor_writer.h"
#include "generators/node_json.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;

template <typename Row>
std::string name_or_byte(const Row* row, std::uint8_t tag) {
  return row != nullptr ? std::string(row->name) : print_tag(tag);
}

template <std::size_t N>
std::string spelled_or_byte(const std::string_view (&names)[N], std::uint8_t value) {
  return value < N && !names[value].empty() ? std::string(names[value]) : print_tag(value);
}

/// Walks the tree in pre-order; `names` are taken one after the other, and left out where there are none.
class Viewer {
 public:
  explicit Viewer(std::vector<std::string> names, bool with_members) : names_(std::move(names)), with_members_(with_members) {}

  Json view(const Node& node) {
    const std::uint8_t layout = layout_tag_of(node);
    Json out = {{"kind", node.head ? "composite" : "tensor"},
                {"type", name_or_byte(facts::element_type(node.type), node.type)},
                {"shape", print_numbers(node.shape)},
                {"layout", name_or_byte(facts::layout(layout), layout)}};
    if (node.shard) {
      out["offset"] = print_numbers(node.shard->offset);
      out["parent"] = print_numbers(node.shard->parent);
    }
    if (node.role) out["role"] = spelled_or_byte(facts::member_roles, *node.role);
    const std::uint8_t scheme = scheme_tag_of(node.scheme);
    if (scheme != 0) out["scheme"] = name_or_byte(facts::scheme(scheme), scheme);
    if (next_ < names_.size()) out["name"] = names_[next_++];
    if (node.head) add_composition(node, out);
    return out;
  }

 private:
  void add_composition(const Node& node, Json& out) {
    out["rule"] = spelled_or_byte(facts::composition_rules, node.head->rule);
    out["combine"] = spelled_or_byte(facts::combine_ops, node.head->combine);
    out["complete"] = with_members_ || node.members.empty();
    out["members"] = Json::array();
    if (!with_members_) return;
    for (const Node& member : node.members) out["members"].push_back(view(member));
  }

  std::vector<std::string> names_;
  std::size_t next_ = 0;
  bool with_members_;
};

}  // namespace

Json expected_view(const Model& model, facts::Surface surface, std::string_view node) {
  Json out = Json::array();
  if (surface == facts::Surface::descriptor) {
    if (const std::optional<PlacedNode> placed = find_node(model, node)) out.push_back(Viewer({}, false).view(*placed->node));
    return out;
  }
  Viewer viewer(surface == facts::Surface::file ? tensor_names(model) : std::vector<std::string>{}, true);
  for (const Node& item : model.items) out.push_back(viewer.view(item));
  return out;
}

}  // namespace hurray::generators
