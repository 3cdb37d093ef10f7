#include "generators/edit.h"

#include <gtest/gtest.h>

#include "generators/build.h"
#include "generators/tests/hex.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;
using facts::Surface;

const char* overlay = R"({"head": {"type": "float32", "shape": [4, 4], "rule": "overlay"},
  "members": [{}, {"layout": {"coo": {"at": [[0, 1], [2, 3]]}}}, {"shape": [2, 2], "offset": [1, 1]}],
  "file": {"kv": [{"key": "k", "string": "v"}]}})";

/// The edited input by label.
class Edited {
 public:
  Edited(const char* base, const std::string& edits, Surface surface = Surface::bare)
      : built_(build(Json::parse(base), Json::parse(edits), surface)) {}

  const std::string& error() const { return built_.error; }
  std::string at(const std::string& label) const {
    for (const Segment& each : built_.segments)
      if (each.label == label) return to_hex(each.bytes);
    return built_.error.empty() ? "nothing" : built_.error;
  }
  std::string all() const {
    std::string out;
    for (const Segment& each : built_.segments) out += to_hex(each.bytes);
    return out;
  }
  const Model& model() const { return built_.model; }

 private:
  Built built_;
};

TEST(ModelEdits, ReachIntoDefaults) {
  EXPECT_EQ(Edited(overlay, R"([{"set": "members[1].offset[1]", "to": 2}])").at("members[1].shard.shard_offset[1]"), "0200000000000000");
  EXPECT_EQ(Edited(overlay, R"([{"set": "members[1].parent[0]", "to": 5}])").at("members[1].shard.parent_shape[0]"), "0500000000000000");
  EXPECT_EQ(Edited(overlay, R"([{"add": "members[0].shape[0]", "by": 1}])").at("members[0].buffers[0].byte_size"), "5000000000000000");
  EXPECT_EQ(Edited(overlay, R"([{"set": "members[2].values[3]", "to": -1}])").at("members[2].data[0]").substr(24), "000080bf");
  EXPECT_EQ(Edited(overlay, R"([{"set": "members[0].type", "to": "float16"}])").at("members[0].type_tag"), "01");
}

TEST(ModelEdits, ReachIntoShortForms) {
  const char* morton = R"({"tensor": {"type": "int8", "shape": [4, 4], "layout": "morton"}})";
  EXPECT_EQ(Edited(morton, R"([{"set": "tensor.layout.morton.bits[0]", "to": 3}])").at("tensor.morton_bits[0]"), "03000000");
  EXPECT_EQ(Edited(morton, R"([{"remove": "tensor.values[0]"}])").error(), "");
}

TEST(ModelEdits, WrapAround) {
  const Edited out(R"({"tensor": {"type": "int8", "shape": [0]}})", R"([{"add": "tensor.shape[0]", "by": -1}])");
  EXPECT_EQ(out.at("tensor.shape[0]"), "ffffffffffffffff");
}

TEST(ModelEdits, MoveMembersWithTheirRoles) {
  const Edited swapped(overlay, R"([{"swap": ["members[0]", "members[1]"]}])");
  EXPECT_EQ(swapped.at("members[0].composite_member.member_role"), "00");
  EXPECT_EQ(swapped.at("members[1].composite_member.member_role"), "01");
  EXPECT_EQ(swapped.at("members[0].layout_tag"), "06");
  const Edited removed(overlay, R"([{"remove": "members[0]"}])");
  EXPECT_EQ(removed.at("members[0].composite_member.member_role"), "00");
  EXPECT_EQ(removed.at("head.member_count"), "02000000");
  const Edited doubled(overlay, R"([{"duplicate": "members[0]"}])");
  EXPECT_EQ(doubled.at("members[1].composite_member.member_role"), "01");
}

TEST(ModelEdits, InsertIntoLists) {
  const Edited out(overlay, R"([{"insert": "members[3]", "value": {"shape": [1, 4]}}, {"insert": "members[3].shape[2]", "value": 2}])");
  EXPECT_EQ(out.at("head.member_count"), "04000000");
  EXPECT_EQ(out.at("members[3].rank"), "03000000");
  EXPECT_EQ(out.at("members[3].shard.parent_shape[2]"), "0200000000000000");
}

