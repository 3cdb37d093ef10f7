#include "generators/matrix/when.h"

#include <gtest/gtest.h>

namespace {

using namespace hurray::generators;
using nlohmann::json;

/// A partition of an int8 vector: a plain member, then a nested overlay with a float32 base.
BoundBase nested() {
  BoundBase base;
  base.name = "nested";
  base.entry = json::parse(R"({"name": "nested", "head": {"type": "int8", "shape": [4], "rule": "partition"}, "members": [
    {"shape": [2], "offset": [0], "layout": {"coo": {"at": [[1]], "sorted": true}}},
    {"head": {"shape": [2], "rule": "overlay", "combine": "add", "offset": [2]}, "members": [{"shape": [2]}]}]})");
  Node plain;
  plain.type = hurray::facts::tag::int8;
  plain.shape = {2};
  plain.layout = Coo{{{1}}, true};
  Node leaf;
  leaf.shape = {2};
  leaf.role = hurray::facts::member_role::base;
  Node inner;
  inner.shape = {2};
  inner.head = Head{2, 2};
  inner.members = {leaf};
  Node outer;
  outer.type = hurray::facts::tag::int8;
  outer.shape = {4};
  outer.head = Head{};
  outer.members = {plain, inner};
  base.model.items = {outer};
  return base;
}

class When : public testing::Test {
 protected:
  void SetUp() override {
    base = nested();
    base.bind();
  }
  /// Paths of the nodes to which a fault applies.
  std::vector<std::string> where(const char* when, const char* path) {
    const json fault{{"when", json::parse(when)}, {"edit", json::array({{{"set", path}, {"to", 1}}})}};
    const FaultRoot root = root_of(fault);
    std::vector<std::string> paths;
    for (std::size_t node = 0; node < base.nodes.size(); ++node)
      if (applies(fault, root.root, base, node, error)) paths.push_back(base.nodes[node].path);
    return paths;
  }
  using Paths = std::vector<std::string>;
  BoundBase base;
  std::string error;
};

TEST_F(When, NodesStandInPreOrderWithTheirFieldPrefix) {
  Paths paths;
  for (const BoundNode& node : base.nodes) paths.push_back(node.path);
  EXPECT_EQ(paths, (Paths{"head", "members[0]", "members[1].head", "members[1].members[0]"}));
}

TEST_F(When, RootsChooseKindsOfNodes) {
  EXPECT_EQ(where("{}", "head.flags"), (Paths{"head", "members[1].head"}));
  EXPECT_EQ(where("{}", "member.flags"), (Paths{"members[0]", "members[1].head", "members[1].members[0]"}));
  EXPECT_EQ(where("{}", "tensor.flags"), (Paths{"members[0]", "members[1].members[0]"}));
  EXPECT_EQ(where("{}", "any.flags").size(), 4u);
}

TEST_F(When, KeysAndPropertiesAreAskedOfTheModel) {
  EXPECT_EQ(where(R"({"any.layout": "coo"})", "any.flags"), Paths{"members[0]"});
  EXPECT_EQ(where(R"({"any.rule": ["overlay", "group"]})", "any.flags"), Paths{"members[1].head"});
  EXPECT_EQ(where(R"({"any.depth": {"min": 2}})", "any.flags"), Paths{"members[1].members[0]"});
  EXPECT_EQ(where(R"({"any.type": {"not": "int8"}, "any.composite": false})", "any.flags"), Paths{"members[1].members[0]"});
  EXPECT_EQ(where(R"({"any.role": true})", "any.flags"), Paths{"members[1].members[0]"});
  EXPECT_EQ(where(R"({"member.index": 1, "member.last": true})", "member.flags"), Paths{"members[1].head"});
  EXPECT_EQ(where(R"({"tensor.shape[0]": 2, "tensor.sparse": true})", "tensor.flags"), Paths{"members[0]"});
  EXPECT_EQ(where(R"({"any.layout.coo.sorted": true})", "any.flags"), Paths{"members[0]"});
}

TEST_F(When, ParentIsTheHeadThatEncloses) {
  EXPECT_EQ(where(R"({"member.rank": 1, "parent.combine": "add"})", "member.flags"), Paths{"members[1].members[0]"});
  EXPECT_EQ(where("{}", "parent.flags"), where("{}", "member.flags")) << "parent alone speaks of members";
  EXPECT_EQ(where(R"({"parent.rule": "partition"})", "member.flags"), (Paths{"members[0]", "members[1].head"}));
}

TEST_F(When, UnknownPropertiesAreAnError) {
  EXPECT_TRUE(where(R"({"any.colour": 1})", "any.flags").empty());
  EXPECT_NE(error.find("any.colour"), std::string::npos);
}

TEST_F(When, TwoRootsAreAnError) {
  const json fault = json::parse(R"({"when": {"head.rank": 1}, "edit": [{"set": "member.flags", "to": 1}]})");
  EXPECT_FALSE(root_of(fault).error.empty());
}

TEST_F(When, PathsOfTheEditBecomeConcrete) {
  const json edit = json::parse(R"([{"set": "member.members[0].flags", "to": {"of": "parent.flags", "plus": 1}},
    {"remove": "member"}, {"swap": ["member", "parent.members[0]"]}, {"keep": ["member.descriptor_length", "file.magic"]},
    {"append_bytes": "00", "to": "member"}, {"set": "member.name", "to": "member"}])");
  EXPECT_EQ(bind_edit(edit, "member", base, 2), json::parse(R"([
    {"set": "members[1].members[0].flags", "to": {"of": "head.flags", "plus": 1}},
    {"remove": "members[1]"}, {"swap": ["members[1]", "members[0]"]}, {"keep": ["members[1].head.descriptor_length", "file.magic"]},
    {"append_bytes": "00", "to": "members[1].head"}, {"set": "members[1].head.name", "to": "member"}])"));
}

}  // namespace
