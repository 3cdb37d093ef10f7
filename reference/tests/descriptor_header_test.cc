#include "reference/tests/descriptor_expect.h"

namespace hurray::reference::tests {
namespace {

TEST(DescriptorHeader, DecodesEveryFieldOfTheFormatsWorkedExample) {
  DescriptorBytes example = plain();
  example.buffers[0].byte_size = 192;
  const std::vector<std::uint8_t> bytes = example.bytes();
  ASSERT_EQ(bytes.size(), 61u);
  const DescriptorOutcome outcome = read_descriptor(bytes, 0, Waivers::none());
  ASSERT_FALSE(outcome.violation) << described(outcome.violation);
  const Descriptor& d = outcome.descriptor;
  EXPECT_EQ(d.length, 61u);
  EXPECT_EQ(d.type_tag, facts::tag::float32);
  EXPECT_EQ(d.rank, 2u);
  EXPECT_EQ(d.shape[0], 3u);
  EXPECT_EQ(d.shape[1], 4u);
  EXPECT_EQ(d.buffer_count, 1u);
  EXPECT_EQ(d.buffer(0).byte_size, 192u);
  EXPECT_EQ(d.buffer(0).alignment, 64u);
  EXPECT_EQ(d.at.end, 61u);
}

TEST(DescriptorHeader, ReadsWhereItIsToldAndIgnoresWhatFollows) {
  ByteString stream;
  stream.fill(7, 0xAA).append(plain().bytes()).fill(100, 0xBB);
  const DescriptorOutcome outcome = read_descriptor(stream.bytes(), 7, Waivers::none());
  ASSERT_FALSE(outcome.violation) << described(outcome.violation);
  EXPECT_EQ(outcome.descriptor.at.start, 7u);
  EXPECT_EQ(outcome.descriptor.at.end, 68u);
}

TEST(DescriptorHeader, RejectsForeignMagicAndMajorVersions) {
  DescriptorBytes d = plain();
  d.magic = 0x59525249;
  expect_broken(d, Rule::DESC_HDR_01);
  d = plain();
  d.major = 2;
  expect_broken(d, Rule::DESC_HDR_02);
  d.major = 0;
  expect_broken(d, Rule::VER_02);
}

TEST(DescriptorHeader, RejectsALengthBelowTheFixedHeader) {
  DescriptorBytes d = plain();
  for (const std::uint32_t length : {0u, 19u}) {
    d.length = length;
    expect_broken(d, Rule::DESC_HDR_03);
  }
}

TEST(DescriptorHeader, RejectsFieldsBeyondItsLengthThoughBytesFollow) {
  const std::vector<std::uint8_t> whole = plain().bytes();
  for (std::uint32_t length = 20; length < whole.size(); ++length) {
    DescriptorBytes d = plain();
    d.length = length;
    expect_broken(d, Rule::DESC_HDR_05);
  }
}

TEST(DescriptorHeader, RejectsEveryTruncation) {
  const std::vector<std::uint8_t> whole = plain().bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const DescriptorOutcome outcome = read_descriptor(Bytes(whole.data(), size), 0, Waivers::none());
    ASSERT_TRUE(outcome.violation) << size;
    EXPECT_EQ(outcome.violation->rule, Rule::DESC_HDR_05) << size;
  }
}

TEST(DescriptorHeader, AcceptsTrailingBytesAtAnyMinor) {
  for (const std::uint8_t minor : Octets{0, 1, 255}) {
    DescriptorBytes d = plain();
    d.minor = minor;
    d.trailing = {1, 2, 3};
    expect_accepted(d);
  }
}

TEST(DescriptorHeader, RejectsEveryReservedFlagBitAtAnyMinor) {
  for (std::uint32_t bit = 5; bit < 32; ++bit) {
    DescriptorBytes d = plain();
    d.minor = static_cast<std::uint8_t>(bit & 1);
    d.flags = std::uint32_t{1} << bit;
    expect_broken(d, Rule::DESC_FLAG_01);
  }
}

TEST(DescriptorHeader, KnowsEachTypeTagByItsRule) {
  for (unsigned tag = 0; tag < 256; ++tag) {
    DescriptorBytes d = plain();
    d.type = static_cast<std::uint8_t>(tag);
    d.buffers[0].byte_size = 12 * 16;
    if (tag == 0x00) expect_broken(d, Rule::TYPE_TAG_01);
    else if (tag == 0xFF) expect_broken(d, Rule::TYPE_TAG_02);
    else if (tag == 0x47) expect_broken(d, Rule::TYPE_TAG_07);
    else if (tag >= 0xF0) expect_broken(d, Rule::TYPE_PRIV_01);
    else if (tag >= 0x80) expect_broken(d, Rule::TYPE_TAG_04);
    else if (facts::element_type(d.type) == nullptr) expect_broken(d, Rule::TYPE_TAG_03);
    else expect_accepted(d);
  }
}

TEST(DescriptorHeader, KnowsEachUnusedLayoutTagByItsRule) {
  for (unsigned tag = 0; tag < 256; ++tag) {
    DescriptorBytes d = plain();
    d.layout = static_cast<std::uint8_t>(tag);
    if (tag == 0x00) expect_broken(d, Rule::LAY_TAG_01);
    else if (tag == 0xFF) expect_broken(d, Rule::LAY_TAG_05);
    else if (facts::layout(d.layout) == nullptr && tag < 0xF0) expect_broken(d, Rule::LAY_TAG_02);
  }
}

TEST(DescriptorHeader, ShowsShapeAndTypeOfAnUnknownLayoutWhereThatIsWaived) {
  DescriptorBytes d = plain();
  d.layout = 0x0C;
  const Read outcome = read(d, Waivers::of(Mode::permissive));
  ASSERT_FALSE(outcome.violation) << described(outcome.violation);
  EXPECT_TRUE(outcome.descriptor.opaque);
  EXPECT_TRUE(outcome.descriptor.buffers_unknown);
  EXPECT_EQ(outcome.descriptor.shape[1], 4u);
  EXPECT_EQ(outcome.descriptor.at.end, 61u);
}

TEST(DescriptorHeader, BoundsTheRank) {
  DescriptorBytes d = plain();
  d.shape.assign(64, 1);
  expect_accepted(d);
  d.shape.assign(65, 1);
  expect_broken(d, Rule::DM_RANK_01);
  d = plain();
  d.rank = 0xFFFFFFFF;
  EXPECT_EQ(first_broken(d), Rule::DM_RANK_01);
  const Read bounded = read(d, Waivers::none().waive(Rule::DM_RANK_01).waive(Rule::DESC_HDR_05));
  EXPECT_LE(bounded.descriptor.rank, 8u);
}

TEST(DescriptorHeader, KeepsScalarsRowMajor) {
  DescriptorBytes d = plain();
  d.shape = {};
  d.buffers = {{.byte_size = 4}};
  expect_accepted(d);
  d.layout = facts::layout_tag::column_major;
  expect_broken(d, Rule::DM_SCALAR_01);
  d.layout = facts::layout_tag::morton;
  expect_broken(d, Rule::DM_SCALAR_01);
  d.layout = facts::layout_tag::strided;
  expect_broken(d, Rule::LAY_STR_05);
  d.layout = facts::layout_tag::tiled;
  d.fields = {1, 1, 0, 0};
  expect_broken(d, Rule::LAY_TILE_09);
  d = with_layout(facts::layout_tag::coo, {}, ByteString().u64(1).zeros(8), {4, 0});
  expect_broken(d, Rule::LAY_COO_09);
}

TEST(DescriptorHeader, AcceptsEmptyAndDynamicDimensions) {
  DescriptorBytes d = plain();
  d.shape = {0, 4};
  d.buffers = {{.byte_size = 0, .alignment = 1}};
  expect_accepted(d);
  d.shape = {facts::limit::dynamic, 4};
  expect_accepted(d);
}

}  // namespace
}  // namespace hurray::reference::tests