TEST(ModelEdits, OfCompositesActOnTheirHead) {
  const char* nested = R"({"head": {"type": "int8", "shape": [4], "rule": "partition"},
    "members": [{"head": {"rule": "partition"}, "members": [{}]}]})";
  EXPECT_EQ(Edited(nested, R"([{"set": "members[0].rule", "to": "group"}])").at("members[0].head.composition_rule"), "03");
  EXPECT_EQ(Edited(nested, R"([{"set": "members[0].offset[0]", "to": 1}])").at("members[0].head.shard.shard_offset[0]"), "0100000000000000");
  EXPECT_EQ(Edited(nested, R"([{"set": "members[0].combine_op", "to": 2}])").at("members[0].head.combine_op"), "02");
}

TEST(Edits, NameMembersThroughTheirHead) {
  EXPECT_EQ(Edited(overlay, R"([{"insert": "head.members[1]", "value": {"shape": [2, 2]}}])").at("head.member_count"), "04000000");
  EXPECT_EQ(Edited(overlay, R"([{"set": "head.members[1].shape[0]", "to": 3}])").at("members[1].shape[0]"), "0300000000000000");
  EXPECT_EQ(Edited(overlay, R"([{"set": "head.members[1].rank", "to": 3}])").at("members[1].rank"), "03000000");
}

TEST(ModelEdits, LeaveSectionsOut) {
  EXPECT_EQ(Edited(overlay, R"([{"set": "members[1].shard", "to": false}])").at("members[1].flags"), "10000000");
  EXPECT_EQ(Edited(overlay, R"([{"set": "members[1].role", "to": false}])").at("members[1].flags"), "02000000");
}

TEST(WrittenEdits, SetNumbersListsHexAndText) {
  EXPECT_EQ(Edited(overlay, R"([{"set": "members[0].rank", "to": "0x10"}])").at("members[0].rank"), "10000000");
  EXPECT_EQ(Edited(overlay, R"([{"set": "members[0].rank", "to": -1}])").at("members[0].rank"), "ffffffff");
  EXPECT_EQ(Edited(overlay, R"([{"set": "head.layout_reserved", "to": [0, 7]}])").at("head.layout_reserved"), "0007");
  EXPECT_EQ(Edited(overlay, R"([{"set": "head.magic", "to": "48525258"}])").at("head.magic"), "48525258");
  const Edited key(overlay, R"([{"set": "kv[0].key", "to": "longer"}])", Surface::file);
  EXPECT_EQ(key.at("kv[0].key"), "6c6f6e676572");
  EXPECT_EQ(key.at("kv[0].key_length"), "0600");
}

TEST(WrittenEdits, SetFromAnotherField) {
  const Edited out(overlay, R"([{"set": "members[0].byte_offset", "to": {"of": "members[0].buffers[0].byte_size", "plus": 1}}])");
  EXPECT_EQ(out.at("members[0].byte_offset"), "4100000000000000");
}

TEST(WrittenEdits, AddAndXorStayInTheField) {
  EXPECT_EQ(Edited(overlay, R"([{"add": "members[0].version_major", "by": 255}])").at("members[0].version_major"), "00");
  EXPECT_EQ(Edited(overlay, R"([{"xor": "members[1].data[1].u64[3]", "with": "0x8000000000000000"}])").at("members[1].data[1]").substr(48),
            "0300000000000080");
}

TEST(WrittenEdits, TypedAccessSeesReals) {
  EXPECT_EQ(Edited(overlay, R"([{"set": "members[2].data[0].f32[0]", "to": 0.5}])").at("members[2].data[0]").substr(0, 8), "0000003f");
  EXPECT_EQ(Edited(overlay, R"([{"set": "members[2].data[0].f32[1]", "to": "nan"}])").at("members[2].data[0]").substr(8, 8), "0000c07f");
  EXPECT_NE(Edited(overlay, R"([{"set": "members[2].data[0].f32[4]", "to": 1}])").error(), "");
}

TEST(WrittenEdits, RawReplacesBytesOfAnyNumber) {
  const Edited out(overlay, R"([{"raw": "members[2].shape[0]", "bytes": "0102"}])");
  EXPECT_EQ(out.at("members[2].shape[0]"), "0102");
  EXPECT_EQ(out.at("members[2].descriptor_length"), "67000000");
}

TEST(WrittenEdits, InsertedBytesCountWhereTheyStand) {
  const char* quantized = R"({"tensor": {"type": "int8", "shape": [2], "scheme": {"per-tensor-affine": {"scale": 2}}}})";
  const Edited out(quantized, R"([{"append_bytes": "aabb", "to": "tensor.quantization"}, {"insert": "tensor.data[0]", "bytes": "ff", "times": 3}])");
  EXPECT_EQ(out.at("tensor.quantization.length"), "12000000");
  EXPECT_EQ(out.at("tensor.descriptor_length"), "4b000000");
  EXPECT_EQ(out.at("tensor.data[0].inserted"), "ffffff");
}

