// The random-access container (file-format.md): header, tensors, key-value section, index, trailer.
#include <algorithm>
#include <numeric>

#include "conformance/facts/limits.h"
#include "generators/carriers.h"

namespace hurray::generators {
namespace {

constexpr std::uint8_t kv_string = 0x01, kv_bytes = 0x06, kv_array = 0x07;

std::uint32_t flags_of(const FileOptions& options) {
  return (options.kv.empty() ? 0 : facts::file_flag::has_kv_metadata) |
         (options.sorted ? facts::file_flag::sorted_index : 0) |
         (options.checksum ? facts::file_flag::has_index_crc32c : 0);
}

void write_header(Document& d, const FileOptions& options) {
  const Document::Scope scope(d, "file");
  d.part = Part::file_header;
  d.bytes("magic", Bytes(std::begin(facts::limit::file_magic), std::end(facts::limit::file_magic)));
  d.number("version_major", 1, 1);
  d.number("version_minor", options.version_minor, 1);
  d.reserved("reserved", 2);
  d.number("flags", flags_of(options), 4);
  d.number("data_buffer_alignment", options.alignment, 4);
  d.number("first_descriptor_offset", 0, 8, Derived::first_descriptor_offset);
  d.number("tensor_count_hint", options.count_hint.value_or(0), 8,
           options.count_hint ? Derived::none : Derived::tensor_count);
  d.reserved("reserved2", 28);
}

void write_padding(Document& d, std::string_view name, Derived derived) {
  d.part = Part::padding;
  d.bytes(name, {});
  d.fields.back().derived = derived;
}

void write_tensors(Document& d, const std::vector<StoredNode>& nodes) {
  d.node = 0;
  for (const StoredNode& stored : nodes) {
    {
      const Document::Scope scope(d, stored.placed.path);
      write_padding(d, "padding", Derived::padding_before_descriptor);
    }
    write_node_descriptor(d, stored);
    const Document::Scope scope(d, stored.placed.path);
    for (std::size_t k = 0; k < stored.storage.buffers.size(); ++k) {
      const std::string number = "[" + std::to_string(k) + "]";
      write_padding(d, "padding" + number, Derived::padding_before_data);
      d.part = Part::data;
      d.bytes("data" + number, stored.storage.buffers[k]);
    }
    ++d.node;
  }
  d.node = no_node;
}

FieldKind kind_of(std::uint8_t tag) {
  switch (tag) {
    case kv_string: return FieldKind::text;
    case 0x02:
    case 0x03:
    case 0x05: return FieldKind::number;
    case 0x04: return FieldKind::real;
    default: return FieldKind::bytes;  // 06, arrays, and tags that mean nothing
  }
}

bool has_length(std::uint8_t tag) { return tag == kv_string || tag == kv_bytes; }

void write_kv_entry(Document& d, const KvEntry& entry) {
  d.number("key_length", 0, 2, Derived::key_length);
  d.bytes("key", Bytes(entry.key.begin(), entry.key.end()), FieldKind::text);
  d.number("tag", entry.tag, 1);
  if (entry.tag == kv_array) {
    d.number("element_tag", entry.element_tag, 1);
    d.number("element_count", entry.values.size(), 4);
    Bytes all;
    for (const Bytes& value : entry.values) {
      if (has_length(entry.element_tag)) append_little_endian(all, value.size(), 4);
      all.insert(all.end(), value.begin(), value.end());
    }
    d.bytes("value", std::move(all));
    return;
  }
  if (has_length(entry.tag)) d.number("value_length", 0, 4, Derived::length_of_next);
  d.bytes("value", entry.values.empty() ? Bytes{} : entry.values.front(), kind_of(entry.tag));
}

void write_kv(Document& d, const FileOptions& options) {
  if (options.kv.empty()) return;
  const Document::Scope scope(d, "kv");
  write_padding(d, "padding", Derived::padding_before_section);
  d.part = Part::kv;
  d.number("count", 0, 4, Derived::kv_count);
  for (std::size_t k = 0; k < options.kv.size(); ++k) {
    const Document::Scope entry(d, "[" + std::to_string(k) + "]");
    write_kv_entry(d, options.kv[k]);
  }
}

/// Positions of the tensors in index order: as asked for, or write order, or by name bytes where the flag says so.
std::vector<std::size_t> index_order(const std::vector<std::string>& names, const FileOptions& options) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!options.index_order.empty()) {
    order.clear();
    for (const std::uint64_t position : options.index_order)
      if (position < names.size()) order.push_back(static_cast<std::size_t>(position));
  } else if (options.sorted) {
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  }
  return order;
}

void write_index(Document& d, const std::vector<std::string>& names, const FileOptions& options) {
  const Document::Scope scope(d, "index");
  write_padding(d, "padding", Derived::padding_before_section);
  d.part = Part::index;
  d.number("count", 0, 8, Derived::index_count);
  std::size_t k = 0;
  for (const std::size_t position : index_order(names, options)) {
    const Document::Scope entry(d, "[" + std::to_string(k++) + "]");
    d.node = static_cast<std::uint32_t>(position);
    d.number("name_length", 0, 2, Derived::length_of_next);
    d.bytes("name", Bytes(names[position].begin(), names[position].end()), FieldKind::text);
    d.number("descriptor_offset", 0, 8, Derived::entry_descriptor_offset);
    d.number("descriptor_length", 0, 4, Derived::entry_descriptor_length);
    d.number("data_offset", 0, 8, Derived::entry_data_offset);
    d.number("data_length", 0, 8, Derived::entry_data_length);
    d.number("flags", 0, 4);
  }
  d.node = no_node;
}

void write_trailer(Document& d, const FileOptions& options) {
  const Document::Scope scope(d, "trailer");
  const bool has_kv = !options.kv.empty();
  d.part = Part::trailer;
  d.number("index_offset", 0, 8, Derived::index_offset);
  d.number("index_length", 0, 8, Derived::index_length);
  d.number("kv_offset", 0, 8, has_kv ? Derived::kv_offset : Derived::none);
  d.number("kv_length", 0, 4, has_kv ? Derived::kv_length : Derived::none);
  d.number("index_crc32c", 0, 4, options.checksum ? Derived::index_checksum : Derived::none);
  d.reserved("reserved", 4);
  d.bytes("magic", Bytes(std::begin(facts::limit::magic), std::end(facts::limit::magic)));
}

}  // namespace

void write_file(Document& document, const std::vector<StoredNode>& nodes, const FileOptions& options) {
  std::vector<std::string> names;
  for (const StoredNode& stored : nodes)
    names.push_back(stored.placed.node->name.empty() ? stored.placed.path : stored.placed.node->name);
  document.node = no_node;
  write_header(document, options);
  write_tensors(document, nodes);
  write_kv(document, options);
  write_index(document, names, options);
  write_trailer(document, options);
}

}  // namespace hurray::generators
