// Little-endian bytes: how every integer of the format is spelled.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace hurray::generators {

using Bytes = std::vector<std::uint8_t>;

inline void append_little_endian(Bytes& out, std::uint64_t value, std::size_t width) {
  for (std::size_t k = 0; k < width; ++k) out.push_back(static_cast<std::uint8_t>(k < 8 ? value >> (8 * k) : 0));
}

inline Bytes little_endian(std::uint64_t value, std::size_t width) {
  Bytes out;
  append_little_endian(out, value, width);
  return out;
}

/// The value of up to eight little-endian bytes; further bytes are ignored.
inline std::uint64_t from_little_endian(std::span<const std::uint8_t> bytes) {
  std::uint64_t value = 0;
  for (std::size_t k = bytes.size() < 8 ? bytes.size() : 8; k > 0; --k) value = value << 8 | bytes[k - 1];
  return value;
}

}  // namespace hurray::generators
