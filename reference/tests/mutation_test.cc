// Properties over many inputs: carriers agree, cutting a stream anywhere changes nothing, waivers only remove, and
// malformed bytes never harm. Run under the sanitizers for what the last one is worth.
#include <random>

#include "reference/stream_reader.h"
#include "reference/tests/carriers.h"

namespace hurray::reference::tests {
namespace {

struct Input {
  Surface surface;
  ByteVector bytes;
};

ByteVector key_values() {
  return ByteString().u32(2).u16(1).u8('a').u8(7).u8(1).u32(2).u32(1).u8('x').u32(0).u16(1).u8('b').u8(5).u8(1);
}

std::vector<Sequence> sequences() {
  DescriptorBytes coo = placed(with_layout(facts::layout_tag::coo, {4, 4}, ByteString().u64(1).u8(1).zeros(7),
                                           {4, 16}), {4, 4}, {0, 0});
  return {two_halves(),
          small_overlay(),
          nested(),
          {overlay({4, 4}, 2), with_role(quantized(box({4, 4}, {4, 4}, {0, 0})), 1), with_role(coo, 0)},
          {partition({8}, 2), placed(partition({4}, 1), {8}, {0}), box({4}, {4}, {0}), box({4}, {8}, {4})},
          {group(0), tensor({0}), vast_box({3, 1u << 20}, {3, 1u << 20}, {0, 0})}};
}

std::vector<Input> inputs() {
  std::vector<Input> all;
  for (const Sequence& sequence : sequences()) {
    all.push_back({Surface::bare, bare(sequence)});
    all.push_back({Surface::framed, framed(messages(sequence))});
    FileBytes file(sequence);
    file.kv = key_values();
    all.push_back({Surface::file, file.bytes()});
    all.push_back({Surface::descriptor, sequence[0].bytes()});
  }
  return all;
}

/// Reads everything that a reading shows, so that a sanitizer sees a view that points nowhere.
std::uint64_t touch(const Reading& reading) {
  std::uint64_t sum = reading.partial ? 1 : 0;
  for (const Tensor& tensor : reading.tensors) {
    EXPECT_GE(tensor.skip, 1u);
    EXPECT_TRUE(tensor.enclosing == Tensor::none || tensor.enclosing < reading.tensors.size());
    for (std::size_t k = 0; k < tensor.descriptor.rank; ++k) sum += tensor.descriptor.shape[k];
    for (const char letter : tensor.name) sum += static_cast<unsigned char>(letter);
  }
  for (const Bytes buffer : reading.buffers)
    for (const std::uint8_t byte : buffer) sum += byte;
  return sum;
}

std::string outcome(const Reading& reading) {
  return described(reading) + " tensors " + std::to_string(reading.tensors.size()) + " content " + std::to_string(
      touch(reading));
}

Waivers random_waivers(std::mt19937_64& random) {
  Waivers waivers = random() % 4 == 0 ? Waivers::of(facts::Mode::permissive) : Waivers::none();
  const std::uint64_t count = random() % 8 == 0 ? facts::rule_count * 4 : random() % 3;
  for (std::uint64_t i = 0; i < count; ++i) waivers.waive(static_cast<Rule>(random() % facts::rule_count));
  return waivers;
}

void mutate(ByteVector& bytes, std::mt19937_64& random) {
  const auto place = [&](std::size_t extra) { return random() % (bytes.size() + extra); };
  for (std::uint64_t changes = 1 + random() % 4; changes > 0 && !bytes.empty(); --changes) {
    const std::size_t at = place(0);
    switch (random() % 6) {
      case 0: bytes[at] = static_cast<std::uint8_t>(random()); break;
      case 1: bytes[at] = random() % 2 == 0 ? 0 : 0xFF; break;
      case 2: bytes[at] = static_cast<std::uint8_t>(bytes[at] + (random() % 2 == 0 ? 1 : 255)); break;
      case 3: bytes.resize(at); break;
      case 4: bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), random() % 9,
                           static_cast<std::uint8_t>(random())); break;
      default: std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                           std::min<std::size_t>(8, bytes.size() - at), std::uint8_t{0xFF}); break;
    }
  }
}

/// Changes header, index and trailer, where a file's meaning is, and mends the checksum most of the time.
void mutate_file(FileBytes file, std::mt19937_64& random, ByteVector& bytes) {
  const auto wild = [&]() -> std::uint64_t {
    const std::uint64_t values[] = {0, 1, 7, 64, 4096, random() % 20000, ~std::uint64_t{0} - random() % 5000, random()};
    return values[random() % 8];
  };
  EntryBytes& entry = file.entries[random() % file.entries.size()];
  switch (random() % 10) {
    case 0: entry.descriptor_offset = wild(); break;
    case 1: entry.descriptor_length = static_cast<std::uint32_t>(wild()); break;
    case 2: entry.data_offset = wild(); break;
    case 3: entry.data_length = wild(); break;
    case 4: entry.name_length = static_cast<std::uint16_t>(wild()); break;
    case 5: file.count = wild(); break;
    case 6: file.index_offset = wild(); break;
    case 7: file.index_length = wild(); break;
    case 8: file.kv_offset = wild(); break;
    default: file.kv_length = static_cast<std::uint32_t>(wild()); break;
  }
  if (random() % 4 == 0) file.alignment = static_cast<std::uint32_t>(wild());
  if (random() % 4 == 0) file.flags = static_cast<std::uint32_t>(random() % 8);
  bytes = file.bytes();
}

