#include "harness/label.h"

#include <gtest/gtest.h>

namespace hurray::harness {
namespace {

/// On the surface descriptor nothing tells which node of a composite stands alone: labels lose its path.
std::vector<generators::Segment> without_path(std::vector<generators::Segment> segments) {
  const std::size_t path = segments.front().label.rfind('.') + 1;
  for (generators::Segment& segment : segments) segment.label.erase(0, path);
  return segments;
}

/// One label a byte.
std::vector<std::string> byte_labels(const std::vector<generators::Segment>& segments) {
  std::vector<std::string> labels;
  for (const generators::Segment& segment : segments) labels.insert(labels.end(), segment.bytes.size(), segment.label);
  return labels;
}

TEST(Label, NamesTheBytesOfValidInputsAsTheirWriterDoes) {
  const generators::LoadedMatrix loaded = generators::load_matrix(HURRAY_ROOT, generators::Breadth::standard);
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors.front().message;
  std::size_t compared = 0;
  for (const generators::Case& c : loaded.matrix.cases) {
    if (!c.is_base()) continue;
    const bool alone = c.surface == facts::Surface::descriptor;
    const auto found = label(c.bytes(), c.surface);
    const auto ours = byte_labels(alone ? without_path(found) : found);
    const auto theirs = byte_labels(alone ? without_path(c.segments) : c.segments);
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t at = 0; at < ours.size(); ++at)
      ASSERT_EQ(ours[at], theirs[at]) << c.id << " on " << facts::surface_names[static_cast<std::size_t>(c.surface)] << ", byte " << at;
    ++compared;
  }
  EXPECT_GT(compared, 100u);
}

TEST(Label, CoversEveryByteOfBrokenInputsOnce) {
  const generators::LoadedMatrix loaded = generators::load_matrix(HURRAY_ROOT, generators::Breadth::standard);
  for (const generators::Case& c : loaded.matrix.cases) {
    const std::vector<std::uint8_t> bytes = c.bytes();
    const auto own = static_cast<std::size_t>(c.surface);
    for (const std::size_t surface : {own, (own + 1) % facts::surface_names.size()}) {  // as what it is and as what it is not
      std::vector<std::uint8_t> joined;
      for (const generators::Segment& segment : label(bytes, static_cast<facts::Surface>(surface)))
        joined.insert(joined.end(), segment.bytes.begin(), segment.bytes.end());
      ASSERT_EQ(joined, bytes) << c.id;
    }
  }
}

}  // namespace
}  // namespace hurray::harness
