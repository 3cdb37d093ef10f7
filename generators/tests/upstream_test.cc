// The golden vectors that the format's own project publishes, where they lie beside the checkout (or where
// HURRAY_UPSTREAM_VECTORS points): the writer must give the same bytes for what their manifest describes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "generators/build.h"
#include "generators/tests/hex.h"

namespace hurray::generators {
namespace {

std::filesystem::path vectors() {
  if (const char* given = std::getenv("HURRAY_UPSTREAM_VECTORS")) return given;
  return std::filesystem::path(HURRAY_SOURCE_DIR) / "../shared/upstream-vectors";
}

void expect_same(const char* file, const char* base, facts::Surface surface, const char* edits = "[]") {
  std::ifstream in(vectors() / file, std::ios::binary);
  if (!in) GTEST_SKIP() << "no " << file << " in " << vectors();
  const Bytes golden{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const Built built = build(nlohmann::json::parse(base), nlohmann::json::parse(edits), surface);
  ASSERT_EQ(built.error, "");
  std::size_t at = 0;
  for (const Segment& segment : built.segments) {
    ASSERT_LE(segment.bytes.size(), golden.size() - at) << segment.label;
    const auto from = golden.begin() + static_cast<std::ptrdiff_t>(at);
    ASSERT_EQ(to_hex(segment.bytes), to_hex(Bytes(from, from + static_cast<std::ptrdiff_t>(segment.bytes.size())))) << segment.label;
    at += segment.bytes.size();
  }
  EXPECT_EQ(at, golden.size());
}

void expect_descriptor(const char* name, const char* base) {
  expect_same((std::string("descriptors/") + name + ".bin").c_str(), base, facts::Surface::descriptor);
}

TEST(Upstream, RowMajorFloat32) { expect_descriptor("row_major_f32_3x4", R"({"tensor": {"type": "float32", "shape": [3, 4]}})"); }
TEST(Upstream, RowMajorInt8) { expect_descriptor("row_major_int8_5", R"({"tensor": {"type": "int8", "shape": [5]}})"); }
TEST(Upstream, RowMajorFloat16) { expect_descriptor("row_major_f16_2x2", R"({"tensor": {"type": "float16", "shape": [2, 2]}})"); }
TEST(Upstream, PackedBool) { expect_descriptor("bool_packed_10", R"({"tensor": {"type": "bool", "shape": [10]}})"); }
TEST(Upstream, Strided) {
  expect_descriptor("strided_f32_3x4", R"({"tensor": {"type": "float32", "shape": [3, 4], "layout": {"strided": {"strides": [4, 1]}}}})");
}
TEST(Upstream, Morton) { expect_descriptor("morton_f32_4x4", R"({"tensor": {"type": "float32", "shape": [4, 4], "layout": "morton"}})"); }
TEST(Upstream, Empty) { expect_descriptor("empty_f32_0x4", R"({"tensor": {"type": "float32", "shape": [0, 4]}})"); }
TEST(Upstream, Sharded) {
  expect_descriptor("sharded_f32_8x4", R"({"tensor": {"type": "float32", "shape": [8, 4], "offset": [0, 4], "parent": [8, 8]}})");
}
TEST(Upstream, Csr) {
  expect_descriptor("csr_f32_3x3", R"({"tensor": {"type": "float32", "shape": [3, 3], "layout": {"csr": {"at": [[0, 0], [1, 1]]}}}})");
}
TEST(Upstream, CompositeHead) {
  expect_descriptor("composite_head_partition", R"({"head": {"type": "float32", "shape": [8, 8], "rule": "partition"},
    "members": [{"shape": [8, 4]}, {"shape": [8, 4], "offset": [0, 4]}]})");
}
TEST(Upstream, PerBlockInt4) {
  expect_descriptor("quant_per_block_int4_128x128", R"({"tensor": {"type": "int4", "shape": [128, 128],
    "scheme": {"per-block-affine": {"axis": 1, "block": 128, "scale": "float16"}}}})");
}
// The published file leaves HAS_KV_METADATA clear although it has such a section.
TEST(Upstream, File) {
  expect_same("files/basic.hrry", R"({"items": [{"tensor": {"type": "float32", "shape": [2, 2], "name": "weights", "values": "zeros"}},
    {"tensor": {"type": "int8", "shape": [3], "name": "bias", "values": "zeros"}}],
    "file": {"count_hint": "18446744073709551615", "kv": [{"key": "producer", "string": "hurray-conformance"}, {"key": "tensor_count", "i64": 2}]}})",
              facts::Surface::file, R"([{"set": "file.flags", "to": 4}])");
}

}  // namespace
}  // namespace hurray::generators
