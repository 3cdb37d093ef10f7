#include "harness/frame.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

namespace hurray::harness {
namespace {

void feed(FrameBuffer& frames, std::span<const std::uint8_t> bytes) {
  const auto room = frames.room();
  ASSERT_GE(room.size(), bytes.size());
  std::memcpy(room.data(), bytes.data(), bytes.size());
  frames.wrote(bytes.size());
}

TEST(Frame, StartsWithBothLengthsLittleEndian) {
  std::vector<std::uint8_t> out;
  const std::vector<std::uint8_t> body{7, 8};
  append_frame(out, "{}", body);
  EXPECT_EQ(out, (std::vector<std::uint8_t>{2, 0, 0, 0, 2, 0, 0, 0, '{', '}', 7, 8}));
}

TEST(Frame, ArrivesWholeHoweverItIsCut) {
  std::vector<std::uint8_t> wire;
  append_frame(wire, R"({"a":1})", std::vector<std::uint8_t>(300, 9));
  append_frame(wire, "{}", {});
  for (std::size_t step : {std::size_t{1}, std::size_t{5}, std::size_t{100}, wire.size()}) {
    FrameBuffer frames({});
    std::vector<std::string> headers;
    for (std::size_t at = 0; at < wire.size(); at += step) {
      feed(frames, std::span(wire).subspan(at, std::min(step, wire.size() - at)));
      while (frames.state() == FrameBuffer::State::complete) {
        headers.emplace_back(frames.header());
        if (headers.size() == 1) { EXPECT_EQ(frames.body().size(), 300u); }
        frames.pop();
      }
    }
    EXPECT_EQ(headers, (std::vector<std::string>{R"({"a":1})", "{}"}));
    EXPECT_TRUE(frames.pending().empty());
  }
}

TEST(Frame, AboveTheCapIsKnownFromTheLengthsAlone) {
  FrameBuffer frames({16, 16});
  feed(frames, std::vector<std::uint8_t>{17, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(frames.state(), FrameBuffer::State::oversized);
  frames.clear();
  feed(frames, std::vector<std::uint8_t>{0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff});
  EXPECT_EQ(frames.state(), FrameBuffer::State::oversized);
}

TEST(Number, IsTakenInBothSpellings) {
  using nlohmann::json;
  EXPECT_EQ(number_of(json::parse("17")), 17u);
  EXPECT_EQ(number_of(json(17)), 17u);
  EXPECT_EQ(number_of(json(-17)), std::nullopt);
  EXPECT_EQ(number_of(json("18446744073709551615")), ~std::uint64_t{0});
  EXPECT_EQ(number_of(json("18446744073709551616")), std::nullopt);
  EXPECT_EQ(number_of(json("-1")), std::nullopt);
  EXPECT_EQ(number_of(json("1x")), std::nullopt);
  EXPECT_EQ(number_of(json("")), std::nullopt);
  EXPECT_EQ(number_of(json(1.5)), std::nullopt);
  EXPECT_EQ(number_of(json(nullptr)), std::nullopt);
}

}  // namespace
}  // namespace hurray::harness
