// Files: header, trailer, index, key-value section, placement and binding by offset.
#include "reference/crc32c.h"
#include "reference/tests/carriers.h"
#include "reference/utf8.h"

namespace hurray::reference::tests {
namespace {

constexpr std::uint64_t most = ~std::uint64_t{0};

void accept(const FileBytes& file) { expect_accepted(file.bytes(), Surface::file); }
void broken(const FileBytes& file, Rule rule, std::initializer_list<Rule> forced = {}) {
  expect_broken(file.bytes(), Surface::file, rule, forced);
}
Rule strict_rule(const FileBytes& file) {
  const ByteVector bytes = file.bytes();
  return read(bytes, Surface::file, Waivers::none()).violation.value().rule;
}
FileBytes plain_file() { return FileBytes({tensor({8}), tensor({3})}); }
template <typename Change>
FileBytes changed(Change change) {
  FileBytes file = plain_file();
  change(file);
  return file;
}
template <typename Change>
void broken(Rule rule, Change change) {
  broken(changed(change), rule);
}

ByteString entry(const char* key, std::uint8_t tag) {
  const std::string_view text = key;
  return ByteString().u16(text.size()).append(ByteVector(text.begin(), text.end())).u8(tag);
}
/// One entry of each value type.
ByteVector all_values() {
  return ByteString()
      .u32(8)
      .append(entry("string", 1).u32(2).u16(0x4142))
      .append(entry("int", 2).u64(most))
      .append(entry("unsigned", 3).u64(1))
      .append(entry("float", 4).u64(0x3FF0000000000000))
      .append(entry("yes", 5).u8(1))
      .append(entry("bytes", 6).u32(3).zeros(3))
      .append(entry("numbers", 7).u8(2).u32(2).u64(1).u64(2))
      .append(entry("texts", 7).u8(1).u32(2).u32(1).u8('x').u32(0));
}
void broken_kv(Rule rule, const ByteVector& kv) {
  broken(rule, [&](FileBytes& file) { file.kv = kv; });
}

TEST(Crc32c, GivesTheKnownValue) {
  const ByteVector digits{'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  EXPECT_EQ(crc32c(digits), 0xE3069283u);
  EXPECT_EQ(crc32c_by_table(digits), 0xE3069283u);
  ByteVector longer(1001);
  for (std::size_t i = 0; i < longer.size(); ++i) longer[i] = static_cast<std::uint8_t>(i * 7);
  EXPECT_EQ(crc32c(longer), slow_crc32c(longer));
  EXPECT_EQ(crc32c_by_table(longer), slow_crc32c(longer));
}

TEST(Utf8, IsShortestFormsOfScalarValues) {
  for (const char* good : {"", "a", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(is_utf8(good)) << good;
  for (const char* bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xC2", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                          "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "a\xFF"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST(File, GivesTheTensorsOfTheBareStream) {
  for (const Sequence& sequence : {two_halves(), small_overlay(), nested(), Sequence{}, Sequence{group(0)}}) {
    const ByteVector bytes = FileBytes(sequence).bytes(), plain = bare(sequence);
    const Reading reading = read(bytes, Surface::file, Waivers::none()),
        expected = read(plain, Surface::bare, Waivers::none());
    ASSERT_EQ(described(reading), "accepted");
    ASSERT_EQ(reading.tensors.size(), expected.tensors.size());
    for (std::size_t i = 0; i < reading.tensors.size(); ++i)
      EXPECT_EQ(reading.tensors[i].name, "t" + std::to_string(i));
    ASSERT_EQ(reading.buffers.size(), expected.buffers.size());
    for (std::size_t i = 0; i < reading.buffers.size(); ++i)
      EXPECT_TRUE(std::equal(reading.buffers[i].begin(), reading.buffers[i].end(), expected.buffers[i].begin(),
                             expected.buffers[i].end()));
  }
}

TEST(FileHeader, IsChecked) {
  broken(Rule::FILE_HDR_01, [](FileBytes& file) { file.magic[7] = 'e'; });
  broken(Rule::FILE_HDR_02, [](FileBytes& file) { file.major = 2; });
  broken(Rule::VER_02, [](FileBytes& file) { file.major = 0; });
  broken(Rule::FILE_HDR_03, [](FileBytes& file) { file.reserved = 0x100; });
  broken(Rule::FILE_FLAG_01, [](FileBytes& file) { file.flags |= 8; });
  broken(Rule::FILE_FLAG_01, [](FileBytes& file) { file.flags |= 0x80000000; });
  broken(Rule::FILE_HDR_07, [](FileBytes& file) { file.first_descriptor = 56; });
  broken(Rule::FILE_HDR_12, [](FileBytes& file) { file.first_descriptor = 68; });
  broken(Rule::FILE_HDR_10, [](FileBytes& file) { file.header_reserved.back() = 1; });
  accept(changed([](FileBytes& file) { file.minor = 7; }));
  accept(changed([](FileBytes& file) { file.hint = 99; }));
}

TEST(FileHeader, HasALegalAlignment) {
  broken(changed([](FileBytes& file) { file.alignment = 0; }), Rule::FILE_HDR_04, {Rule::FILE_HDR_05});
  for (const std::uint32_t alignment : {4097u, 6144u})
    broken(Rule::FILE_HDR_04, [=](FileBytes& file) { file.alignment = alignment; });
  for (const std::uint32_t alignment : {1u, 64u, 2048u}) {
    broken(Rule::FILE_HDR_05, [=](FileBytes& file) { file.alignment = alignment; });
    broken(FileBytes({tensor({8}), with_layout(facts::layout_tag::coo, {4}, ByteString().u64(0).u8(1).zeros(7),
                                               {0, 0})}, alignment), Rule::FILE_HDR_05);
  }
  broken(Rule::FILE_HDR_06, [](FileBytes& file) { file.alignment = 4194304; });
  accept(FileBytes({tensor({8})}, 2097152));
}

TEST(FileTrailer, IsChecked) {
  broken(Rule::FILE_TRL_01, [](FileBytes& file) { file.trailer_magic[0] = 'h'; });
  broken(Rule::FILE_TRL_02, [](FileBytes& file) { file.trailer_reserved = 1; });
  EXPECT_EQ(strict_rule(changed([](FileBytes& file) { file.index_length = most; })), Rule::FILE_TRL_03);
  EXPECT_EQ(strict_rule(changed([](FileBytes& file) { file.index_offset = most - 7; })), Rule::FILE_TRL_03);
  EXPECT_EQ(strict_rule(changed([](FileBytes& file) { file.index_offset = 0; })), Rule::FILE_IDX_10);
  broken(Rule::FILE_IDX_01, [](FileBytes& file) { file.index_padding = 4; });
  ByteVector small = FileBytes({}).bytes();
  small.resize(103);
  expect_broken(small, Surface::file, Rule::FILE_TRL_01);
  expect_broken({'H', 'R'}, Surface::file, Rule::FILE_HDR_01, {Rule::FILE_TRL_01});
  expect_broken({}, Surface::file, Rule::FILE_HDR_01, {Rule::FILE_TRL_01});
}

TEST(FileChecksum, IsVerifiedExactlyWhenFlagged) {
  broken(Rule::FILE_FLAG_03, [](FileBytes& file) { file.crc = 0; });
  broken(Rule::FILE_FLAG_04, [](FileBytes& file) { file.flags = 0, file.crc = 1; });
  accept(changed([](FileBytes& file) { file.flags = 0; }));
}

TEST(FileIndex, HoldsItsEntries) {
  broken(Rule::FILE_IDX_10, [](FileBytes& file) { file.count = 3; });
  broken(Rule::FILE_IDX_10, [](FileBytes& file) { file.count = most; });
  broken(Rule::FILE_IDX_10, [](FileBytes& file) { file.entries[1].name_length = 0xFFFF; });
  accept(changed([](FileBytes& file) { file.count = 1; }));  // the second tensor is left unindexed
}

TEST(FileIndex, NamesEachTensorOnce) {
  broken(Rule::FILE_IDX_03, [](FileBytes& file) { file.entries[0].name = ""; });
  broken(Rule::FILE_IDX_03, [](FileBytes& file) { file.entries[0].name = "\xFF"; });
  broken(Rule::FILE_IDX_07, [](FileBytes& file) { file.entries[0].name = "t1"; });
  broken(Rule::FILE_IDX_05, [](FileBytes& file) { file.entries[1].flags = 1; });
}

TEST(FileIndex, IsSortedWhereItSaysSo) {
  FileBytes file = plain_file();
  file.flags |= facts::file_flag::sorted_index;
  accept(file);
  std::swap(file.entries[0], file.entries[1]);
  broken(file, Rule::FILE_IDX_08);
  file.flags = 0;
  accept(file);
  file = plain_file();
  file.flags |= facts::file_flag::sorted_index;
  file.entries[0].name = "\xC3\xA9";  // above every ASCII name
  broken(file, Rule::FILE_IDX_08);
}

TEST(FileIndex, AgreesWithTheDescriptors) {
  broken(Rule::FILE_IDX_04, [](FileBytes& file) { ++file.entries[0].descriptor_length; });
  broken(Rule::FILE_IDX_04, [](FileBytes& file) { file.entries[1].descriptor_length = 0xFFFFFFFF; });
  broken(Rule::FILE_IDX_10, [](FileBytes& file) { file.entries[1].descriptor_offset = most - 7; });
  broken(Rule::FILE_IDX_10, [](FileBytes& file) { file.entries[1].descriptor_offset = file.bytes().size() - 40; });
  EXPECT_EQ(strict_rule(changed([](FileBytes& file) { file.entries[1].descriptor_offset = 0; })), Rule::FILE_IDX_10);
  FileBytes shifted({tensor({0})});
  shifted.body.insert(shifted.body.begin(), 4, 0);
  shifted.entries[0].descriptor_offset += 4;
  broken(shifted, Rule::FILE_DESC_01);
}

TEST(FileData, LiesInsideTheFile) {
  EXPECT_EQ(strict_rule(changed([](FileBytes& file) { file.entries[1].data_offset = most - 4095; })),
            Rule::FILE_IDX_10);
  EXPECT_EQ(strict_rule(changed([](FileBytes& file) { file.entries[1].data_length = most; })), Rule::FILE_IDX_10);
  EXPECT_EQ(strict_rule(changed([](FileBytes& file) { file.entries[0].data_offset = 0; })), Rule::FILE_IDX_10);
  FileBytes lying({tensor({8})});
  for (const std::uint64_t elements : {std::uint64_t{1} << 20, std::uint64_t{1} << 61, std::uint64_t{1} << 62}) {
    DescriptorBytes large = tensor({8});  // as long as the one that it replaces
    large.shape = {elements};
    large.buffers[0].byte_size = elements == std::uint64_t{1} << 62 ? most : 4 * elements;
    const ByteVector descriptor = large.bytes();
    std::copy(descriptor.begin(), descriptor.end(), lying.body.begin());
    const ByteVector bytes = lying.bytes();
    EXPECT_FALSE(read(bytes, Surface::file, Waivers::none()).accepted()) << elements;
    EXPECT_TRUE(elements > (std::uint64_t{1} << 61) || strict_rule(lying) == Rule::FILE_IDX_10) << elements;
  }
}

TEST(FileData, IsAligned) {
  FileBytes file({tensor({8})});
  file.body.insert(file.body.begin() + 4000, 64, 0);
  file.entries[0].data_offset += 64;
  broken(file, Rule::FILE_DATA_01);
  const DescriptorBytes coo = with_layout(facts::layout_tag::coo, {4}, ByteString().u64(0).u8(1).zeros(7), {0, 0});
  accept(FileBytes({coo}));
  DescriptorBytes full = with_layout(facts::layout_tag::coo, {200}, ByteString().u64(1).u8(1).zeros(7), {4, 8});
  FileBytes spread({full}), packed({full}, 4096, true);
  const auto zero_index = [](FileBytes& f) { std::fill(f.body.end() - 8, f.body.end(), std::uint8_t{0}); };
  zero_index(spread);
  zero_index(packed);
  accept(spread);
  broken(packed, Rule::FILE_DATA_02);
  --spread.entries[0].data_offset;
  EXPECT_EQ(strict_rule(spread), Rule::FILE_DATA_01);
}

TEST(FileData, OfHeadsAndEmptyTensorsNeedsNoPlace) {
  FileBytes file({group(1), tensor({0})});
  file.entries[0].data_offset = most;
  file.entries[1].data_offset = 65;
  accept(file);
}

TEST(FileData, LengthUnlikeTheBuffersIsLeftOpen) {
  accept(changed([](FileBytes& file) { file.entries[0].data_length += 8; }));
  accept(changed([](FileBytes& file) { file.entries[0].data_length = 0; }));
}

TEST(FileKeyValues, TakeEveryType) {
  accept(changed([](FileBytes& file) { file.kv = all_values(); }));
  accept(changed([](FileBytes& file) { file.kv = ByteString().u32(0); }));
  accept(changed([](FileBytes& file) { file.kv = ByteString().u32(2).append(entry("a", 5).u8(0)).append(
      entry("A", 5).u8(0)); }));
}

TEST(FileKeyValues, AreChecked) {
  broken_kv(Rule::FILE_KV_02, ByteString().u32(1).append(entry("", 5).u8(0)));
  broken_kv(Rule::FILE_KV_03, ByteString().u32(2).append(entry("a", 5).u8(0)).append(entry("a", 5).u8(0)));
  broken_kv(Rule::FILE_KV_04, ByteString().u32(1).append(entry("\xC0\x80", 5).u8(0)));
  broken_kv(Rule::FILE_KV_05, ByteString().u32(1).append(entry("a", 5).u8(2)));
  broken_kv(Rule::FILE_KV_05, ByteString().u32(1).append(entry("a", 7).u8(5).u32(3).u8(0).u8(1).u8(255)));
  for (const std::uint8_t tag : {std::uint8_t{0}, std::uint8_t{7}, std::uint8_t{0xFF}})
    broken_kv(Rule::FILE_KV_06, ByteString().u32(1).append(entry("a", 7).u8(tag).u32(0)));
  for (const std::uint8_t tag : {std::uint8_t{0x08}, std::uint8_t{0x80}, std::uint8_t{0xEF}, std::uint8_t{0xF0}})
    broken_kv(Rule::FILE_KV_07, ByteString().u32(1).append(entry("a", tag)));
  broken_kv(Rule::FILE_KV_08, ByteString().u32(1).append(entry("a", 0xFF)));
  broken_kv(Rule::FILE_KV_08, ByteString().u32(1).append(entry("a", 0)));
}

TEST(FileKeyValues, StayInsideTheirSection) {
  broken_kv(Rule::FILE_IDX_10, ByteString().u32(2).append(entry("a", 5).u8(0)));
  broken_kv(Rule::FILE_IDX_10, ByteString().u32(0xFFFFFFFF));
  broken_kv(Rule::FILE_IDX_10, ByteString().u32(1).append(entry("a", 1).u32(0xFFFFFFFF)));
  broken_kv(Rule::FILE_IDX_10, ByteString().u32(1).append(entry("a", 7).u8(3).u32(0xFFFFFFFF)));
  broken_kv(Rule::FILE_IDX_10, ByteString().u32(1).append(entry("a", 7).u8(1).u32(0xFFFFFFFF)));
  broken_kv(Rule::FILE_IDX_10, ByteString().u16(1));
  const auto with = [](auto change) {
    return changed([&](FileBytes& file) {
      file.kv = all_values();
      change(file);
    });
  };
  broken(with([](FileBytes& file) { file.kv_offset = most - 63; }), Rule::FILE_IDX_10);
  broken(with([](FileBytes& file) { file.kv_length = 0xFFFFFFFF; }), Rule::FILE_IDX_10);
  const auto lengthen = [](FileBytes& file) { file.kv_length = static_cast<std::uint32_t>(file.kv->size() + 16); };
  EXPECT_EQ(strict_rule(with(lengthen)), Rule::FILE_IDX_10);
  EXPECT_EQ(strict_rule(with([](FileBytes& file) { file.kv_offset = 8; })), Rule::FILE_IDX_10);
  broken(with([](FileBytes& file) { file.kv_offset = 0; }), Rule::FILE_FLAG_07);
  accept(changed([](FileBytes& file) { file.kv_offset = 8; }));  // without the flag nothing is read there
}

TEST(FileBinding, FollowsOffsetsWhateverTheIndexOrder) {
  FileBytes file(two_halves());
  std::swap(file.entries[0], file.entries[2]);
  accept(file);
  const char* const names[] = {"a", "b", "c"};
  for (std::size_t i = 0; i < 3; ++i) file.entries[i].name = names[i];
  file.flags |= facts::file_flag::sorted_index;
  accept(file);
  const ByteVector bytes = file.bytes();
  const Reading reading = read(bytes, Surface::file, Waivers::none());
  EXPECT_EQ(reading.tensors.at(0).name, "c");
  EXPECT_EQ(reading.tensors.at(2).name, "a");
}

TEST(FileBinding, TearsAtTheLastTensor) {
  FileBytes file(two_halves());
  file.entries.pop_back();
  broken(file, Rule::CMP_TORN_01);
  const ByteVector bytes = file.bytes();
  const Reading reading = read(bytes, Surface::file, Waivers::of(facts::Mode::permissive));
  EXPECT_EQ(described(reading), "accepted in part");
  EXPECT_FALSE(reading.tensors.at(0).complete);
}

TEST(FileBinding, ChecksTheCoverAtTheLastMember) {
  Sequence sequence = two_halves();
  sequence[2] = box({7, 4}, {8, 8}, {0, 4});
  broken(FileBytes(sequence), Rule::CMP_PART_01);
}

TEST(FilePermissive, GoesOnBehindAnUnknownLayout) {
  DescriptorBytes unknown = tensor({4});
  unknown.layout = 0x30;
  const ByteVector bytes = FileBytes({unknown, tensor({2})}).bytes();
  const Reading reading = read(bytes, Surface::file, Waivers::of(facts::Mode::permissive));
  EXPECT_EQ(described(reading), "accepted in part");
  ASSERT_EQ(reading.tensors.size(), 2u);
  EXPECT_EQ(reading.buffers.at(reading.tensors[1].first_buffer).size(), 8u);
}

TEST(FileIndex, OpensAHundredThousandTensors) {
  expect_accepted(FileBytes(Sequence(100'000, group(0))).bytes(), Surface::file);
}

}  // namespace
}  // namespace hurray::reference::tests
