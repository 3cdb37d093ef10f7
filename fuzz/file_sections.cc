#include "fuzz/file_sections.h"

#include <algorithm>

#include "conformance/facts/limits.h"
#include "reference/crc32c.h"
#include "reference/little_endian.h"

namespace hurray::fuzz {
namespace {

constexpr std::size_t flags_at = 12, prefix = 3;
using reference::load_little_endian;

/// A plain tensor and a composite of two halves, and the two sections that fit them: an index has names, an order and
/// offsets to get wrong. The test has the model, and holds these against what the writer makes of it; here they stand as
/// bytes, so that the target needs nothing but the reference.
constexpr std::uint8_t file_header[] = {
    0x48, 0x52, 0x52, 0x59, 0x46, 0x49, 0x4c, 0x45, 1, 0, 0, 0, 5, 0, 0, 0, 0, 0x10, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0,
    4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
constexpr std::uint8_t alone[] = {
    0x48, 0x52, 0x52, 0x59, 1, 0, 0x35, 0, 0, 0, 0, 0, 0, 0, 3, 1, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 1, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0};
constexpr std::uint8_t head[] = {
    0x48, 0x52, 0x52, 0x59, 1, 0, 0x2d, 0, 0, 0, 0, 0, 0, 0, 3, 0x0b, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0};
constexpr std::uint8_t low[] = {
    0x48, 0x52, 0x52, 0x59, 1, 0, 0x45, 0, 0, 0, 2, 0, 0, 0, 3, 1, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
constexpr std::uint8_t up[] = {
    0x48, 0x52, 0x52, 0x59, 1, 0, 0x45, 0, 0, 0, 2, 0, 0, 0, 3, 1, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
constexpr std::uint8_t valid_kv[] = {
    1, 0, 0, 0, 3, 0, 0x6b, 0x65, 0x79, 1, 1, 0, 0, 0, 0x76};
constexpr std::uint8_t valid_index[] = {
    4, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0x61, 0x6c, 0x6f, 0x6e, 0x65, 0x40, 0, 0, 0, 0, 0, 0, 0, 0x35, 0, 0, 0, 0, 0x10, 0,
    0, 0, 0, 0, 0, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0x68, 0x65, 0x61, 0x64, 0x10, 0x10, 0, 0, 0, 0, 0, 0,
    0x2d, 0, 0, 0, 0x3d, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0x6c, 0x6f, 0x77, 0x40,
    0x10, 0, 0, 0, 0, 0, 0, 0x45, 0, 0, 0, 0, 0x20, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0x75,
    0x70, 8, 0x20, 0, 0, 0, 0, 0, 0, 0x45, 0, 0, 0, 0, 0x30, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

struct Piece {
  std::size_t at;
  Bytes bytes;
};

/// Everything before the sections; the buffers, all zero, lie between.
std::vector<std::uint8_t> assemble() {
  constexpr std::size_t size = 12296;
  const Piece pieces[] = {{0, file_header}, {64, alone}, {4112, head}, {4160, low}, {8200, up}};
  std::vector<std::uint8_t> bytes(size);
  for (const Piece& piece : pieces) std::copy(piece.bytes.begin(), piece.bytes.end(), bytes.begin() + static_cast<std::ptrdiff_t>(piece.at));
  return bytes;
}

const std::vector<std::uint8_t>& before() {
  static const std::vector<std::uint8_t> bytes = assemble();
  return bytes;
}

void append(std::vector<std::uint8_t>& out, std::uint64_t value, std::size_t width) {
  for (std::size_t k = 0; k < width; ++k) out.push_back(static_cast<std::uint8_t>(value >> (8 * k)));
}

/// Sections start at multiples of 8 (file-format.md).
std::uint64_t append_section(std::vector<std::uint8_t>& out, Bytes section) {
  out.resize((out.size() + 7) / 8 * 8);
  const std::uint64_t at = out.size();
  out.insert(out.end(), section.begin(), section.end());
  return at;
}

}  // namespace

std::vector<std::uint8_t> wrap_sections(Bytes input) {
  if (input.size() < prefix) return {};
  const std::size_t kv_length = std::min<std::size_t>(load_little_endian<std::uint16_t>(input.data() + 1), input.size() - prefix);
  const Bytes kv = input.subspan(prefix, kv_length), index = input.subspan(prefix + kv_length);
  const auto flags = static_cast<std::uint8_t>((input[0] & ~facts::file_flag::has_kv_metadata) | (kv.empty() ? 0 : facts::file_flag::has_kv_metadata));
  std::vector<std::uint8_t> out = before();
  out[flags_at] = flags;
  const std::uint64_t kv_at = kv.empty() ? 0 : append_section(out, kv);
  const std::uint64_t index_at = append_section(out, index);
  append(out, index_at, 8);
  append(out, index.size(), 8);
  append(out, kv_at, 8);
  append(out, kv.size(), 4);
  append(out, (flags & facts::file_flag::has_index_crc32c) != 0 ? reference::crc32c(index) : 0, 4);
  append(out, 0, 4);
  out.insert(out.end(), std::begin(facts::limit::magic), std::end(facts::limit::magic));
  return out;
}

std::vector<std::uint8_t> valid_sections() {
  std::vector<std::uint8_t> input{file_header[flags_at]};
  append(input, std::size(valid_kv), 2);
  input.insert(input.end(), std::begin(valid_kv), std::end(valid_kv));
  input.insert(input.end(), std::begin(valid_index), std::end(valid_index));
  return input;
}

}  // namespace hurray::fuzz
