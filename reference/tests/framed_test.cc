// Messages of a network stream.
#include "reference/tests/carriers.h"

namespace hurray::reference::tests {
namespace {

using Messages = std::vector<MessageBytes>;
namespace type = facts::message_type;

void accept(const Messages& all) { expect_accepted(framed(all), Surface::framed); }
void broken(const Messages& all, Rule rule, std::initializer_list<Rule> forced = {}) {
  expect_broken(framed(all), Surface::framed, rule, forced);
}
Rule strict_rule(const Messages& all) {
  const ByteVector bytes = framed(all);
  return read(bytes, Surface::framed, Waivers::none()).violation.value().rule;
}
/// float32 [8] in two frames: descriptor, data, data, end.
Messages plain_messages() { return messages({tensor({8})}); }
Messages with(Messages all, std::size_t at, const MessageBytes& extra) {
  all.insert(all.begin() + static_cast<std::ptrdiff_t>(at), extra);
  return all;
}
Messages without(Messages all, std::size_t at) {
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
  return all;
}

TEST(Framed, GivesTheTensorsOfTheBareStream) {
  for (const Sequence& sequence : {two_halves(), small_overlay(), nested(), Sequence{}}) {
    const ByteVector bytes = framed(messages(sequence, 5)), plain = bare(sequence);
    const Reading reading = read(bytes, Surface::framed, Waivers::none()),
        expected = read(plain, Surface::bare, Waivers::none());
    ASSERT_EQ(described(reading), "accepted");
    ASSERT_EQ(reading.tensors.size(), expected.tensors.size());
    ASSERT_EQ(reading.buffers.size(), expected.buffers.size());
    for (std::size_t i = 0; i < reading.buffers.size(); ++i)
      EXPECT_TRUE(std::equal(reading.buffers[i].begin(), reading.buffers[i].end(), expected.buffers[i].begin(),
                             expected.buffers[i].end()));
  }
}

TEST(Framed, CopiesOnlyBuffersThatAreSplit) {
  const ByteVector bytes = framed(messages({tensor({8})}, 32)), split = framed(messages({tensor({8})}, 31));
  const Reading whole = read(bytes, Surface::framed, Waivers::none());
  EXPECT_TRUE(whole.gathered.empty());
  EXPECT_GE(whole.buffers.at(0).data(), bytes.data());
  EXPECT_EQ(read(split, Surface::framed, Waivers::none()).gathered.size(), 1u);
}

TEST(Framed, CutsSeveralBuffersFromOneRunOfBytes) {
  DescriptorBytes coo = with_layout(facts::layout_tag::coo, {4}, ByteString().u64(1).u8(1).zeros(7), {4, 8});
  Messages all;
  all.push_back(descriptor_message(coo, 12));
  all.push_back(data_message(0, ByteString().f32(1)));
  all.push_back(data_message(4, ByteString().u64(3)));
  all.push_back(end_message());
  accept(all);
  all[1] = data_message(0, ByteString().f32(1).u32(3));
  all[2] = data_message(8, ByteString().u32(0));
  accept(all);
  all[1] = data_message(0, ByteString().f32(1).u32(4));
  broken(all, Rule::LAY_COO_07);
}

TEST(FramedMessages, HaveAHeaderAndAWholePayload) {
  ByteVector bytes = framed(plain_messages());
  bytes.pop_back();
  expect_broken(bytes, Surface::framed, Rule::FRAME_01);
  bytes = framed(without(plain_messages(), 3));
  bytes.pop_back();
  expect_broken(bytes, Surface::framed, Rule::FRAME_01);
}

TEST(FramedMessages, AreRefusedAboveTheMaximumByTheirHeaderAlone) {
  Messages all = plain_messages();
  all.push_back({type::ping, 1, {}, facts::limit::payload + 1});
  broken(all, Rule::FRAME_02, {Rule::FRAME_01});
  all.back().length = 0xFFFFFFFF;
  EXPECT_EQ(strict_rule(all), Rule::FRAME_02);
}

TEST(FramedMessages, HaveAKnownType) {
  for (const std::uint32_t unknown : {0x00u, 0x0Eu, 0xEFu, 0x100u, 0x80000000u})
    broken(with(plain_messages(), 4, {unknown, 1, {1, 2}, {}}), Rule::FRAME_04);
  broken(with(plain_messages(), 0, {0xFF, 1, {}, {}}), Rule::FRAME_05);
  broken(with(plain_messages(), 1, {0xF0, 1, {}, {}}), Rule::FRAME_06);
  broken(with(plain_messages(), 1, {0xFE, 1, {}, {}}), Rule::FRAME_06);
}

TEST(FramedMessages, NameAStream) {
  for (std::size_t i = 0; i < 4; ++i) {
    Messages all = plain_messages();
    all[i].stream = 0;
    broken(all, Rule::FRAME_07);
  }
}

TEST(FramedMessages, BetweenTensorsArePassedOver) {
  Messages all = messages(two_halves());
  for (const std::uint32_t other : {type::server_hello, type::ping, type::pong})
    all = with(all, 2, {other, 1, {7}, {}});
  accept(all);
  accept(with(plain_messages(), 2, {type::ping, 1, {}, {}}));
}

TEST(FramedMessages, OfOtherStreamsAreLeftOut) {
  Messages other = plain_messages(), all = messages(two_halves());
  for (MessageBytes& message : other) message.stream = 9;
  for (std::size_t i = 0; i < other.size(); ++i) all = with(all, 1 + 2 * i, other[i]);
  const ByteVector bytes = framed(all);
  const Reading reading = read(bytes, Surface::framed, Waivers::none());
  EXPECT_EQ(described(reading), "accepted in part");
  EXPECT_EQ(reading.tensors.size(), 3u);
}

TEST(FramedMessages, EndWithAnError) {
  accept(with(plain_messages(), 4, {type::error, 1, ByteString().u32(6).u32(0), {}}));
  EXPECT_EQ(strict_rule(with(messages(two_halves()), 4, {type::error, 1, {}, {}})), Rule::CMP_TORN_01);
}

TEST(FramedDescriptor, IsFollowedByItsTransportFields) {
  Messages all = plain_messages();
  all[0].payload.pop_back();
  broken(all, Rule::STRM_DESC_01);
  all[0].payload.resize(12);
  EXPECT_EQ(strict_rule(all), Rule::STRM_DESC_01);
  all = plain_messages();
  all[0].payload.push_back(0);  // more than needed is left open
  accept(all);
}

TEST(FramedDescriptor, StatesTheBytesOfItsBuffers) {
  Messages all = plain_messages();
  const std::size_t total_at = all[0].payload.size() - 16;
  all[0].payload[total_at] = 31;
  broken(all, Rule::STRM_DATA_02);
  all = without(plain_messages(), 2);
  all[0].payload[total_at] = 16;
  broken(all, Rule::STRM_DATA_03);
  all = messages({group(0)});
  all[0].payload[all[0].payload.size() - 16] = 8;
  broken(all, Rule::STRM_DESC_03);
  broken(with(all, 1, data_message(0, {1, 2, 3, 4, 5, 6, 7, 8})), Rule::STRM_DESC_03);
}

TEST(FramedDescriptor, MayStateAnyShardNumber) {
  Messages all = plain_messages();
  all[0].payload[all[0].payload.size() - 8] = 3;
  all[0].payload[all[0].payload.size() - 4] = 9;
  accept(all);
}

TEST(FramedDescriptor, HasSyncedBuffersOnly) {
  DescriptorBytes cuda = tensor({8});
  cuda.buffers[0].device = 1;
  accept(messages({cuda}));
  cuda.buffers[0].sync = 2;
  broken(messages({cuda}), Rule::BUF_SYNC_08);
  expect_accepted(bare({cuda}), Surface::bare);
  DescriptorBytes member = box({4}, {4}, {0});
  member.buffers[0].device = 1;
  member.buffers[0].sync = 1;
  broken(messages({partition({4}, 1), member}), Rule::BUF_SYNC_08);
}

TEST(FramedOrder, IsDescriptorDataEnd) {
  broken(with(plain_messages(), 0, end_message()), Rule::STRM_ORD_01);
  broken(with(plain_messages(), 4, end_message()), Rule::STRM_ORD_07);
  broken(with(plain_messages(), 0, data_message(0, {1})), Rule::STRM_ORD_05);
  broken(with(plain_messages(), 4, data_message(0, {1})), Rule::STRM_ORD_05);
  broken(without(messages({tensor({8}), tensor({8})}), 3), Rule::STRM_ORD_06);
  broken(without(plain_messages(), 3), Rule::STRM_ORD_07);
  Messages all = plain_messages();
  all.erase(all.begin() + 1, all.begin() + 3);
  broken(all, Rule::STRM_ORD_02);
}

TEST(FramedOrder, HasNoDataForHeadsAndEmptyTensors) {
  accept(messages({tensor({0}), group(1), tensor({0, 3})}));
  broken(with(messages({tensor({0})}), 1, data_message(0, {})), Rule::STRM_ORD_03);
  broken(with(messages(two_halves()), 1, data_message(0, {1, 2, 3})), Rule::STRM_ORD_03);
}

TEST(FramedData, AscendsWithoutGapOrOverlap) {
  Messages all = plain_messages();
  std::swap(all[1], all[2]);
  broken(all, Rule::STRM_DATA_01);
  all = plain_messages();
  all[2].payload[0] = 17;
  broken(all, Rule::STRM_DATA_04);
  all[2].payload[0] = 15;
  broken(all, Rule::STRM_DATA_05);
  all = plain_messages();
  all[1].payload[0] = 1;
  broken(all, Rule::STRM_DATA_04);
  all = plain_messages();
  for (std::size_t byte = 0; byte < 8; ++byte) all[2].payload[byte] = 0xFF;
  broken(all, Rule::STRM_DATA_04);
  accept(with(plain_messages(), 2, data_message(16, {})));
}

TEST(FramedData, AddsUpToTheTotal) {
  broken(without(plain_messages(), 2), Rule::STRM_DATA_02);
  broken(with(plain_messages(), 3, data_message(32, {1})), Rule::STRM_DATA_02);
  Messages all = plain_messages();
  all[1].payload.resize(7);
  EXPECT_EQ(strict_rule(all), Rule::FRAME_01);
}

TEST(FramedEnd, IsEmpty) {
  Messages all = plain_messages();
  all[3].payload = {0};
  broken(all, Rule::STRM_END_01);
}

TEST(FramedTorn, RejectsUntilTheLastEndMessage) {
  for (const Sequence& sequence : {two_halves(), small_overlay(), Sequence{group(1), group(0)}}) {
    const ByteVector whole = framed(messages(sequence));
    const std::size_t first =
        facts::limit::message_header + sequence[0].bytes().size() + facts::limit::descriptor_trailer;
    for (std::size_t cut = first; cut < whole.size(); ++cut) {
      const ByteVector bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
      const Reading strict = read(bytes, Surface::framed, Waivers::none());
      ASSERT_FALSE(strict.accepted()) << cut;
      EXPECT_EQ(strict.violation->rule, Rule::CMP_TORN_01) << cut << described(strict);
      const Reading relaxed = read(bytes, Surface::framed, Waivers::of(facts::Mode::permissive));
      EXPECT_EQ(described(relaxed), "accepted in part") << cut;
      EXPECT_FALSE(relaxed.tensors.at(0).complete) << cut;
    }
  }
}

TEST(FramedPermissive, GoesOnBehindAnUnknownLayout) {
  DescriptorBytes unknown = tensor({4});
  unknown.layout = 0x30;
  const ByteVector bytes = framed(messages({unknown, group(1), tensor({2})}));
  const Reading reading = read(bytes, Surface::framed, Waivers::of(facts::Mode::permissive));
  EXPECT_EQ(described(reading), "accepted in part");
  ASSERT_EQ(reading.tensors.size(), 3u);
  EXPECT_TRUE(reading.tensors[1].complete);
}

}  // namespace
}  // namespace hurray::reference::tests
