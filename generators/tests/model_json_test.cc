#include "generators/model_json.h"

#include <gtest/gtest.h>

#include <fstream>

#include "generators/build.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;

std::string error_of(const char* text) { return parse_model(Json::parse(text)).error; }

TEST(ModelJson, EveryBasePrintsAndParsesToTheSameModel) {
  std::size_t bases = 0;
  for (const char* file : {"partition", "overlay", "group", "nested", "layouts", "quantized", "devices", "tensor", "stream", "file"}) {
    std::ifstream in(std::string(HURRAY_SOURCE_DIR "/conformance/bases/") + file + ".json");
    for (const Json& base : Json::parse(in)) {
      const ParsedModel parsed = parse_model(base);
      ASSERT_EQ(parsed.error, "") << base["name"];
      for (const Detail detail : {Detail::brief, Detail::explicit_}) {
        const ParsedModel again = parse_model(model_to_json(parsed.model, detail));
        ASSERT_EQ(again.error, "") << base["name"];
        if (detail == Detail::brief) {
          EXPECT_EQ(again.model.items, parsed.model.items) << base["name"];
        }
        EXPECT_EQ(again.model.file, parsed.model.file) << base["name"];
        EXPECT_EQ(write(again.model, facts::Surface::file), write(parsed.model, facts::Surface::file)) << base["name"];
      }
      ++bases;
    }
  }
  EXPECT_GT(bases, 200u);
}

TEST(ModelJson, MembersTakeTypeShapeAndBoxFromTheirHead) {
  const Model model = parse_model(Json::parse(R"({"head": {"type": "float16", "shape": [2, 3], "rule": "overlay"}, "members": [{}, {"shape": [1, 1]}]})")).model;
  const Node& base = model.items[0].members[0];
  EXPECT_EQ(base.type, facts::tag::float16);
  EXPECT_EQ(base.shape, (Shape{2, 3}));
  EXPECT_EQ(base.shard, (Box{{2, 3}, {0, 0}}));
  EXPECT_EQ(base.role, facts::member_role::base);
  EXPECT_EQ(model.items[0].members[1].role, facts::member_role::correction);
  EXPECT_EQ(model.items[0].head->combine, facts::combine_op::replace);
}

TEST(ModelJson, GroupsAndTopLevelTensorsHaveNoSectionsUnlessGiven) {
  const Model model = parse_model(Json::parse(R"({"head": {"type": "int8", "shape": [2], "rule": "group"}, "members": [{}, {"offset": [1], "parent": [3]}]})")).model;
  EXPECT_FALSE(model.items[0].members[0].shard);
  EXPECT_FALSE(model.items[0].members[0].role);
  EXPECT_EQ(model.items[0].members[1].shard, (Box{{3}, {1}}));
}

TEST(ModelJson, ErrorsNameThePathAndWhatWasExpected) {
  EXPECT_EQ(error_of(R"({"tensor": {"type": "float23", "shape": [1]}})").substr(0, 42), "tensor.type: expected an element type (flo");
  EXPECT_EQ(error_of(R"({"tensor": {"type": "int8", "shape": [-1]}})"), "tensor.shape[0]: expected a whole number from 0 to 18446744073709551615, found -1");
  EXPECT_EQ(error_of(R"({"tensor": {"type": "int8", "shape": [3], "values": [1, 2]}})"), "tensor.values: expected 3 values, found 2");
  EXPECT_EQ(error_of(R"({"tensor": {"type": "int8", "shape": [2], "values": [1, 200]}})"), "tensor.values[1]: 200 is not an integer from -128 to 127");
  EXPECT_EQ(error_of(R"({"tensor": {"type": "int8", "shape": [2]}, "items": []})"), "base: expected exactly one of \"tensor\", \"head\" and \"items\"");
  EXPECT_EQ(error_of(R"({"tensor": {"type": "int8", "shape": [4], "scheme": {"per-channel-affine": {"axis": 1}}}})"), "tensor: scheme: axis is not below the rank 1");
  EXPECT_EQ(error_of(R"({"head": {"type": "int8", "shape": [4], "rule": "part"}, "members": []})").substr(0, 45), "head.rule: expected a composition rule (parti");
  EXPECT_EQ(error_of(R"([])"), "base: expected an object, found []");
}

TEST(ModelJson, NoJsonMakesTheReaderFall) {
  for (const char* text : {"null", "1", "\"x\"", R"({"tensor": 1})", R"({"tensor": {"shape": "x"}})", R"({"items": [1, {"head": 2}, {"tensor": null}]})",
                           R"({"head": 1})", R"({"head": {}, "members": 5})", R"({"head": {}, "members": [3]})", R"({"tensor": {"layout": {"tiled": 3}}})",
                           R"({"tensor": {"shape": [2, 2], "layout": {"coo": {"at": [1]}}}})", R"({"tensor": {"layout": {"coo": []}}})",
                           R"({"tensor": {"scheme": {"mxfp": 4}}})", R"({"tensor": {"scheme": []}})", R"({"tensor": {}, "file": {"kv": [[]]}})",
                           R"({"tensor": {}, "file": {"kv": [{"key": "a", "array": {"of": "bool", "values": [3]}}]}})", R"({"tensor": {"values": "itoa"}})"})
    EXPECT_NE(error_of(text), "") << text;
}

TEST(View, SaysWhatAReaderHasUnderstood) {
  const Model model = parse_model(Json::parse(R"({"head": {"type": "float32", "shape": [4, "dynamic"], "rule": "overlay", "combine": "add"},
    "members": [{"type": "int8", "shape": [4, 2], "scheme": {"per-tensor-affine": {}}}, {"shape": [1, 1], "offset": [3, 0], "name": "fix"}]})")).model;
  EXPECT_EQ(expected_view(model, facts::Surface::file), Json::parse(R"([{"kind": "composite", "type": "float32", "shape": [4, "18446744073709551615"],
    "layout": "composite", "name": "head", "rule": "overlay", "combine": "add", "complete": true, "members": [
      {"kind": "tensor", "type": "int8", "shape": [4, 2], "layout": "row-major", "offset": [0, 0], "parent": [4, "18446744073709551615"], "role": "base", "scheme": "per-tensor-affine", "name": "members[0]"},
      {"kind": "tensor", "type": "float32", "shape": [1, 1], "layout": "row-major", "offset": [3, 0], "parent": [4, "18446744073709551615"], "role": "correction", "name": "fix"}]}])"));
  const Json head = expected_view(model, facts::Surface::descriptor);
  EXPECT_EQ(head[0]["complete"], false);
  EXPECT_EQ(head[0]["members"], Json::array());
  EXPECT_EQ(expected_view(model, facts::Surface::descriptor, "members[1]")[0]["role"], "correction");
}

TEST(View, NamesPrivateTagsByTheirByte) {
  const Model model = parse_model(Json::parse(R"({"tensor": {"type": "0xf3", "shape": [2], "layout": {"private": {"tag": "0xf1", "data": "00"}}}})")).model;
  const Json view = expected_view(model, facts::Surface::bare)[0];
  EXPECT_EQ(view["type"], "0xf3");
  EXPECT_EQ(view["layout"], "0xf1");
}

}  // namespace
}  // namespace hurray::generators
