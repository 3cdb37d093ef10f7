#include "reference/tests/descriptor_expect.h"

namespace hurray::reference::tests {
namespace {

constexpr std::uint64_t dynamic = facts::limit::dynamic;

struct Statistics {
  std::uint32_t mask = 0x3F, reserved = 0;
  std::uint8_t first = 0, last = 0;  // of the four reserved bytes
};
std::vector<std::uint8_t> statistics(const Statistics& s) {
  return ByteString().u32(s.mask).u32(s.reserved).fill(60, 0xEE).u8(s.first).zeros(2).u8(s.last);
}

struct Extension {
  std::uint32_t width = 16;
  std::uint8_t packing = 1, is_float = 0, is_signed = 1, sign = 0, exponent = 0, mantissa = 0;
  std::uint16_t reserved = 0;
  std::uint32_t bias = 0;
  std::uint16_t reserved2 = 0;
};
std::vector<std::uint8_t> extension(const Extension& e) {
  ByteString bytes;
  bytes.u32(e.width).u8(e.packing).u8(e.is_float).u8(e.is_signed).u8(e.sign).u8(e.exponent).u8(e.mantissa);
  return bytes.u16(e.reserved).u32(e.bias).u8(0).u8(0).u16(e.reserved2);
}
DescriptorBytes private_type(const Extension& e) {
  DescriptorBytes d = plain();
  d.type = 0xF1;
  d.extension = extension(e);
  return d;
}

std::vector<std::uint8_t> member(std::uint8_t role) { return ByteString().u8(role).zeros(15); }

DescriptorBytes everything() {
  DescriptorBytes d = private_type({});
  d.shard = Shard{{6, 4}, {3, 0}};
  d.statistics = statistics({});
  d.member = member(1);
  return d;
}

TEST(DescriptorSections, StandInWireOrderNotInFlagOrder) {
  const Read outcome = read(everything());
  ASSERT_FALSE(outcome.violation) << described(outcome.violation);
  const Descriptor& d = outcome.descriptor;
  EXPECT_EQ(d.parent_shape[0], 6u);
  EXPECT_EQ(d.shard_offset[0], 3u);
  EXPECT_EQ(d.extension_bit_width, 16u);
  EXPECT_EQ(d.extension_packing, 1u);
  EXPECT_EQ(d.member_role, facts::member_role::base);
  EXPECT_LT(d.at.shard, d.at.statistics);
  EXPECT_LT(d.at.statistics, d.at.extension_type);
  EXPECT_LT(d.at.extension_type, d.at.composite_member);
}

TEST(DescriptorSections, EndInsideDescriptorLength) {
  const std::vector<std::uint8_t> whole = everything().bytes();
  for (std::uint32_t length = 20; length < whole.size(); ++length) {
    DescriptorBytes d = everything();
    d.length = length;
    const DescriptorPositions at = read(everything()).descriptor.at;
    const bool between = length == at.shard || length == at.statistics || length == at.extension_type ||
                         length == at.composite_member;
    const bool in_shard = length > at.shard && length < at.statistics;
    const Rule expected = between ? Rule::DESC_FLAG_03 : in_shard ? Rule::DESC_SHARD_01 : Rule::DESC_HDR_05;
    EXPECT_EQ(first_broken(d), expected) << length;
  }
}

TEST(DescriptorSections, MustBeThereWhenTheirFlagIsSet) {
  for (const std::uint32_t flag : {facts::flag::quantization, facts::flag::shard, facts::flag::statistics,
                                   facts::flag::composite_member}) {
    DescriptorBytes announced = plain();
    announced.flags = flag;
    expect_broken(announced, Rule::DESC_FLAG_03);
    EXPECT_FALSE(read(announced, Waivers::none().waive(Rule::DESC_FLAG_03)).descriptor.has(flag));
  }
  DescriptorBytes short_shard = plain();
  short_shard.flags = facts::flag::shard;
  short_shard.trailing = ByteString().u64s({3, 4, 0});
  expect_broken(short_shard, Rule::DESC_SHARD_01);
}

TEST(DescriptorSections, KeepShardsInTheirParent) {
  DescriptorBytes d = plain();
  const auto with = [&d](std::vector<std::uint64_t> parent, std::vector<std::uint64_t> offset) {
    d.shard = Shard{std::move(parent), std::move(offset)};
    return d;
  };
  expect_accepted(with({3, 4}, {0, 0}));
  expect_accepted(with({~std::uint64_t{1}, 8}, {~std::uint64_t{4}, 4}));
  expect_broken(with({3, 4}, {0, 1}), Rule::DESC_SHARD_02);
  expect_broken(with({2, 4}, {0, 0}), Rule::DESC_SHARD_02);
  expect_broken(with({3, 4}, {~std::uint64_t{2}, 0}), Rule::DESC_SHARD_03);
  expect_broken(with({3, dynamic}, {0, 0}), Rule::DESC_SHARD_04);
  d.shape = {dynamic, 4};
  expect_broken(with({dynamic, 4}, {0, 0}), Rule::DESC_SHARD_04);
  d.shape = {0, 4};
  expect_accepted(with({4, 4}, {4, 0}));
  expect_broken(with({4, 4}, {5, 0}), Rule::DESC_SHARD_02);
  d.shape = {};
  expect_accepted(with({}, {}));
}

TEST(DescriptorSections, TakeStatisticsAsAdviceButReserveTheirBits) {
  DescriptorBytes d = plain();
  d.statistics = statistics({});
  expect_accepted(d);
  d.statistics = statistics({.mask = 0});
  expect_accepted(d);
  for (std::uint32_t bit = 6; bit < 32; ++bit) {
    d.statistics = statistics({.mask = std::uint32_t{1} << bit});
    expect_broken(d, Rule::DESC_STAT_04);
  }
  d.statistics = statistics({.reserved = 0x80000000});
  expect_broken(d, Rule::DESC_STAT_05);
  d.statistics = statistics({.first = 1});
  expect_broken(d, Rule::DESC_STAT_06);
  d.statistics = statistics({.last = 128});
  expect_broken(d, Rule::DESC_STAT_06);
}

TEST(DescriptorSections, DescribePrivateTypesByTheRules) {
  expect_accepted(private_type({}));
  expect_accepted(private_type({.is_float = 1, .is_signed = 0, .sign = 1, .exponent = 5, .mantissa = 10, .bias = 15}));
  expect_accepted(private_type({.width = 12}));  // no whole byte: no size to check
  for (const std::uint8_t width : Octets{1, 2, 4})
    expect_accepted(private_type({.width = width, .packing = static_cast<std::uint8_t>(8 / width)}));
  expect_broken(private_type({.width = 0}), Rule::DESC_EXT_02);
  for (const std::uint8_t packing : Octets{0, 2}) expect_broken(private_type({.packing = packing}), Rule::DESC_EXT_03);
  for (const std::uint32_t width : {3u, 5u, 6u, 7u}) expect_broken(private_type({.width = width}), Rule::DESC_EXT_04);
  for (const std::uint8_t packing : Octets{0, 1, 4})
    expect_broken(private_type({.width = 4, .packing = packing}), Rule::DESC_EXT_05);
  expect_broken(private_type({.is_float = 1}), Rule::DESC_EXT_06);
  for (const std::uint8_t sign : Octets{2, 255})
    expect_broken(private_type({.is_float = 1, .is_signed = 0, .sign = sign}), Rule::DESC_EXT_07);
  expect_broken(private_type({.exponent = 1}), Rule::DESC_EXT_08);
  for (const std::uint16_t reserved : std::initializer_list<std::uint16_t>{0x01, 0x8000}) {
    expect_broken(private_type({.reserved = reserved}), Rule::DESC_EXT_09);
    expect_broken(private_type({.reserved2 = reserved}), Rule::DESC_EXT_09);
  }
  expect_broken(private_type({.sign = 1}), Rule::DESC_EXT_11);
  expect_broken(private_type({.mantissa = 1}), Rule::DESC_EXT_12);
  expect_broken(private_type({.bias = 1}), Rule::DESC_EXT_13);
}

TEST(DescriptorSections, SizePrivateTypesByTheirWidth) {
  DescriptorBytes d = private_type({.width = 32});
  expect_accepted(d);
  d = private_type({.width = 40});
  expect_broken(d, Rule::LAY_RM_02);
  d = private_type({.width = 4, .packing = 2});
  d.buffers[0].byte_size = 6;
  expect_accepted(d);
  d.buffers[0].byte_size = 5;
  expect_broken(d, Rule::LAY_RM_02);
}

TEST(DescriptorSections, BelongToPrivateTypesAlone) {
  DescriptorBytes d = plain();
  d.extension = extension({});
  expect_broken(d, Rule::DESC_FLAG_02);
  d = plain();
  d.type = 0xFE;
  expect_broken(d, Rule::TYPE_PRIV_01);
}

TEST(DescriptorSections, KnowTwoMemberRoles) {
  DescriptorBytes d = plain();
  for (const std::uint8_t role : Octets{0, 1}) {
    d.member = member(role);
    expect_accepted(d);
  }
  for (const std::uint8_t role : Octets{2, 255}) {
    d.member = member(role);
    expect_broken(d, Rule::DESC_CM_02);
  }
  for (std::size_t byte = 1; byte < 16; ++byte) {
    d.member = member(0);
    (*d.member)[byte] = 1;
    expect_broken(d, Rule::DESC_CM_03);
  }
}

}  // namespace
}  // namespace hurray::reference::tests
