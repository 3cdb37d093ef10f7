// Little-endian numbers at any alignment (metadata.md, Overall Descriptor Structure).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hurray::reference {

/// The little-endian integer at `bytes`, of which sizeof(T) must be readable.
template <typename T>
T load_little_endian(const std::uint8_t* bytes) {
  if constexpr (std::endian::native == std::endian::little) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  } else {
    std::uint64_t value = 0;
    for (std::size_t byte = sizeof(T); byte-- > 0;) value = (value << 8) | bytes[byte];
    return static_cast<T>(value);
  }
}

/// `count` little-endian integers of type T at any alignment. An index beyond the end reads as zero: where the rule that
/// demands the whole array is waived, what is missing counts as zero.
template <typename T>
class LittleEndianArray {
 public:
  LittleEndianArray() = default;
  LittleEndianArray(const std::uint8_t* bytes, std::size_t count) : bytes_(bytes), count_(count) {}
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  T operator[](std::size_t index) const {
    return index < count_ ? load_little_endian<T>(bytes_ + index * sizeof(T)) : T{0};
  }
  const std::uint8_t* data() const { return bytes_; }

 private:
  const std::uint8_t* bytes_ = nullptr;
  std::size_t count_ = 0;
};
using U64Array = LittleEndianArray<std::uint64_t>;
using U32Array = LittleEndianArray<std::uint32_t>;
using I64Array = LittleEndianArray<std::int64_t>;

}  // namespace hurray::reference