TEST(WrittenEdits, RemoveDuplicateAndSwapWholeGroups) {
  const Edited removed(overlay, R"([{"remove": "index[1]"}])", Surface::file);
  EXPECT_EQ(removed.at("index.count"), "0300000000000000");
  EXPECT_EQ(removed.at("index[1].name"), "nothing");
  const Edited doubled(overlay, R"([{"duplicate": "kv[0]"}])", Surface::file);
  EXPECT_EQ(doubled.at("kv.count"), "02000000");
  const Edited swapped(overlay, R"([{"swap": ["index[0]", "index[3]"]}])", Surface::file);
  EXPECT_EQ(swapped.at("index[0].descriptor_offset"), "4000000000000000");
  EXPECT_EQ(swapped.at("trailer.index_crc32c").size(), 8u);
}

TEST(WrittenEdits, OffsetsAndChecksumsFollow) {
  const Edited plain(overlay, "[]", Surface::file);
  const Edited longer(overlay, R"([{"append_bytes": "0000000000000000", "to": "head"}])", Surface::file);
  EXPECT_NE(plain.at("index[1].descriptor_offset"), longer.at("index[1].descriptor_offset"));
  EXPECT_EQ(longer.at("index[0].descriptor_length"), "3d000000");
  EXPECT_NE(plain.at("trailer.index_crc32c"), longer.at("trailer.index_crc32c"));
  const Edited kept(overlay, R"([{"keep": ["trailer.index_crc32c"]}, {"set": "index[0].flags", "to": 1}])", Surface::file);
  EXPECT_EQ(plain.at("trailer.index_crc32c"), kept.at("trailer.index_crc32c"));
}

TEST(WrittenEdits, TheIndexAgreesWithADescriptorsStatedLength) {
  const Edited out(overlay, R"([{"set": "head.descriptor_length", "to": 19}])", Surface::file);
  EXPECT_EQ(out.at("index[0].descriptor_length"), "13000000");
}

TEST(WrittenEdits, CutTheInput) {
  const Edited plain(overlay, "[]");
  const std::string all = plain.all();
  EXPECT_EQ(Edited(overlay, R"([{"cut_at": "members[0].magic"}])").all(), all.substr(0, 2 * 53));
  EXPECT_EQ(Edited(overlay, R"([{"cut_at": "members[0].magic", "plus": 3}])").all(), all.substr(0, 2 * 56));
  EXPECT_EQ(Edited(overlay, R"([{"cut_at": "members[0].magic", "plus": -1}])").all(), all.substr(0, 2 * 52));
  EXPECT_EQ(Edited(overlay, R"([{"cut_after": "head.version_major"}])").all(), all.substr(0, 2 * 5));
  EXPECT_EQ(Edited(overlay, R"([{"cut_at": "head.magic"}])").all(), "");
  EXPECT_NE(Edited(overlay, R"([{"cut_at": "head.magic", "plus": -1}])").error(), "");
  EXPECT_NE(Edited(overlay, R"([{"cut_at": "members[2].data[0]", "plus": 17}])").error(), "");
}

TEST(WrittenEdits, AppendAtTheEndOfTheInput) {
  EXPECT_EQ(Edited(overlay, R"([{"append_bytes": "c0ffee"}])").all(), Edited(overlay, "[]").all() + "c0ffee");
}

TEST(Edits, SayWhatIsWrong) {
  EXPECT_EQ(Edited(overlay, R"([{"sett": "head.rank", "to": 1}])").error().substr(0, 9), "edit[0]: ");
  EXPECT_EQ(Edited(overlay, R"([{"set": "head.rank", "to": 4294967296}])").error(), "\"head.rank\": 4294967296 does not fit 4 bytes");
  EXPECT_EQ(Edited(overlay, R"([{"remove": "members[7]"}])").error(), "members[7] is past the end of its list");
  EXPECT_EQ(Edited(overlay, R"([{"set": "members[0]..x", "to": 1}])").error(), R"(edit[0]: {"set":"members[0]..x","to":1}: "members[0]..x" is not a path)");
  EXPECT_EQ(Edited(overlay, R"([{"keep": ["head.rank"]}])").error(), "\"head.rank\": nothing derived to keep");
  EXPECT_EQ(Edited(overlay, R"([{"swap": ["head.rank"]}])").error().substr(0, 9), "edit[0]: ");
}

}  // namespace
}  // namespace hurray::generators
