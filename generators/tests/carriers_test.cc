#include "generators/carriers.h"

#include <gtest/gtest.h>

#include "generators/build.h"
#include "generators/link.h"
#include "generators/tests/hex.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;
using facts::Surface;

Model model(const char* text) {
  ParsedModel parsed = parse_model(Json::parse(text));
  EXPECT_EQ(parsed.error, "");
  return std::move(parsed.model);
}

std::string labelled(const Built& built, const std::string& label) {
  for (const Segment& each : built.segments)
    if (each.label == label) return to_hex(each.bytes);
  return "nothing";
}

constexpr const char* int8_5_descriptor =
    "48525259" "0100" "35000000" "00000000" "10" "01" "01000000" "0500000000000000" "0000000000000000"
    "01" "0500000000000000" "40000000" "00000000";

TEST(Bare, BuffersFollowTheirDescriptor) {
  const Model two = model(R"({"items": [{"tensor": {"type": "int8", "shape": [5]}}, {"tensor": {"type": "int8", "shape": [5], "values": "iota+5"}}]})");
  EXPECT_EQ(to_hex(write(two, Surface::bare)), std::string(int8_5_descriptor) + "0001020304" + int8_5_descriptor + "0506070809");
}

TEST(Framed, MessagesCarryDescriptorDataAndEnd) {
  const Model one = model(R"({"tensor": {"type": "int8", "shape": [5]}, "framed": {"stream_id": 3, "frame_bytes": 3}})");
  EXPECT_EQ(to_hex(write(one, Surface::framed)),
            std::string("04000000" "03000000" "45000000") + int8_5_descriptor + "0500000000000000" "00000000" "01000000"
            "05000000" "03000000" "0b000000" "0000000000000000" "000102"
            "05000000" "03000000" "0a000000" "0300000000000000" "0304"
            "06000000" "03000000" "00000000");
}

TEST(Framed, EmptyTensorsAndHeadsSendNoData) {
  const Built built = build(Json::parse(R"({"head": {"type": "int8", "shape": [0], "rule": "group"}, "members": [{}]})"), {}, Surface::framed);
  EXPECT_EQ(built.error, "");
  for (const Segment& segment : built.segments) EXPECT_EQ(segment.label.find("frames"), std::string::npos) << segment.label;
  EXPECT_EQ(labelled(built, "head.end.type"), "06000000");
  EXPECT_EQ(labelled(built, "members[0].total_data_bytes"), "0000000000000000");
}

TEST(Framed, BuffersFollowOneAnotherInTableOrder) {
  const char* text = R"({"tensor": {"type": "uint8", "shape": [4], "layout": {"coo": {"at": [[1], [3]]}}}, "framed": {"frame_bytes": 10}})";
  const Built built = build(Json::parse(text), Json::parse(R"([{"set": "tensor.data[0].u8[1]", "to": 9}])"), Surface::framed);
  ASSERT_EQ(built.error, "");
  EXPECT_EQ(labelled(built, "tensor.frames[0].data[0]"), "0009");
  EXPECT_EQ(labelled(built, "tensor.frames[0].data[1]"), "0100000000000000");
  EXPECT_EQ(labelled(built, "tensor.frames[1].byte_offset_in_buffer"), "0a00000000000000");
  EXPECT_EQ(labelled(built, "tensor.total_data_bytes"), "1200000000000000");
}

TEST(File, ChecksumIsTheCastagnoliCrc) {
  const std::string check = "123456789";
  EXPECT_EQ(crc32c(Bytes(check.begin(), check.end())), 0xE3069283u);
}

TEST(File, DescriptorsAndBuffersAreAligned) {
  const char* text = R"({"head": {"type": "int8", "shape": [5, 2], "rule": "partition"},
    "members": [{"shape": [2, 2]}, {"shape": [3, 2], "offset": [2, 0]}], "file": {"kv": [{"key": "k", "string": "v"}]}})";
  const Built built = build(Json::parse(text), {}, Surface::file);
  ASSERT_EQ(built.error, "");
  std::uint64_t at = 0;
  for (const Segment& segment : built.segments) {
    const bool descriptor = segment.label.size() > 6 && segment.label.ends_with(".magic") && segment.label[0] != 'f' && segment.label[0] != 't';
    if (descriptor) {
      EXPECT_EQ(at % 8, 0u) << segment.label;
    }
    if (segment.label.ends_with(".data[0]")) {
      EXPECT_EQ(at % 4096, 0u) << segment.label;
    }
    if (segment.label == "members[0].magic") {
      EXPECT_EQ(at, 64u + 53u + 3u);
    }
    if (segment.label == "kv.count" || segment.label == "index.count") {
      EXPECT_EQ(at % 8, 0u) << segment.label;
    }
    at += segment.bytes.size();
  }
  EXPECT_EQ(labelled(built, "file.flags"), "05000000");
  EXPECT_EQ(labelled(built, "file.tensor_count_hint"), "0300000000000000");
  EXPECT_EQ(labelled(built, "index[0].data_length"), "0000000000000000");
  EXPECT_EQ(labelled(built, "index[1].data_offset"), "0010000000000000");
  EXPECT_EQ(labelled(built, "index[2].data_length"), "0600000000000000");
  EXPECT_EQ(labelled(built, "kv[0].value_length"), "01000000");
}

