// Elements in memory (element-types.md): where the bits of element p lie, how they are read and written, how two are added.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "reference/float_format.h"
#include "reference/little_endian.h"
#include "reference/verdict.h"

namespace hurray::reference {

/// The counterpart of load_little_endian.
template <typename T>
void store_little_endian(std::uint8_t* bytes, T value) {
  if constexpr (std::endian::native == std::endian::big) {
    for (std::size_t byte = 0; byte < sizeof(T); ++byte) bytes[byte] = static_cast<std::uint8_t>(value >> (8 * byte));
  } else {
    std::memcpy(bytes, &value, sizeof(T));
  }
}

/// The elements of one buffer. Element p occupies the bits from 8*byte_offset + p*bits on, low bits first, which is what
/// the packing rules of every width come to, the groups of four 6-bit elements included. Positions may be negative.
class Elements {
 public:
  Elements() = default;
  Elements(Bytes buffer, std::uint64_t byte_offset, std::uint8_t bits) : first_(buffer.data() + byte_offset), bits_(bits) {}
  /// The element at a position that lies in the buffer.
  Pattern at(std::int64_t position) const;
  /// Its first byte, of types of whole bytes; byte_offset for position 0 of any type.
  const std::uint8_t* address(std::int64_t position) const { return first_ + position * (bits_ / 8); }
  std::uint8_t bits() const { return bits_; }

 private:
  const std::uint8_t* first_ = nullptr;  // byte_offset
  std::uint8_t bits_ = 8;
};

/// Reads elements base + terms[j], which lie in the buffer, into row[j].
void load_row(const Elements& elements, std::int64_t base, std::span<const std::int64_t> terms, Pattern* row);

/// The writable counterpart: a dense array of elements whose bytes the caller has sized.
struct ElementArray {
  std::uint8_t* bytes = nullptr;
  std::uint8_t type_tag = 0, bits = 8;

  Pattern load(std::uint64_t position) const;
  void store(std::uint64_t position, Pattern pattern) const;
  void fill_zero(std::uint64_t position, std::uint64_t count) const;
  void copy_row(std::uint64_t position, const Elements& from, std::int64_t from_position, std::uint64_t count) const;
  void store_row(std::uint64_t position, std::span<const Pattern> row) const;
  /// Adds row[j] to element position + j in the array's own type, see add_elements.
  void add_row(std::uint64_t position, std::span<const Pattern> row) const;
};

/// left + right in element type `type_tag` (CMP-OVL-06): real floating-point types round to nearest even once, complex
/// ones per part; integers wrap modulo 2^bits; bool is the logical or; float8_e8m0 gives the nearest power of two, the even
/// code of two equally near, and NaN (0xFF) above 2^127. The choices that the text leaves open are recorded in
/// conformance/decisions/.
[[nodiscard]] Pattern add_elements(std::uint8_t type_tag, Pattern left, Pattern right);

}  // namespace hurray::reference
