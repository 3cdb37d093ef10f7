#include "generators/link.h"

#include <algorithm>
#include <array>

#include "conformance/facts/limits.h"

namespace hurray::generators {
namespace {

struct Extent {
  std::uint64_t start = 0, end = 0;
  bool seen = false;
  void cover(std::uint64_t from, std::uint64_t to) {
    start = seen ? std::min(start, from) : from;
    end = seen ? std::max(end, to) : to;
    seen = true;
  }
  std::uint64_t size() const { return end - start; }
};

struct NodeExtents {
  Extent descriptor, data;
  std::uint64_t descriptor_bytes = 0, quantization_bytes = 0, data_bytes = 0;
  std::uint64_t stated_length = 0;  // what its own descriptor_length says
  std::uint64_t data_passed = 0;    // while values are written: data bytes of the frames so far
};

/// What the first pass finds out about a document; the second writes it into the derived fields.
struct Survey {
  std::vector<NodeExtents> nodes;              // by node number; the last one takes fields that belong to none
  std::vector<std::uint64_t> payload_bytes;    // by message
  Extent kv, index;
  std::uint64_t first_descriptor = facts::limit::file_header;
  std::uint64_t kv_entries = 0, index_entries = 0;
  bool descriptor_seen = false;

  NodeExtents& of(const Field& field) { return field.node < nodes.size() ? nodes[field.node] : nodes.back(); }
};

bool in_descriptor(Part part) { return part == Part::descriptor || part == Part::quantization; }

bool is_padding(Derived derived) {
  return derived == Derived::padding_before_descriptor || derived == Derived::padding_before_data ||
         derived == Derived::padding_before_section;
}

void resize_padding(Field& field, std::uint64_t at, std::uint64_t alignment) {
  const std::uint64_t unit =
      field.derived == Derived::padding_before_data ? alignment : facts::limit::descriptor_alignment;
  field.bytes.assign(static_cast<std::size_t>((unit - at % unit) % unit), 0);
}

void survey_field(const Field& field, std::uint64_t at, Survey& survey) {
  const std::uint64_t end = at + field.bytes.size();
  NodeExtents& node = survey.of(field);
  if (in_descriptor(field.part)) {
    if (!survey.descriptor_seen) survey.first_descriptor = at;
    survey.descriptor_seen = true;
    node.descriptor.cover(at, end);
    node.descriptor_bytes += field.bytes.size();
  }
  if (field.part == Part::quantization) node.quantization_bytes += field.bytes.size();
  if (field.part == Part::data) {
    node.data.cover(at, end);
    node.data_bytes += field.bytes.size();
  }
  if (field.part == Part::kv) survey.kv.cover(at, end);
  if (field.part == Part::index) survey.index.cover(at, end);
  if (field.part != Part::message_header) survey.payload_bytes[field.message] += field.bytes.size();
  if (field.derived == Derived::key_length) ++survey.kv_entries;
  if (field.derived == Derived::entry_descriptor_offset) ++survey.index_entries;
}

Survey survey_document(Document& document, std::uint64_t alignment) {
  std::uint32_t nodes = 0, messages = 0;
  for (const Field& field : document.fields) {
    if (field.node != no_node) nodes = std::max(nodes, field.node + 1);
    messages = std::max(messages, field.message);
  }
  Survey survey;
  survey.nodes.resize(nodes + std::size_t{1});
  survey.payload_bytes.resize(messages + std::size_t{1});
  std::uint64_t at = 0;
  for (Field& field : document.fields) {
    if (is_padding(field.derived) && !field.frozen) resize_padding(field, at, alignment);
    survey_field(field, at, survey);
    at += field.bytes.size();
  }
  return survey;
}

void put(Field& field, std::uint64_t value) {
  if (!field.frozen) field.bytes = little_endian(value, field.bytes.size());
}

void write_descriptor_length(Field& field, Survey& survey) {
  if (field.derived != Derived::descriptor_length) return;
  put(field, survey.of(field).descriptor_bytes);
  survey.of(field).stated_length = from_little_endian(field.bytes);
}

/// Everything but padding, the descriptor's own length and the checksum, which have passes of their own.
void write_value(Field& field, const Field* next, Survey& survey) {
  NodeExtents& node = survey.of(field);
  switch (field.derived) {
    case Derived::none:
    case Derived::descriptor_length:
    case Derived::padding_before_descriptor:
    case Derived::padding_before_data:
    case Derived::padding_before_section:
    case Derived::index_checksum: return;
    case Derived::quantization_length: return put(field, node.quantization_bytes);
    case Derived::payload_length: return put(field, survey.payload_bytes[field.message]);
    case Derived::total_data_bytes: return put(field, node.data_bytes);
    case Derived::byte_offset_in_buffer: return put(field, node.data_passed);
    case Derived::first_descriptor_offset: return put(field, survey.first_descriptor);
    case Derived::tensor_count:
    case Derived::index_count: return put(field, survey.index_entries);
    case Derived::kv_count: return put(field, survey.kv_entries);
    case Derived::key_length:
    case Derived::length_of_next: return put(field, next != nullptr ? next->bytes.size() : 0);
    case Derived::entry_descriptor_offset: return put(field, node.descriptor.start);
    case Derived::entry_descriptor_length: return put(field, node.stated_length);
    case Derived::entry_data_offset: return put(field, node.data.seen ? node.data.start : node.descriptor.end);
    case Derived::entry_data_length: return put(field, node.data.size());
    case Derived::index_offset: return put(field, survey.index.start);
    case Derived::index_length: return put(field, survey.index.size());
    case Derived::kv_offset: return put(field, survey.kv.start);
    case Derived::kv_length: return put(field, survey.kv.size());
  }
}

void write_checksum(Document& document) {
  Bytes index;
  for (const Field& field : document.fields)
    if (field.part == Part::index) index.insert(index.end(), field.bytes.begin(), field.bytes.end());
  for (Field& field : document.fields)
    if (field.derived == Derived::index_checksum) put(field, crc32c(index));
}

constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int k = 0; k < 8; ++k) value = (value & 1) != 0 ? value >> 1 ^ 0x82F63B78u : value >> 1;
    table[byte] = value;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> crc_table = make_crc_table();

}  // namespace

std::uint32_t crc32c(const Bytes& bytes) {
  std::uint32_t value = 0xFFFFFFFFu;
  for (const std::uint8_t byte : bytes) value = value >> 8 ^ crc_table[(value ^ byte) & 0xFF];
  return ~value;
}

void link(Document& document, std::uint64_t alignment) {
  Survey survey = survey_document(document, alignment == 0 ? 1 : alignment);
  for (Field& field : document.fields) write_descriptor_length(field, survey);
  for (std::size_t k = 0; k < document.fields.size(); ++k) {
    Field& field = document.fields[k];
    write_value(field, k + 1 < document.fields.size() ? &document.fields[k + 1] : nullptr, survey);
    if (field.part == Part::data) survey.of(field).data_passed += field.bytes.size();
  }
  write_checksum(document);
}

}  // namespace hurray::generators