TEST(Mutation, OfAnyBytesIsSurvived) {
  std::mt19937_64 random(11);
  const std::vector<Input> all = inputs();
  for (int round = 0; round < 30'000; ++round) {
    const Input& input = all[random() % all.size()];
    ByteVector bytes = input.bytes;
    mutate(bytes, random);
    touch(read(bytes, static_cast<Surface>(random() % 16 == 0 ? random() % 4 : static_cast<unsigned>(input.surface)),
               random_waivers(random)));
  }
}

TEST(Mutation, OfAFilesIndexIsSurvived) {
  std::mt19937_64 random(12);
  const std::vector<Sequence> all = sequences();
  for (int round = 0; round < 4'000; ++round) {
    FileBytes file(all[random() % all.size()], random() % 2 == 0 ? 4096 : 64);
    if (random() % 2 == 0) file.kv = key_values();
    ByteVector bytes;
    mutate_file(file, random, bytes);
    touch(read(bytes, Surface::file, random_waivers(random)));
  }
}

TEST(Waivers, RemoveNothingButTheirOwnRule) {
  std::mt19937_64 random(13);
  const std::vector<Input> all = inputs();
  std::size_t rejected = 0;
  for (int round = 0; round < 8'000; ++round) {
    const Input& input = all[random() % all.size()];
    ByteVector bytes = input.bytes;
    mutate(bytes, random);
    const Reading strict = read(bytes, input.surface, Waivers::none());
    const Rule other = static_cast<Rule>(random() % facts::rule_count);
    if (strict.accepted()) {
      EXPECT_EQ(outcome(read(bytes, input.surface, Waivers::none().waive(other))), outcome(strict));
      continue;
    }
    ++rejected;
    const Reading waived = read(bytes, input.surface, Waivers::none().waive(strict.violation->rule));
    EXPECT_TRUE(waived.accepted() || waived.violation->rule != strict.violation->rule) << described(strict);
    EXPECT_LE(strict.violation->at, bytes.size()) << described(strict);
    // descriptor_length bounds the sections, whose lengths fit once it does not.
    if (other != strict.violation->rule && other != Rule::DESC_HDR_05) {
      const Reading same = read(bytes, input.surface, Waivers::none().waive(other));
      EXPECT_FALSE(same.accepted()) << described(strict) << " without " << facts::facts_of(other).id;
    }
  }
  EXPECT_GT(rejected, 4'000u);
}

TEST(StreamReader, GivesTheResultOfTheWholeStreamHoweverItIsCut) {
  std::mt19937_64 random(14);
  const std::vector<Input> all = inputs();
  for (int round = 0; round < 6'000; ++round) {
    const Input& input = all[random() % all.size()];
    if (input.surface != Surface::bare && input.surface != Surface::framed) continue;
    ByteVector bytes = input.bytes;
    if (round % 3 != 0) mutate(bytes, random);
    const Waivers waivers = random_waivers(random);
    StreamReader stream(input.surface, waivers);
    const std::size_t longest = 1 + random() % 90;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size = std::min<std::size_t>(bytes.size() - at, random() % (longest + 1));
      stream.feed(Bytes(bytes).subspan(at, size));
      at += size;
    }
    EXPECT_EQ(outcome(stream.finish()), outcome(read(bytes, input.surface, waivers)));
  }
}

TEST(StreamReader, TellsOfAViolationBeforeTheStreamIsOver) {
  Sequence sequence = two_halves();
  sequence[1].type = facts::tag::int32;
  const ByteVector bytes = framed(messages(sequence));
  StreamReader stream(Surface::framed, Waivers::none());
  std::size_t fed = 0;
  while (fed < bytes.size() && stream.feed(Bytes(bytes).subspan(fed, 1))) ++fed;
  EXPECT_LT(fed, bytes.size() / 2);
  EXPECT_EQ(stream.finish().violation.value().rule, Rule::CMP_TYPE_02);
}

TEST(Carriers, AgreeOnVerdictRuleAndTree) {
  std::mt19937_64 random(15);
  const std::vector<Sequence> all = sequences();
  std::size_t rejected = 0;
  for (int round = 0; round < 3'000; ++round) {
    Sequence sequence = all[random() % all.size()];
    DescriptorBytes& d = sequence[random() % sequence.size()];
    switch (random() % 6) {  // one thing that is wrong on every carrier alike, or nothing
      case 0: d.type = facts::tag::int32; break;
      case 1: if (d.shard) d.shard->offset[0] += 1; break;
      case 2: if (d.shard) d.shard->parent[0] += 1; break;
      case 3: d = with_role(d, static_cast<std::uint8_t>(random() % 3)); break;
      case 4: d.shard.reset(); break;
      default: break;
    }
    const ByteVector plain = bare(sequence), messages_bytes = framed(messages(sequence, 1 + random() % 40)),
        file = FileBytes(sequence).bytes();
    const Reading expected = read(plain, Surface::bare, Waivers::none());
    rejected += expected.accepted() ? 0 : 1;
    for (const Surface surface : {Surface::framed, Surface::file}) {
      const Reading reading = read(surface == Surface::framed ? messages_bytes : file, surface, Waivers::none());
      ASSERT_EQ(reading.accepted(), expected.accepted()) << described(reading) << " against " << described(expected);
      if (!reading.accepted()) {
        EXPECT_EQ(reading.violation->rule, expected.violation->rule);
        continue;
      }
      ASSERT_EQ(reading.tensors.size(), expected.tensors.size());
      for (std::size_t i = 0; i < reading.tensors.size(); ++i) {
        EXPECT_EQ(reading.tensors[i].skip, expected.tensors[i].skip);
        EXPECT_EQ(reading.tensors[i].enclosing, expected.tensors[i].enclosing);
      }
    }
  }
  EXPECT_GT(rejected, 500u);
}

}  // namespace
}  // namespace hurray::reference::tests
