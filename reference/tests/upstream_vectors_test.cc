// The format's own published descriptors, where a checkout has them beside it: each is valid and decodes as it says.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "reference/read.h"
#include "reference/tests/descriptor_expect.h"

namespace hurray::reference::tests {
namespace {

const std::filesystem::path folder = HURRAY_UPSTREAM_VECTORS;

std::vector<std::uint8_t> contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(UpstreamVectors, DescriptorsAreAcceptedAndDecodeAsTheirManifestSays) {
  if (!std::filesystem::exists(folder / "manifest.json")) GTEST_SKIP() << "no vectors in " << folder;
  std::ifstream file(folder / "manifest.json");
  const nlohmann::json manifest = nlohmann::json::parse(file);
  for (const nlohmann::json& entry : manifest["descriptors"]) {
    SCOPED_TRACE(entry["file"].get<std::string>());
    const std::vector<std::uint8_t> bytes = contents(folder / entry["file"].get<std::string>());
    ASSERT_FALSE(bytes.empty());
    const auto [d, violation, lawful] = read_descriptor(bytes, 0, Waivers::none());
    ASSERT_FALSE(violation) << described(violation);
    EXPECT_TRUE(lawful);
    const nlohmann::json& expected = entry["expect"];
    EXPECT_EQ(d.at.end, bytes.size());
    EXPECT_EQ(d.version_minor, expected["version_minor"]);
    EXPECT_EQ(d.type_tag, expected["element_type_tag"]);
    EXPECT_EQ(d.layout_tag, expected["layout_tag"]);
    EXPECT_EQ(d.byte_offset, expected["byte_offset"]);
    EXPECT_EQ(d.has(facts::flag::quantization), expected["has_quantization"]);
    EXPECT_EQ(d.has(facts::flag::shard), expected["has_shard"]);
    std::vector<std::uint64_t> shape, sizes;
    for (std::size_t k = 0; k < d.shape.size(); ++k) shape.push_back(d.shape[k]);
    for (std::size_t i = 0; i < d.buffer_count; ++i) sizes.push_back(d.buffer(i).byte_size);
    EXPECT_EQ(shape, expected["shape"].get<std::vector<std::uint64_t>>());
    EXPECT_EQ(sizes, expected["buffer_byte_sizes"].get<std::vector<std::uint64_t>>());
  }
}

TEST(UpstreamVectors, FilesAreAcceptedAndHoldWhatTheirManifestSays) {
  if (!std::filesystem::exists(folder / "manifest.json")) GTEST_SKIP() << "no vectors in " << folder;
  std::ifstream file(folder / "manifest.json");
  const nlohmann::json manifest = nlohmann::json::parse(file);
  for (const nlohmann::json& entry : manifest["files"]) {
    SCOPED_TRACE(entry["file"].get<std::string>());
    const std::vector<std::uint8_t> bytes = contents(folder / entry["file"].get<std::string>());
    ASSERT_FALSE(bytes.empty());
    const Reading reading = reference::read(bytes, Surface::file, Waivers::none());
    ASSERT_TRUE(reading.accepted()) << described(reading.violation);
    const nlohmann::json& tensors = entry["tensors"];
    ASSERT_EQ(reading.tensors.size(), tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const Descriptor& d = reading.tensors[i].descriptor;
      std::vector<std::uint64_t> shape;
      for (std::size_t k = 0; k < d.shape.size(); ++k) shape.push_back(d.shape[k]);
      EXPECT_EQ(reading.tensors[i].name, tensors[i]["name"].get<std::string>());
      EXPECT_EQ(d.type_tag, tensors[i]["element_type_tag"]);
      EXPECT_EQ(shape, tensors[i]["shape"].get<std::vector<std::uint64_t>>());
      EXPECT_EQ(reading.buffers[reading.tensors[i].first_buffer].size(), tensors[i]["data_bytes"]);
    }
  }
}

}  // namespace
}  // namespace hurray::reference::tests
