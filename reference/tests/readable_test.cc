// Which tensors of an accepted input have values, where a rule was waived and where the text says too little.
#include "reference/merge.h"
#include "reference/tests/carriers.h"

namespace hurray::reference::tests {
namespace {

/// Which tensors are readable, one letter each, once `rule` is waived; without the waiver it is what is broken.
std::string readable_without(Rule rule, const Sequence& sequence) {
  const ByteVector bytes = bare(sequence);
  EXPECT_EQ(read(bytes, Surface::bare, Waivers::none()).violation.value().rule, rule);
  const Reading reading = read(bytes, Surface::bare, Waivers::none().waive(rule));
  std::string letters;
  for (std::uint32_t at = 0; at < reading.tensors.size(); ++at) {
    letters += reading.tensors[at].readable ? 'y' : 'n';
    EXPECT_EQ(merged_size(reading, at).has_value(), reading.tensors[at].readable);
  }
  EXPECT_TRUE(reading.accepted()) << described(reading);
  return letters;
}

bool is_readable(const DescriptorBytes& tensor) {
  const ByteVector bytes = bare({tensor});
  const Reading reading = read(bytes, Surface::bare, Waivers::none());
  EXPECT_EQ(described(reading), "accepted");
  return reading.tensors.at(0).readable;
}

TEST(Readable, AreTheTensorsOfAnInputThatBreaksNothing) {
  const ByteVector bytes = bare(two_halves());
  const Reading reading = read(bytes, Surface::bare, Waivers::none());
  for (const Tensor& tensor : reading.tensors) EXPECT_TRUE(tensor.readable);
}

TEST(Readable, HeadsWithHolesAndOverlapsAreNot) {
  const Sizes parent{8, 8};
  EXPECT_EQ(readable_without(Rule::CMP_PART_01, {partition(parent, 1), box({8, 4}, parent, {0, 4})}), "ny");
  EXPECT_EQ(readable_without(Rule::CMP_PART_02, {partition(parent, 2), box({8, 5}, parent, {0, 0}), box({8, 4}, parent, {0, 4})}), "nyy");
}

TEST(Readable, TornHeadsAreNotButWhatArrivedIs) {
  EXPECT_EQ(readable_without(Rule::CMP_TORN_01, {partition({8, 8}, 2), box({8, 4}, {8, 8}, {0, 0})}), "ny");
}

TEST(Readable, OneBrokenMemberTakesItsHeadsWithIt) {
  DescriptorBytes member = box({8, 4}, {8, 8}, {0, 0});
  member.buffers[0].byte_size = 64;
  EXPECT_EQ(readable_without(Rule::LAY_RM_02, {group(2), partition({8, 8}, 2), member, box({8, 4}, {8, 8}, {0, 4}), tensor({1})}),
            "nnnyy");
}

TEST(Readable, TensorsWithElementsOutsideTheirBufferAreNot) {
  DescriptorBytes strided = with_layout(facts::layout_tag::strided, {3, 4}, ByteString().u64(4).u64(1), {48});
  strided.byte_offset = 4;
  EXPECT_EQ(readable_without(Rule::LAY_STR_07, {strided}), "n");
  const DescriptorBytes coo = with_layout(facts::layout_tag::coo, {4}, ByteString().u64(1).u8(1).zeros(7), {4, 8});
  EXPECT_EQ(readable_without(Rule::LAY_COO_07, {coo}), "n");  // the stored coordinate is 0x0807060504030201
}

TEST(Readable, MortonTensorsAreWhereEveryCodeLiesInTheBuffer) {
  const auto morton = [](Sizes shape, std::uint32_t first, std::uint32_t second, std::uint64_t size) {
    DescriptorBytes d = with_layout(facts::layout_tag::morton, std::move(shape), ByteString().u32(first).u32(second), {size});
    d.type = facts::tag::uint8;
    return d;
  };
  EXPECT_TRUE(is_readable(morton({4, 4}, 2, 2, 16)));
  EXPECT_TRUE(is_readable(morton({2, 2}, 3, 1, 16)));
  EXPECT_FALSE(is_readable(morton({8, 2}, 3, 1, 16)));  // codes up to 23 in a buffer of 16 (AMB-20)
  EXPECT_FALSE(is_readable(morton({5, 1}, 3, 1, 16)));  // code 16 is the first one outside
  EXPECT_TRUE(is_readable(morton({4, 2}, 3, 1, 16)));
  EXPECT_TRUE(is_readable(morton({8, 2}, 3, 1, 24)));
  DescriptorBytes moved = morton({4, 4}, 2, 2, 17);
  moved.byte_offset = 1;
  EXPECT_TRUE(is_readable(moved));
}

}  // namespace
}  // namespace hurray::reference::tests
