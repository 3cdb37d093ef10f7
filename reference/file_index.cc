// Index Section (file-format.md).
#include "reference/file_parts.h"
#include "reference/utf8.h"

namespace hurray::reference {
namespace {

std::string_view text_of(LittleEndianArray<std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// One entry; false when it is not there entirely.
bool read_entry(Cursor& in, Checks& check, std::vector<IndexEntry>& entries) {
  IndexEntry entry{};
  entry.at = in.position();
  const std::uint16_t name_length = in.u16();
  entry.name = text_of(in.array<std::uint8_t>(name_length));
  entry.descriptor_offset = in.u64();
  entry.descriptor_length = in.u32();
  entry.data = {in.u64(), in.u64()};
  const std::uint64_t flags_at = in.position();
  const std::uint32_t flags = in.u32();
  check.that(!in.overran(), Rule::FILE_IDX_10, entry.at, "index entry reaches outside the index, number",
             entries.size());
  if (in.overran()) return false;
  check.that(name_length >= 1, Rule::FILE_IDX_03, entry.at, "name_length", name_length);
  check.that(is_utf8(entry.name), Rule::FILE_IDX_03, entry.at + 2, "name is not UTF-8, entry", entries.size());
  check.that(flags == 0, Rule::FILE_IDX_05, flags_at, "index entry flags", hex(flags));
  entries.push_back(entry);
  return !check.failed();
}

void check_names(const FileFrame& frame, Checks& check, const std::vector<IndexEntry>& entries) {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const IndexEntry& entry : entries) names.push_back(entry.name);
  if (frame.has(facts::file_flag::sorted_index))
    for (std::size_t i = 1; i < names.size(); ++i)
      check.that(!bytes_less(names[i], names[i - 1]), Rule::FILE_IDX_08, entries[i].at,
                 "SORTED_INDEX is set, but out of order is entry", i);
  if (check.failed()) return;
  const std::optional<Duplicate> twice = find_duplicate(names);
  check.that(!twice, Rule::FILE_IDX_07, twice ? entries[twice->second].at : 0, "the name of entry",
             twice ? twice->second : 0,
             "is that of entry", twice ? twice->first : 0);
}

}  // namespace

bool read_index(Bytes input, const FileFrame& frame, Checks& check, std::vector<IndexEntry>& entries) {
  Cursor in(input, frame.index.offset);
  in.limit(frame.index.offset + frame.index.length);
  const std::uint64_t count = in.u64();
  check.that(!in.overran(), Rule::FILE_IDX_10, frame.trailer + 8, "no room for the entry count in an index of length",
             frame.index.length);
  for (std::uint64_t i = 0; i < count && read_entry(in, check, entries);) ++i;
  if (!check.failed()) check_names(frame, check, entries);
  return !check.failed();
}

}  // namespace hurray::reference
