// Where the text leaves two answers open no reader is judged; these are the ones that ours gives.
#include <gtest/gtest.h>

#include "generators/build.h"
#include "reference/read.h"

namespace hurray::generators {
namespace {

TEST(Latitude, AFileMayLeaveOutThePaddingBeforeEmptyLastBuffers) {
  const auto base = nlohmann::json::parse(R"({"name": "csf-nothing-stored",
    "tensor": {"type": "float32", "shape": [3, 3, 4], "layout": {"csf": {"at": []}}, "values": []}})");
  const auto edit = nlohmann::json::parse(R"([{"raw": "tensor.padding[6]", "bytes": ""}])");
  for (const auto& edits : {nlohmann::json::array(), edit}) {
    const Built built = build(base, edits, facts::Surface::file);
    ASSERT_EQ(built.error, "");
    std::vector<std::uint8_t> bytes;
    for (const Segment& segment : built.segments) bytes.insert(bytes.end(), segment.bytes.begin(), segment.bytes.end());
    const reference::Reading reading = reference::read(bytes, facts::Surface::file, reference::Waivers::none());
    EXPECT_TRUE(reading.accepted()) << (reading.accepted() ? "" : reading.violation->message.text());
  }
}

}  // namespace
}  // namespace hurray::generators