TEST(File, IndexOrderIsWriteOrderOrByNameOrAsAsked) {
  Model named = model(R"({"items": [{"tensor": {"type": "int8", "shape": [1], "name": "b"}}, {"tensor": {"type": "int8", "shape": [1], "name": "a"}}]})");
  const auto first_name = [&] {
    const Written written = write_document(named, Surface::file, {}, true);
    for (const Field& field : written.document.fields)
      if (field.label == "index[0].name") return std::string(field.bytes.begin(), field.bytes.end());
    return std::string();
  };
  EXPECT_EQ(first_name(), "b");
  named.file.sorted = true;
  EXPECT_EQ(first_name(), "a");
  named.file.index_order = {0, 1};
  EXPECT_EQ(first_name(), "b");
}

TEST(File, KeyValuesOfEveryKindAreWritten) {
  const char* text = R"({"tensor": {"type": "int8", "shape": [1]}, "file": {"kv": [{"key": "a", "i64": -2}, {"key": "b", "f64": 0.5},
    {"key": "c", "bool": true}, {"key": "d", "bytes": "0aff"}, {"key": "e", "array": {"of": "string", "values": ["x", "yz"]}}]}})";
  const Built built = build(Json::parse(text), {}, Surface::file);
  ASSERT_EQ(built.error, "");
  EXPECT_EQ(labelled(built, "kv.count"), "05000000");
  EXPECT_EQ(labelled(built, "kv[0].value"), "feffffffffffffff");
  EXPECT_EQ(labelled(built, "kv[1].value"), "000000000000e03f");
  EXPECT_EQ(labelled(built, "kv[2].value"), "01");
  EXPECT_EQ(labelled(built, "kv[3].value_length") + labelled(built, "kv[3].value"), "020000000aff");
  EXPECT_EQ(labelled(built, "kv[4].element_tag") + labelled(built, "kv[4].element_count") + labelled(built, "kv[4].value"),
            "01" "02000000" "0100000078" "02000000797a");
}

TEST(File, AnAbsurdAlignmentIsAnError) {
  EXPECT_NE(build(Json::parse(R"({"tensor": {"type": "int8", "shape": [1]}, "file": {"alignment": 2147483648}})"), {}, Surface::file).error, "");
}

TEST(Descriptor, SectionsStandInWireOrder) {
  const char* text = R"({"tensor": {"type": "0xf0", "shape": [2], "offset": [0], "parent": [2], "role": "base", "trailing": "aa",
    "statistics": {"nnz": 2, "n_of_m": [2, 4]}, "extension": {"bit_width": 4}}})";
  const Built built = build(Json::parse(text), {}, Surface::descriptor);
  ASSERT_EQ(built.error, "");
  std::vector<std::string> order;
  for (const Segment& segment : built.segments)
    for (const char* label : {"tensor.shard.parent_shape[0]", "tensor.statistics.computed_mask", "tensor.extension.bit_width", "tensor.composite_member.member_role", "tensor.trailing"})
      if (segment.label == label) order.push_back(label);
  EXPECT_EQ(order.size(), 5u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.begin() + 1));
  EXPECT_EQ(order[1], "tensor.statistics.computed_mask");
  EXPECT_EQ(order[2], "tensor.extension.bit_width");
  EXPECT_EQ(labelled(built, "tensor.flags"), "1e000000");
  EXPECT_EQ(labelled(built, "tensor.extension.packing_factor"), "02");
  EXPECT_EQ(labelled(built, "tensor.statistics.computed_mask"), "11000000");
  EXPECT_EQ(labelled(built, "tensor.descriptor_length"), "b2000000");  // 20+8+8+17+16+72+20+16+1
}

TEST(Descriptor, PerChannelSchemeIsTheWorkedExample) {
  const char* text = R"({"tensor": {"type": "int8", "shape": [3, 4], "scheme": {"per-channel-affine": {"axis": 0, "symmetric": false}}}})";
  const Built built = build(Json::parse(text), {}, Surface::descriptor);
  std::string section;
  for (const Segment& segment : built.segments)
    if (segment.label.find(".quantization.") != std::string::npos) section += to_hex(segment.bytes);
  EXPECT_EQ(section, "14000000" "02" "01" "0000" "00000000" "01000000" "02000000" "03" "000000");
}

}  // namespace
}  // namespace hurray::generators
