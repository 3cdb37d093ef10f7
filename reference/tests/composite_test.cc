// Binding and the checks across members, on bare streams.
#include "reference/tests/carriers.h"

namespace hurray::reference::tests {
namespace {

void accept(const Sequence& sequence) { expect_accepted(bare(sequence), Surface::bare); }
void broken(const Sequence& sequence, Rule rule, std::initializer_list<Rule> forced = {}) {
  expect_broken(bare(sequence), Surface::bare, rule, forced);
}
Reading permissive(const ByteVector& bytes) { return read(bytes, Surface::bare, Waivers::of(Mode::permissive)); }

Sequence chain(std::size_t heads) {
  Sequence sequence(heads, group(1));
  sequence.push_back(tensor({1}));
  return sequence;
}

TEST(Binding, TakesAnEmptyStream) {
  accept({});
}

TEST(Binding, TreatsTensorsAfterTheLastMemberAsTheirOwn) {
  const ByteVector bytes = bare(nested());
  const Reading reading = read(bytes, Surface::bare, Waivers::none());
  ASSERT_EQ(described(reading), "accepted");
  ASSERT_EQ(reading.tensors.size(), 7u);
  const std::uint32_t none = Tensor::none;
  const std::uint32_t enclosing[] = {none, 0, 1, 1, 0, 0, none}, depth[] = {0, 1, 2, 2, 1, 1, 0},
      skip[] = {6, 3, 1, 1, 1, 1, 1};
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(reading.tensors[i].enclosing, enclosing[i]) << i;
    EXPECT_EQ(reading.tensors[i].depth, depth[i]) << i;
    EXPECT_EQ(reading.tensors[i].skip, skip[i]) << i;
    EXPECT_TRUE(reading.tensors[i].complete) << i;
  }
  EXPECT_EQ(reading.tensors[0].members_seen, 3u);
  EXPECT_EQ(reading.buffers[reading.tensors[5].first_buffer].size(), 20u);
}

TEST(Binding, TakesEightLevels) {
  accept(chain(8));
  broken(chain(9), Rule::CMP_DEPTH_01);
  broken(chain(40), Rule::CMP_DEPTH_01);
}

TEST(Binding, BindsWhateverFollowsAShortComposite) {
  Sequence sequence = two_halves();
  sequence.pop_back();
  sequence.push_back(tensor({2}));
  broken(sequence, Rule::CMP_MEMBER_01, {Rule::CMP_MEMBER_04});
  accept({group(2), tensor({1}), tensor({2})});
}

TEST(Torn, RejectsAndInPermissiveModeKeepsWhatArrived) {
  const ByteVector whole = bare(two_halves());
  const std::size_t head_end = two_halves()[0].bytes().size();
  const std::size_t first_end = head_end + two_halves()[1].bytes().size() + 128;
  for (std::size_t cut = head_end; cut < whole.size(); ++cut) {
    const ByteVector bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
    const Reading strict = read(bytes, Surface::bare, Waivers::none());
    ASSERT_FALSE(strict.accepted()) << cut;
    EXPECT_EQ(strict.violation->rule, Rule::CMP_TORN_01) << cut << described(strict);
    const Reading relaxed = permissive(bytes);
    EXPECT_EQ(described(relaxed), "accepted in part") << cut;
    EXPECT_FALSE(relaxed.tensors.at(0).complete);
    EXPECT_EQ(relaxed.tensors.size(), cut < first_end ? 1u : 2u) << cut;
    EXPECT_EQ(relaxed.tensors[0].members_seen, relaxed.tensors.size() - 1);
    EXPECT_EQ(relaxed.tensors[0].skip, relaxed.tensors.size());
  }
}

TEST(Torn, TearsEveryEnclosingComposite) {
  Sequence sequence = nested();
  sequence.resize(3);
  const ByteVector bytes = bare(sequence);
  const Reading reading = permissive(bytes);
  ASSERT_EQ(described(reading), "accepted in part");
  EXPECT_FALSE(reading.tensors.at(0).complete);
  EXPECT_FALSE(reading.tensors.at(1).complete);
  EXPECT_TRUE(reading.tensors.at(2).complete);
  broken(sequence, Rule::CMP_TORN_01);
}

TEST(Torn, TakesNoMemoryForPromisedMembers) {
  broken({group(0xFFFFFFFE), tensor({1})}, Rule::CMP_TORN_01);
}

TEST(Torn, DoesNotApplyToAPlainTensor) {
  ByteVector bytes = bare({tensor({3}), tensor({4})});
  bytes.pop_back();
  expect_broken(bytes, Surface::bare, Rule::STRM_00);
  EXPECT_FALSE(permissive(bytes).accepted());
  bytes.resize(bytes.size() - 16);
  expect_broken(bytes, Surface::bare, Rule::DESC_HDR_05);
}

TEST(OpenCount, BindsToTheEndWhereItIsWaived) {
  broken({group(0xFFFFFFFF), tensor({1}), tensor({2})}, Rule::CMP_COUNT_01);
  const ByteVector bytes = bare({group(0xFFFFFFFF), tensor({1}), tensor({2})});
  const Reading reading = permissive(bytes);
  ASSERT_EQ(reading.tensors.size(), 3u);
  EXPECT_FALSE(reading.tensors[0].complete);
}

TEST(Members, NeedAShardSection) {
  Sequence sequence = two_halves();
  sequence[1].shard.reset();
  broken(sequence, Rule::CMP_MEMBER_01);
  sequence = small_overlay();
  sequence[1].shard.reset();
  broken(sequence, Rule::CMP_MEMBER_02);
  sequence = {partition({4}, 1), partition({4}, 1), box({4}, {4}, {0})};
  broken(sequence, Rule::CMP_HEAD_05);
}

TEST(Members, RepeatTheShapeOfTheirOwnHead) {
  Sequence sequence = two_halves();
  sequence[2].shard->parent = {8, 9};
  broken(sequence, Rule::CMP_MEMBER_03);
  sequence = {partition({4}, 1), placed(partition({4}, 2), {4}, {0}), box({2}, {4}, {0}), box({2}, {4}, {2})};
  accept(sequence);
  sequence = {partition({8}, 2), placed(partition({4}, 1), {8}, {0}), box({4}, {8}, {0}), box({4}, {8}, {4})};
  broken(sequence, Rule::CMP_MEMBER_03);
}

TEST(Members, HaveTheRankOfTheirHead) {
  broken({partition({8, 8}, 1), box({8}, {8}, {0})}, Rule::CMP_MEMBER_04);
  broken({partition({8}, 1), box({8, 1}, {8, 1}, {0, 0})}, Rule::CMP_MEMBER_04);
}

TEST(Members, LieInsideTheirHead) {
  Sequence sequence = two_halves();
  sequence[2].shard->offset = {0, 5};
  broken(sequence, Rule::DESC_SHARD_02, {Rule::CMP_PART_01});
}

TEST(Members, AreNeverBlockPagedInAPartition) {
  DescriptorBytes paged = with_layout(facts::layout_tag::block_paged, {2, 1, 1},
                                      ByteString().u32(2).u64(1).u32(0).u32(1).u8(0).u32(0).u8(0).zeros(6), {8, 4, 16});
  Sequence sequence{partition({2, 1, 1}, 1), paged};
  const ByteVector bytes = bare(sequence);
  EXPECT_EQ(read(bytes, Surface::bare, Waivers::none()).violation.value().rule, Rule::CMP_MEMBER_12);
}

TEST(Members, DecodeToTheTypeOfTheirHead) {
  Sequence sequence = two_halves();
  sequence[1].type = facts::tag::int32;
  broken(sequence, Rule::CMP_TYPE_02);
  sequence = two_halves();
  sequence[1] = quantized(sequence[1]);
  accept(sequence);
  for (const std::uint8_t type : {facts::tag::float16, facts::tag::bfloat16, facts::tag::float64}) {
    sequence = {partition({4}, 1), quantized(box({4}, {4}, {0}))};
    sequence[0].type = type;
    accept(sequence);
  }
  for (const std::uint8_t type : {facts::tag::int8, facts::tag::boolean, facts::tag::complex64}) {
    sequence[0].type = type;
    broken(sequence, Rule::CMP_TYPE_03);
  }
  sequence = {partition({4}, 1), placed(partition({4}, 1), {4}, {0}), box({4}, {4}, {0})};
  sequence[0].type = facts::tag::int32;
  broken(sequence, Rule::CMP_TYPE_04);
}

TEST(Members, OfAGroupMayDifferInEverything) {
  DescriptorBytes bytes = box({7}, {9}, {2});
  bytes.type = facts::tag::int32;
  accept({group(3), bytes, tensor({2, 2, 2}), two_halves()[0], two_halves()[1], two_halves()[2]});
}

TEST(MemberSection, BelongsToOverlaysOnly) {
  Sequence sequence = two_halves();
  sequence[1] = with_role(sequence[1], 0);
  broken(sequence, Rule::CMP_SECT_01);
  broken({group(1), with_role(tensor({1}), 1)}, Rule::CMP_SECT_02);
  sequence = small_overlay();
  sequence[1].member.reset();
  broken(sequence, Rule::CMP_SECT_03);
  sequence = small_overlay();
  sequence[3].member.reset();
  broken(sequence, Rule::CMP_SECT_03);
  accept({with_role(tensor({1}), 1)});
}

TEST(MemberSection, IsNotForHeadsExceptInAnOverlay) {
  broken({with_role(group(0), 1)}, Rule::CMP_HEAD_03);
  broken({group(1), with_role(group(0), 1)}, Rule::CMP_HEAD_03, {Rule::CMP_SECT_02});
  const Sequence inner{placed(partition({4}, 1), {4}, {0}), box({4}, {4}, {0})};
  accept({overlay({4}, 1), inner[0], inner[1]});
  accept({overlay({4}, 1), with_role(inner[0], 1), inner[1]});
}

TEST(Roles, StartWithTheBase) {
  Sequence sequence = small_overlay();
  sequence[1].member = ByteString().u8(0).zeros(15);
  broken(sequence, Rule::CMP_ROLE_02);
  sequence = small_overlay();
  sequence[3].member = ByteString().u8(1).zeros(15);
  broken(sequence, Rule::CMP_ROLE_05);
  sequence = {overlay({4}, 1), with_role(box({2}, {4}, {0}), 1)};
  broken(sequence, Rule::CMP_ROLE_04);
  sequence = {overlay({4}, 1), with_role(box({2}, {4}, {1}), 1)};
  broken(sequence, Rule::CMP_ROLE_03, {Rule::CMP_ROLE_04});
}

TEST(Overlay, NeedsABaseAndNoCover) {
  accept(small_overlay());
  accept({overlay({4}, 1), base({4})});
  broken({overlay({4}, 0)}, Rule::CMP_COUNT_03);
}

TEST(Head, WithADynamicDimensionTakesNoMembers) {
  const std::uint64_t dynamic = ~std::uint64_t{0};
  const Sequence sequence{partition({dynamic}, 1), placed(tensor({1}), {dynamic}, {0})};
  EXPECT_EQ(read(bare(sequence), Surface::bare, Waivers::none()).violation.value().rule, Rule::CMP_HEAD_10);
  accept({head(3, 0, {dynamic}, 1), tensor({1})});
  accept({partition({dynamic}, 0)});
}

TEST(Partition, CoversEveryIndexOnce) {
  accept(two_halves());
  Sequence sequence = two_halves();
  sequence[2] = box({7, 4}, {8, 8}, {0, 4});
  broken(sequence, Rule::CMP_PART_01);
  sequence[2] = box({8, 5}, {8, 8}, {0, 3});
  broken(sequence, Rule::CMP_PART_02);
  sequence[2] = box({8, 4}, {8, 8}, {0, 3});
  broken(sequence, Rule::CMP_PART_02, {Rule::CMP_PART_01});
}

TEST(Partition, NamesTheIndexAndTheMembers) {
  Sequence sequence = two_halves();
  sequence[2] = box({7, 4}, {8, 8}, {0, 4});
  Reading reading = read(bare(sequence), Surface::bare, Waivers::none());
  EXPECT_EQ(reading.violation.value().message.text(), "index [7,4] belongs to no member (closing member 2 of 2)");
  sequence[2] = box({8, 5}, {8, 8}, {0, 3});
  reading = read(bare(sequence), Surface::bare, Waivers::none());
  EXPECT_EQ(reading.violation.value().message.text(), "index [0,3] belongs to members[0] and members[1]");
}

TEST(Partition, IsExactBeyond64Bits) {
  const std::uint64_t size = std::uint64_t{1} << 33, half = size / 2;
  const Sizes all{size, size};
  Sequence sequence{partition(all, 2), vast_box({half, size}, all, {0, 0}), vast_box({half, size}, all, {half, 0})};
  accept(sequence);
  sequence[2] = vast_box({half, size - 1}, all, {half, 0});
  broken(sequence, Rule::CMP_PART_07);
  sequence[2] = vast_box({half + 1, size}, all, {half - 1, 0});
  broken(sequence, Rule::CMP_PART_07);
  EXPECT_TRUE(permissive(bare(sequence)).accepted());
}

TEST(Partition, LetsEmptyBoxesLieAnywhere) {
  accept({partition({4}, 3), box({4}, {4}, {0}), box({0}, {4}, {2}), box({0}, {4}, {2})});
  accept({partition({0, 4}, 2), box({0, 4}, {0, 4}, {0, 0}), box({0, 4}, {0, 4}, {0, 0})});
  accept({partition({4}, 0)});
  accept({partition({0}, 0)});
}

TEST(Partition, OfRankZeroHasOneMember) {
  accept({partition({}, 1), box({}, {}, {})});
  broken({partition({}, 2), box({}, {}, {}), box({}, {}, {})}, Rule::CMP_PART_02);
}

TEST(Partition, RejectedInsideAGroupRejectsTheGroup) {
  broken({group(2), partition({4}, 1), box({3}, {4}, {0}), tensor({1})}, Rule::CMP_PART_01);
}

TEST(Permissive, StopsAtALayoutWithoutALength) {
  DescriptorBytes unknown = tensor({4});
  unknown.layout = 0x30;
  const ByteVector bytes = bare({tensor({1}), group(2), unknown, tensor({2})});
  EXPECT_EQ(read(bytes, Surface::bare, Waivers::none()).violation.value().rule, Rule::LAY_TAG_02);
  const Reading reading = permissive(bytes);
  ASSERT_EQ(described(reading), "accepted in part");
  ASSERT_EQ(reading.tensors.size(), 3u);
  EXPECT_FALSE(reading.tensors[1].complete);
  EXPECT_TRUE(reading.tensors[2].descriptor.opaque);
}

TEST(LoneHead, IsCheckedOnTheDescriptorSurface) {
  expect_accepted(partition({4}, 2).bytes(), Surface::descriptor);
  expect_broken(with_role(partition({4}, 2), 1).bytes(), Surface::descriptor, Rule::CMP_HEAD_03);
  const ByteVector bytes = partition({4}, 2).bytes();
  const Reading reading = read(bytes, Surface::descriptor, Waivers::none());
  EXPECT_FALSE(reading.tensors.at(0).complete);
}

TEST(Members, OfALargeGridArriveAndClose) {
  constexpr std::uint64_t side = 300;
  ByteString all;
  all.append(partition({side, side}, side * side).bytes());
  for (std::uint64_t row = 0; row < side; ++row)
    for (std::uint64_t column = 0; column < side; ++column)
      all.append(box({1, 1}, {side, side}, {row, column}).bytes()).zeros(4);
  expect_accepted(all, Surface::bare);
}

}  // namespace
}  // namespace hurray::reference::tests
