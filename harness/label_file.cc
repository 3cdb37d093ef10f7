#include <algorithm>

#include "conformance/facts/limits.h"
#include "harness/labeller.h"

namespace hurray::harness {
namespace {

struct Entry {
  std::uint64_t descriptor_offset, data_offset;
};

/// Names fields one after the other.
class FieldRun {
 public:
  FieldRun(LabelMap& map, std::uint64_t at, std::uint64_t end) : map_(map), at_(at), end_(std::min(end, map.size())) {}
  bool at_end() const { return at_ >= end_; }
  std::uint64_t at() const { return at_; }
  std::uint64_t end() const { return end_; }
  std::uint64_t field(std::uint64_t bytes, const std::string& label) {
    if (at_end()) return 0;
    const std::uint64_t there = std::min(bytes, end_ - at_);
    const std::uint64_t value = map_.number(at_, std::min<std::uint64_t>(there, 8));
    map_.name(at_, there, label);
    at_ += there;
    return value;
  }

 private:
  LabelMap& map_;
  std::uint64_t at_, end_;
};

void header(LabelMap& map) {
  FieldRun run(map, 0, facts::limit::file_header);
  run.field(8, "file.magic");
  run.field(1, "file.version_major");
  run.field(1, "file.version_minor");
  run.field(2, "file.reserved");
  run.field(4, "file.flags");
  run.field(4, "file.data_buffer_alignment");
  run.field(8, "file.first_descriptor_offset");
  run.field(8, "file.tensor_count_hint");
  run.field(28, "file.reserved2");
}

void trailer(LabelMap& map, std::uint64_t at) {
  FieldRun run(map, at, map.size());
  run.field(8, "trailer.index_offset");
  run.field(8, "trailer.index_length");
  run.field(8, "trailer.kv_offset");
  run.field(4, "trailer.kv_length");
  run.field(4, "trailer.index_crc32c");
  run.field(4, "trailer.reserved");
  run.field(4, "trailer.magic");
}

std::vector<Entry> index(LabelMap& map, std::uint64_t at, std::uint64_t length, std::uint64_t limit) {
  std::vector<Entry> entries;
  if (at >= limit) return entries;
  FieldRun run(map, at, at + std::min(length, limit - at));
  const std::uint64_t count = run.field(8, "index.count");
  for (std::uint64_t i = 0; i < count && !run.at_end(); ++i) {
    const std::string prefix = "index[" + std::to_string(i) + "].";
    const std::uint64_t name_length = run.field(2, prefix + "name_length");
    run.field(name_length, prefix + "name");
    Entry entry{};
    entry.descriptor_offset = run.field(8, prefix + "descriptor_offset");
    run.field(4, prefix + "descriptor_length");
    entry.data_offset = run.field(8, prefix + "data_offset");
    run.field(8, prefix + "data_length");
    run.field(4, prefix + "flags");
    entries.push_back(entry);
  }
  return entries;
}

/// Bytes of a payload that has no length of its own; 0 for texts, byte strings and unknown tags.
std::uint64_t fixed_size(std::uint64_t tag) { return tag == 5 ? 1 : tag >= 2 && tag <= 4 ? 8 : 0; }
bool has_length(std::uint64_t tag) { return tag == 1 || tag == 6; }

/// The payloads of an array are one value; one of unknown kind takes the rest.
std::uint64_t array_bytes(const LabelMap& map, const FieldRun& run, std::uint64_t tag, std::uint64_t count) {
  const std::uint64_t left = run.end() - run.at();
  if (!has_length(tag)) return fixed_size(tag) == 0 || count > left / fixed_size(tag) ? left : count * fixed_size(tag);
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < count && bytes < left; ++i) bytes += 4 + map.number(run.at() + bytes, 4);
  return std::min(bytes, left);
}

void kv_value(LabelMap& map, FieldRun& run, const std::string& prefix, std::uint64_t tag) {
  if (run.at_end()) return;
  if (tag == 7) {
    const std::uint64_t element = run.field(1, prefix + "element_tag"), count = run.field(4, prefix + "element_count");
    if (!run.at_end()) run.field(array_bytes(map, run, element, count), prefix + "value");
  } else if (has_length(tag)) {
    const std::uint64_t length = run.field(4, prefix + "value_length");
    run.field(length, prefix + "value");
  } else {
    run.field(fixed_size(tag) == 0 ? run.end() - run.at() : fixed_size(tag), prefix + "value");
  }
}

void key_values(LabelMap& map, std::uint64_t at, std::uint64_t length, std::uint64_t limit) {
  if (at >= limit) return;
  FieldRun run(map, at, at + std::min(length, limit - at));
  const std::uint64_t count = run.field(4, "kv.count");
  for (std::uint64_t i = 0; i < count && !run.at_end(); ++i) {
    const std::string prefix = "kv[" + std::to_string(i) + "].";
    const std::uint64_t key_length = run.field(2, prefix + "key_length");
    run.field(key_length, prefix + "key");
    const std::uint64_t tag = run.field(1, prefix + "tag");
    kv_value(map, run, prefix, tag);
  }
}

void tensors(LabelMap& map, std::vector<Entry> entries) {
  const std::uint64_t alignment = std::max<std::uint64_t>(map.number(16, 4), 1);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.descriptor_offset < b.descriptor_offset; });
  NodePaths paths;
  for (const Entry& entry : entries) {
    if (entry.descriptor_offset >= map.size()) continue;
    const DescriptorOutline outline = label_descriptor(map, paths, entry.descriptor_offset);
    std::uint64_t at = entry.data_offset;
    for (std::size_t i = 0; i < outline.buffer_sizes.size() && at < map.size(); ++i) {
      const std::uint64_t size = std::min(outline.buffer_sizes[i], map.size() - at);
      map.name(at, size, outline.path + ".data[" + std::to_string(i) + "]");
      at += size;
      if (at % alignment != 0) at += alignment - at % alignment;
    }
  }
}

}  // namespace

void label_file(LabelMap& map) {
  const std::uint64_t size = map.size();
  header(map);
  if (size < facts::limit::file_header + facts::limit::file_trailer) return;
  const std::uint64_t at = size - facts::limit::file_trailer;
  trailer(map, at);
  const std::vector<Entry> entries = index(map, map.number(at, 8), map.number(at + 8, 8), at);
  if ((map.number(12, 4) & facts::file_flag::has_kv_metadata) != 0)
    key_values(map, map.number(at + 16, 8), map.number(at + 24, 4), at);
  tensors(map, entries);
}

}  // namespace hurray::harness
