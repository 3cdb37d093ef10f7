// KV Metadata Section (file-format.md).
#include "reference/file_parts.h"
#include "reference/utf8.h"

namespace hurray::reference {
namespace {

enum Tag : std::uint8_t {
  string = 1, int64 = 2, uint64 = 3, float64 = 4, boolean = 5, bytes = 6, array = 7, last_reserved = 0xEF, invalid = 0xFF
};

void check_bools(Cursor& in, Checks& check, std::uint64_t count) {
  const std::uint64_t at = in.position();
  const LittleEndianArray<std::uint8_t> values = in.array<std::uint8_t>(count);
  std::size_t i = 0;
  while (i < values.size() && values[i] <= 1) ++i;
  check.that(i == values.size(), Rule::FILE_KV_05, at + i, "bool value", hex(values[i]));
}

/// `count` payloads of one tag below array. Strings are not looked into: that they are UTF-8 is said of no reader.
void read_payloads(Cursor& in, Checks& check, std::uint8_t tag, std::uint64_t count) {
  switch (tag) {
    case string:
    case bytes:
      for (std::uint64_t i = 0; i < count && !in.overran(); ++i) in.skip(in.u32());
      break;
    case int64:
    case uint64:
    case float64:
      in.skip(count * 8);  // count fits 32 bits
      break;
    case boolean:
      check_bools(in, check, count);
      break;
    default:
      break;
  }
}

/// False when nothing can be read after the value: its tag says no length.
bool read_value(Cursor& in, Checks& check) {
  const std::uint64_t tag_at = in.position();
  const std::uint8_t tag = in.u8();
  if (in.overran()) return false;
  check.that(tag != 0x00 && tag != invalid, Rule::FILE_KV_08, tag_at, "value tag", hex(tag));
  check.that(tag <= array || tag == invalid, Rule::FILE_KV_07, tag_at,
             tag <= last_reserved ? "reserved value tag" : "value tag without an agreement", hex(tag));
  if (tag == 0x00 || tag > array) return false;
  if (tag != array) return read_payloads(in, check, tag, 1), true;
  const std::uint64_t element_at = in.position();
  const std::uint8_t element = in.u8();
  const std::uint32_t count = in.u32();
  if (in.overran()) return false;
  const bool listed = element >= string && element <= bytes;
  check.that(listed, Rule::FILE_KV_06, element_at, "array element tag", hex(element));
  if (listed) read_payloads(in, check, element, count);
  return listed;
}

}  // namespace

bool read_key_values(Bytes input, const FileFrame& frame, Checks& check) {
  if (frame.kv.length == 0) return true;
  Cursor in(input, frame.kv.offset);
  in.limit(frame.kv.offset + frame.kv.length);
  std::vector<std::string_view> keys;
  const std::uint32_t count = in.u32();
  for (std::uint32_t i = 0; i < count && !check.failed() && !in.overran(); ++i) {
    const std::uint64_t at = in.position();
    const std::uint16_t key_length = in.u16();
    const LittleEndianArray<std::uint8_t> key = in.array<std::uint8_t>(key_length);
    if (in.overran()) break;
    const std::string_view text{reinterpret_cast<const char*>(key.data()), key.size()};
    check.that(key_length >= 1, Rule::FILE_KV_02, at, "key_length", key_length);
    check.that(is_utf8(text), Rule::FILE_KV_04, at + 2, "key is not UTF-8, entry", i);
    keys.push_back(text);
    if (!read_value(in, check)) break;
  }
  check.that(!in.overran(), Rule::FILE_IDX_10, in.position(), "entries reach outside the key-value section of length",
             frame.kv.length);
  if (check.failed()) return false;
  const std::optional<Duplicate> twice = find_duplicate(keys);
  const char* const start = reinterpret_cast<const char*>(input.data());
  const std::uint64_t at = twice ? static_cast<std::uint64_t>(keys[twice->second].data() - start) : 0;
  return check.that(!twice, Rule::FILE_KV_03, at, "the key of entry", twice ? twice->second : 0, "is that of entry",
                    twice ? twice->first : 0);
}

}  // namespace hurray::reference
