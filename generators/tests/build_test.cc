#include "generators/build.h"

#include <gtest/gtest.h>

#include "generators/bytes.h"
#include "generators/tests/hex.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;
using facts::Surface;

Json two_columns() {
  return Json::parse(R"({"name": "two-columns-8x8", "head": {"type": "float32", "shape": [8, 8], "rule": "partition"},
    "members": [{"shape": [8, 4], "offset": [0, 0]}, {"shape": [8, 4], "offset": [0, 4], "values": "iota+32"}]})");
}

Bytes bytes_of(const Built& built) {
  Bytes out;
  for (const Segment& segment : built.segments) out.insert(out.end(), segment.bytes.begin(), segment.bytes.end());
  return out;
}

std::string segment(const Built& built, const std::string& label) {
  for (const Segment& each : built.segments)
    if (each.label == label) return to_hex(each.bytes);
  return "no " + label;
}

Built built(const Json& base, const char* edits, Surface surface = Surface::bare, const char* node = "") {
  Built out = build(base, Json::parse(edits), surface, node);
  EXPECT_EQ(out.error, "");
  return out;
}

TEST(Build, WritesTheWorkedExampleOfTheDescriptor) {
  const Json base = Json::parse(R"({"tensor": {"type": "float32", "shape": [3, 4], "spare_bytes": 144}})");
  EXPECT_EQ(to_hex(bytes_of(built(base, "[]", Surface::descriptor))),
            "48525259" "0100" "3d000000" "00000000" "03" "01" "02000000" "0300000000000000" "0400000000000000"
            "0000000000000000" "01" "c000000000000000" "40000000" "00" "000000");
}

TEST(Build, WritesThePartitionHeadOfTheText) {
  EXPECT_EQ(to_hex(bytes_of(built(two_columns(), "[]", Surface::descriptor))),
            "48525259" "0100" "35000000" "00000000" "03" "0b" "02000000" "0800000000000000" "0800000000000000"
            "0000000000000000" "01" "00" "0000" "02000000" "00");
}

TEST(Build, GivesMembersTheirBoxInTheirHead) {
  const Built out = built(two_columns(), "[]");
  EXPECT_EQ(segment(out, "members[1].shard.parent_shape[1]"), "0800000000000000");
  EXPECT_EQ(segment(out, "members[1].shard.shard_offset[1]"), "0400000000000000");
  EXPECT_EQ(segment(out, "members[1].data[0]").substr(0, 16), "00000042" "00000442");
}

TEST(Build, LabelsJoinToWhatWriteWrites) {
  const Model model = parse_model(two_columns()).model;
  for (const Surface surface : {Surface::descriptor, Surface::bare, Surface::framed, Surface::file})
    EXPECT_EQ(bytes_of(build(two_columns(), Json(), surface)), write(model, surface));
}

TEST(Build, ModelEditsAreDerivedFrom) {
  const Built out = built(two_columns(), R"([{"set": "members[1].shape[0]", "to": 7}])");
  EXPECT_EQ(segment(out, "members[1].buffers[0].byte_size"), "7000000000000000");
  EXPECT_EQ(segment(out, "members[1].shard.parent_shape[0]"), "0800000000000000");
}

TEST(Build, WrittenEditsStandAlone) {
  const Built out = built(two_columns(), R"([{"set": "head.combine_op", "to": 1}, {"xor": "head.flags", "with": "0x10"}])");
  EXPECT_EQ(segment(out, "head.combine_op"), "01");
  EXPECT_EQ(segment(out, "head.flags"), "10000000");
  std::size_t edited = 0;
  for (const Segment& each : out.segments) edited += each.edited ? 1 : 0;
  EXPECT_EQ(edited, 2u);
}

TEST(Build, LengthsFollowInsertedBytesUnlessKept) {
  const Built grown = built(two_columns(), R"([{"insert": "head.buffer_count", "bytes": "aabb"}])");
  EXPECT_EQ(segment(grown, "head.descriptor_length"), "37000000");
  const Built kept = built(two_columns(), R"([{"keep": ["head.descriptor_length"]}, {"append_bytes": "aabb", "to": "head"}])");
  EXPECT_EQ(segment(kept, "head.descriptor_length"), "35000000");
  EXPECT_EQ(segment(kept, "head.appended"), "aabb");
}

TEST(Build, NamesThePathThatIsWrong) {
  EXPECT_EQ(build(two_columns(), Json::parse(R"([{"set": "head.combine", "too": 1}])"), Surface::bare).error,
            R"(edit[0]: {"set":"head.combine","too":1}: "set" needs "to")");
  EXPECT_EQ(build(two_columns(), Json::parse(R"([{"set": "head.combin_op", "to": 1}])"), Surface::bare).error.substr(0, 51),
            "head.combin_op: no such field is written here; head");
  Json base = two_columns();
  base["members"][0]["layuot"] = "coo";
  EXPECT_EQ(parse_model(base).error.substr(0, 33), "members[0].layuot: unknown key; k");
}

}  // namespace
}  // namespace hurray::generators
