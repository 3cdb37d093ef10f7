#include "reference/crc32c.h"

#include "reference/little_endian.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace hurray::reference {
namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
  constexpr std::uint32_t polynomial = 0x82F63B78;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t remainder = byte;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1u) != 0 ? polynomial : 0u);
    table[byte] = remainder;
  }
  return table;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(Bytes bytes) {
  std::uint64_t crc = 0xFFFFFFFFu;
  std::size_t i = 0;
  for (; bytes.size() - i >= 8; i += 8) crc = _mm_crc32_u64(crc, load_little_endian<std::uint64_t>(bytes.data() + i));
  std::uint32_t rest = static_cast<std::uint32_t>(crc);
  for (; i < bytes.size(); ++i) rest = _mm_crc32_u8(rest, bytes[i]);
  return ~rest;
}
#endif

}  // namespace

std::uint32_t crc32c_by_table(Bytes bytes) {
  static constexpr std::array<std::uint32_t, 256> table = make_table();
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const std::uint8_t byte : bytes) crc = (crc >> 8) ^ table[(crc ^ byte) & 0xFFu];
  return ~crc;
}

std::uint32_t crc32c(Bytes bytes) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return crc32c_by_instruction(bytes);
#endif
  return crc32c_by_table(bytes);
}

}  // namespace hurray::reference
