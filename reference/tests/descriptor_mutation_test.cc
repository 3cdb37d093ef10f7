// Random damage to valid descriptors under random waivers: whatever comes out, nothing is read that is not there. What
// this shows it shows under the sanitizers; positions and messages are checked in any build.
#include <random>

#include "reference/tests/descriptor_expect.h"

namespace hurray::reference::tests {
namespace {

namespace layouts = facts::layout_tag;

std::vector<DescriptorBytes> valid_descriptors() {
  std::vector<DescriptorBytes> all;
  all.push_back(plain());
  all.push_back(with_layout(layouts::strided, {3, 4}, ByteString().u64s({4, 1}), {48}));
  all.push_back(with_layout(layouts::tiled, {4, 4},
                            ByteString().u64s({4, 4}).u8(3).u8(4).u16(0).u64s({1, 1}).u64s({2, 2}).u8(1).u8(3).u16(0).u64s({2, 1}),
                            {64}));
  all.push_back(with_layout(layouts::morton, {4, 4}, ByteString().u32s({2, 2}), {64}));
  all.push_back(with_layout(layouts::hilbert, {4, 4}, ByteString().u32s({2, 2}), {64}));
  all.push_back(with_layout(layouts::coo, {3, 4}, ByteString().u64(2).zeros(8), {8, 32}));
  all.push_back(with_layout(layouts::csr, {3, 4}, ByteString().u64(2).zeros(8), {8, 16, 32}));
  all.push_back(with_layout(layouts::csc, {3, 4}, ByteString().u64(2).zeros(8), {8, 16, 40}));
  all.push_back(with_layout(layouts::csf, {2, 2, 2}, ByteString().u64(1).u32s({0, 1, 2}).zeros(8), {4, 16, 8, 16, 8, 16, 8}));
  all.push_back(with_layout(layouts::block_paged, {4, 1, 1},
                            ByteString().u32(2).u64(2).u32(0).u32(1).u8(0).u32(0).u8(0).zeros(6), {16, 8, 8}));
  all.push_back(with_layout(layouts::composite, {8}, ByteString().u8(2).u8(1).u16(0).u32(2), {}));
  const std::vector<std::uint8_t> sections[] = {
      ByteString().u8(1).u8(1).u16(0).f32(0.5F).u32(3).u32(0),
      ByteString().u8(2).u8(1).u16(0).u32s({0, 1, 2}).u8(3).zeros(3),
      ByteString().u8(3).u8(1).u16(0).u32s({1, 4, 1, 2}).u8(3).zeros(3),
      ByteString().u8(4).u8(1).u16(0).u32s({1, 8, 1}),
      ByteString().u8(5).u8(1).u16(0).u32s({1, 16, 1}),
  };
  const std::initializer_list<std::uint64_t> sizes[] = {{32}, {32, 8, 8}, {32, 32, 32}, {16, 16}, {32, 2}};
  for (std::size_t i = 0; i < std::size(sections); ++i) {
    all.push_back(with_layout(layouts::row_major, {2, 16}, {}, sizes[i]));
    all.back().type = i == 3 ? facts::tag::uint4 : facts::tag::int8;
    all.back().quantization = sections[i];
    all.back().shard = Shard{{4, 16}, {2, 0}};
    all.back().statistics = std::vector<std::uint8_t>(72);
    all.back().member = std::vector<std::uint8_t>(16);
  }
  const std::size_t count = all.size();
  for (std::size_t i = 0; i < count; ++i)  // the same in a type with reserved codes
    if (!all[i].quantization && all[i].layout != layouts::hilbert)  // whose buffer would have to be exact
      all.push_back(all[i]), all.back().type = facts::tag::float8_e8m0;
  return all;
}

using Random = std::mt19937_64;

void damage(std::vector<std::uint8_t>& bytes, Random& random) {
  for (std::uint64_t edits = random() % 4; edits > 0 && !bytes.empty(); --edits) {
    std::uint8_t& byte = bytes[random() % bytes.size()];
    switch (random() % 4) {
      case 0: byte = static_cast<std::uint8_t>(byte ^ (1u << (random() % 8))); break;
      case 1: byte = static_cast<std::uint8_t>(random()); break;
      case 2: byte = 0xFF; break;
      case 3: byte = 0; break;
    }
  }
  if (random() % 8 == 0) bytes.resize(random() % (bytes.size() + 1));
}

Waivers some_waivers(Random& random) {
  switch (random() % 4) {
    case 0: return Waivers::none();
    case 1: return Waivers::of(Mode::permissive);
    case 2: return Waivers::none().waive(static_cast<Rule>(random() % facts::rule_count));
  }
  Waivers waivers;
  for (std::size_t rule = 0; rule < facts::rule_count; ++rule)
    if (random() % 16 != 0) waivers.waive(static_cast<Rule>(rule));
  return waivers;
}

/// Buffers of the sizes that the descriptor asks for, where they are small, from a few bytes that make rules hold.
bool make_buffers(const Descriptor& d, Random& random, std::vector<std::vector<std::uint8_t>>& buffers) {
  for (std::size_t i = 0; i < d.buffer_count; ++i) {
    const std::uint64_t size = d.buffer(i).byte_size;
    if (size > 4096) return false;
    buffers.emplace_back(size);
    for (std::size_t byte = 0; byte < size; byte += random() % 9 + 1)
      buffers.back()[byte] = static_cast<std::uint8_t>(random() % 5 == 0 ? random() : random() % 4);
  }
  return true;
}

TEST(DescriptorMutation, NeverReadsWhatIsNotThere) {
  const std::vector<DescriptorBytes> bases = valid_descriptors();
  for (const DescriptorBytes& base : bases) expect_accepted(base);
  Random random(20240607);
  std::size_t accepted = 0, contents_checked = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::uint8_t> bytes = bases[random() % bases.size()].bytes();
    damage(bytes, random);
    bytes.shrink_to_fit();  // so that reading one byte more is out of bounds
    const Waivers waivers = some_waivers(random);
    const auto [d, violation, lawful] = read_descriptor(bytes, 0, waivers);
    ASSERT_LE(d.at.end, bytes.size());
    if (violation) {
      ASSERT_FALSE(lawful);
      ASSERT_LE(violation->at, bytes.size());
      ASSERT_FALSE(waivers.has(violation->rule));
      continue;
    }
    ++accepted;
    std::vector<std::vector<std::uint8_t>> buffers;
    if (!make_buffers(d, random, buffers)) continue;
    const std::vector<Bytes> views(buffers.begin(), buffers.end());
    const std::vector<std::uint64_t> positions(views.size(), bytes.size());
    const std::optional<Violation> content = check_buffers(d, views, positions, waivers).violation;
    ASSERT_FALSE(content && waivers.has(content->rule));
    ++contents_checked;
  }
  EXPECT_GT(accepted, 5000u);
  EXPECT_GT(contents_checked, 3000u);
}

}  // namespace
}  // namespace hurray::reference::tests
