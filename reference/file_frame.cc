// File Header, File Flags and Trailer (file-format.md).
#include <bit>

#include "reference/crc32c.h"
#include "reference/file_parts.h"

namespace hurray::reference {
namespace {

constexpr std::uint64_t major_at = 8, reserved_at = 10, flags_at = 12, alignment_at = 16, first_descriptor_at = 20,
                        reserved_header_at = 36;
constexpr std::uint64_t kv_offset_at = 16, crc_at = 28, trailer_reserved_at = 32, magic_at = 36;  // in the trailer

struct FileHeader {
  std::uint8_t major, minor;
  std::uint16_t reserved;
  std::uint32_t flags, alignment;
  std::uint64_t first_descriptor, count_hint;
};

bool has_magic(Bytes input) {
  return input.size() >= sizeof(facts::limit::file_magic) &&
         std::equal(std::begin(facts::limit::file_magic), std::end(facts::limit::file_magic), input.begin());
}

void check_alignment(Checks& check, std::uint32_t alignment, FileFrame& frame) {
  const bool power = std::has_single_bit(alignment);
  check.that(power, Rule::FILE_HDR_04, alignment_at, "data_buffer_alignment", alignment);
  check.that(alignment >= facts::limit::file_alignment_min, Rule::FILE_HDR_05, alignment_at, "data_buffer_alignment",
             alignment);
  check.that(alignment <= facts::limit::file_alignment_max, Rule::FILE_HDR_06, alignment_at, "data_buffer_alignment",
             alignment);
  frame.alignment = alignment;
  frame.alignment_legal =
      power && alignment >= facts::limit::file_alignment_min && alignment <= facts::limit::file_alignment_max;
}

void read_file_header(Bytes input, Checks& check, FileFrame& frame) {
  Cursor in(input, major_at);
  const FileHeader header{in.u8(), in.u8(), in.u16(), in.u32(), in.u32(), in.u64(), in.u64()};
  check.that(header.major <= facts::limit::version_major, Rule::FILE_HDR_02, major_at, "container_version_major",
             header.major);
  check.that(header.major != 0, Rule::VER_02, major_at, "container_version_major", header.major);
  check.that(header.reserved == 0, Rule::FILE_HDR_03, reserved_at, "reserved bytes", hex(header.reserved));
  check.that((header.flags & ~facts::file_flag::defined) == 0, Rule::FILE_FLAG_01, flags_at, "file_flags",
             hex(header.flags));
  check_alignment(check, header.alignment, frame);
  check.that(header.first_descriptor >= facts::limit::file_header, Rule::FILE_HDR_07, first_descriptor_at,
             "first_descriptor_offset", header.first_descriptor);
  check.that(header.first_descriptor % facts::limit::descriptor_alignment == 0, Rule::FILE_HDR_12, first_descriptor_at,
             "first_descriptor_offset", header.first_descriptor);
  check.that(all_zero(in.array<std::uint8_t>(facts::limit::file_header - reserved_header_at)), Rule::FILE_HDR_10,
             reserved_header_at, "reserved bytes are not zero");
  frame.flags = header.flags;
}

/// The key-value section as the trailer places it; left empty where it cannot be read and that is waived.
void place_key_values(Checks& check, FileFrame& frame, Region stated) {
  if (!frame.has(facts::file_flag::has_kv_metadata)) return;  // whatever the trailer says about it
  const std::uint64_t at = frame.trailer + kv_offset_at;
  check.that(stated.offset != 0 && stated.length != 0, Rule::FILE_FLAG_07, at, "HAS_KV_METADATA with kv_offset",
             stated.offset,
             "and kv_length", stated.length);
  if (stated.offset == 0 || stated.length == 0) return;
  const bool inside = stated.offset >= facts::limit::file_header && stated.lies_in(frame.trailer);
  check.that(inside, Rule::FILE_IDX_10, at, "key-value section outside the file's body, at", stated.offset, "length",
             stated.length);
  if (!inside) return;
  check.that(!stated.meets(frame.index), Rule::FILE_IDX_10, at, "key-value section inside the index, at", stated.offset,
             "length", stated.length);
  check.that(stated.offset % 8 == 0, Rule::FILE_KV_01, at, "kv_offset", stated.offset);
  frame.kv = stated;
}

/// False when the index does not lie where the trailer says, which is then waived: what is there has no checksum.
bool place_index(Bytes input, Checks& check, FileFrame& frame, Region stated) {
  const std::uint64_t at = frame.trailer;
  const bool inside = stated.lies_in(frame.trailer);
  check.that(inside, Rule::FILE_TRL_03, at, "index reaches into the trailer, at", stated.offset,
             "length", stated.length);
  check.that(stated.offset >= facts::limit::file_header, Rule::FILE_IDX_10, at, "index inside the file header, at",
             stated.offset);
  check.that(stated.offset % 8 == 0, Rule::FILE_IDX_01, at, "index_offset", stated.offset);
  frame.index.offset = std::min<std::uint64_t>(stated.offset, input.size());
  frame.index.length = std::min<std::uint64_t>(stated.length, input.size() - frame.index.offset);
  return inside;
}

}  // namespace

bool read_file_frame(Bytes input, Checks& check, FileFrame& frame) {
  check.that(has_magic(input), Rule::FILE_HDR_01, 0, "the file does not start with HRRYFILE");
  const bool room = input.size() >= facts::limit::file_header + facts::limit::file_trailer;
  check.that(room, Rule::FILE_TRL_01, 0, "no room for header and trailer in a file of size", input.size());
  if (check.failed() || !room) return false;
  read_file_header(input, check, frame);

  frame.trailer = input.size() - facts::limit::file_trailer;
  Cursor in(input, frame.trailer);
  const Region index{in.u64(), in.u64()};
  const Region kv{in.u64(), in.u32()};
  frame.index_crc = in.u32();
  const std::uint32_t reserved = in.u32(), magic = in.u32();
  const bool trusted = magic == load_little_endian<std::uint32_t>(facts::limit::magic);
  check.that(trusted, Rule::FILE_TRL_01, frame.trailer + magic_at, "trailer_magic", hex(magic));
  if (check.failed() || !trusted) return false;  // no other field of the trailer means anything
  check.that(reserved == 0, Rule::FILE_TRL_02, frame.trailer + trailer_reserved_at, "reserved bytes", hex(reserved));
  const bool index_there = place_index(input, check, frame, index);
  if (check.failed() || (!index_there && index.offset >= frame.trailer)) return false;
  place_key_values(check, frame, kv);

  const bool flagged = frame.has(facts::file_flag::has_index_crc32c);
  check.that(flagged || frame.index_crc == 0, Rule::FILE_FLAG_04, frame.trailer + crc_at,
             "without HAS_INDEX_CRC32C, index_crc32c", hex(frame.index_crc));
  const Bytes index_bytes = input.subspan(frame.index.offset, frame.index.length);
  const std::uint32_t sum = flagged && index_there ? crc32c(index_bytes) : frame.index_crc;
  check.that(sum == frame.index_crc, Rule::FILE_FLAG_03, frame.trailer + crc_at, "index_crc32c", hex(frame.index_crc),
             "but the index has", hex(sum));
  return !check.failed();
}

}  // namespace hurray::reference
