#include "reference/tests/carriers.h"

namespace hurray::reference::tests {
namespace {

void pad(ByteVector& bytes, std::size_t base, std::size_t step) {
  while ((base + bytes.size()) % step != 0) bytes.push_back(0);
}

ByteVector index_of(const std::vector<EntryBytes>& entries, std::uint64_t count) {
  ByteString index;
  index.u64(count);
  for (const EntryBytes& entry : entries) {
    index.u16(entry.name_length.value_or(static_cast<std::uint16_t>(entry.name.size())));
    index.append(ByteVector(entry.name.begin(), entry.name.end()));
    index.u64(entry.descriptor_offset).u32(entry.descriptor_length).u64(entry.data_offset).u64(entry.data_length).u32(
        entry.flags);
  }
  return index;
}

}  // namespace

std::uint32_t slow_crc32c(const ByteVector& bytes) {
  std::uint32_t crc = ~0u;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1u) != 0 ? (crc >> 1) ^ 0x82F63B78u : crc >> 1;
  }
  return ~crc;
}

FileBytes::FileBytes(const Sequence& sequence, std::uint32_t with_alignment,
                     bool close_buffers) : alignment(with_alignment) {
  constexpr std::size_t start = 64;
  for (const DescriptorBytes& d : sequence) {
    pad(body, start, 8);
    EntryBytes entry;
    entry.name = "t" + std::to_string(entries.size());
    entry.descriptor_offset = start + body.size();
    const ByteVector descriptor = d.bytes();
    entry.descriptor_length = static_cast<std::uint32_t>(descriptor.size());
    body.insert(body.end(), descriptor.begin(), descriptor.end());
    for (std::size_t i = 0; i < d.buffers.size(); ++i) {
      if (i == 0 || !close_buffers) pad(body, start, alignment);
      if (i == 0) entry.data_offset = start + body.size();
      const ByteVector data = buffer_bytes(d.buffers[i]);
      body.insert(body.end(), data.begin(), data.end());
      entry.data_length = start + body.size() - entry.data_offset;
    }
    entries.push_back(entry);
  }
}

ByteVector FileBytes::bytes() const {
  ByteString all;
  all.append(magic).u8(major).u8(minor).u16(reserved);
  all.u32(flags | (kv ? facts::file_flag::has_kv_metadata : 0u)).u32(alignment).u64(first_descriptor).u64(hint);
  all.append(header_reserved).append(body);
  pad(all.bytes(), 0, 8);
  const std::uint64_t kv_start = all.bytes().size();
  if (kv) all.append(*kv);
  pad(all.bytes(), 0, 8);
  all.zeros(index_padding);
  const std::uint64_t index_start = all.bytes().size();
  const ByteVector index = index_of(entries, count.value_or(entries.size()));
  all.append(index);
  all.u64(index_offset.value_or(index_start)).u64(index_length.value_or(index.size()));
  all.u64(kv_offset.value_or(kv ? kv_start : 0)).u32(kv_length.value_or(kv ? static_cast<std::uint32_t>(kv->size())
                                                                        : 0));
  const bool has_crc = (flags & facts::file_flag::has_index_crc32c) != 0;
  all.u32(crc.value_or(has_crc ? slow_crc32c(index) : 0)).u32(trailer_reserved).append(trailer_magic);
  return all;
}

std::string described(const Reading& reading) {
  if (reading.accepted()) return reading.partial ? "accepted in part" : "accepted";
  const std::string id(facts::facts_of(reading.violation->rule).id);
  return id + " at " + std::to_string(reading.violation->at) + ": " +
         std::string(reading.violation->message.text());
}

void expect_accepted(const ByteVector& bytes, Surface surface) {
  const Reading reading = read(bytes, surface, Waivers::none());
  EXPECT_EQ(described(reading), "accepted");
}

void expect_broken(const ByteVector& bytes, Surface surface, Rule rule) { expect_broken(bytes, surface, rule, {}); }

void expect_broken(const ByteVector& bytes, Surface surface, Rule rule, std::initializer_list<Rule> forced) {
  SCOPED_TRACE(std::string(facts::facts_of(rule).id));
  const Reading strict = read(bytes, surface, Waivers::none());
  ASSERT_FALSE(strict.accepted()) << "accepted";
  EXPECT_EQ(strict.violation->rule, rule) << described(strict);
  EXPECT_LE(strict.violation->at, bytes.size());
  EXPECT_FALSE(strict.violation->message.text().empty());
  Waivers waivers;
  waivers.waive(rule);
  for (const Rule other : forced) waivers.waive(other);
  const Reading waived = read(bytes, surface, waivers);
  EXPECT_TRUE(waived.accepted()) << "waived: " << described(waived);
}

}  // namespace hurray::reference::tests
