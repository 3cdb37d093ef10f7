// A sticky reader of little-endian fields: after the first short read everything reads as zero and the position stays.
#pragma once

#include <algorithm>

#include "reference/little_endian.h"
#include "reference/verdict.h"

namespace hurray::reference {

class Cursor {
 public:
  /// Reads `input` from byte `position` on; positions are absolute in `input`.
  Cursor(Bytes input, std::uint64_t position)
      : input_(input), position_(std::min<std::uint64_t>(position, input.size())), end_(input.size()) {}

  /// Nothing is read at or beyond byte `end` from now on.
  void limit(std::uint64_t end) { end_ = std::clamp<std::uint64_t>(end, position_, input_.size()); }

  std::uint64_t position() const { return position_; }
  std::uint64_t remaining() const { return overran_ ? 0 : end_ - position_; }
  bool overran() const { return overran_; }

  std::uint8_t u8() { return number<std::uint8_t>(); }
  std::uint16_t u16() { return number<std::uint16_t>(); }
  std::uint32_t u32() { return number<std::uint32_t>(); }
  std::uint64_t u64() { return number<std::uint64_t>(); }

  /// The next `count` numbers; only those that are there when there are fewer.
  template <typename T>
  LittleEndianArray<T> array(std::uint64_t count) {
    const std::uint64_t there = std::min(count, remaining() / sizeof(T));
    const std::uint8_t* const bytes = input_.data() + position_;
    position_ += there * sizeof(T);
    overran_ |= there < count;
    return {bytes, static_cast<std::size_t>(there)};
  }

  void skip(std::uint64_t bytes) {
    const std::uint64_t there = std::min(bytes, remaining());
    position_ += there;
    overran_ |= there < bytes;
  }

 private:
  template <typename T>
  T number() {
    if (remaining() < sizeof(T)) {
      overran_ = true;
      return 0;
    }
    const T value = load_little_endian<T>(input_.data() + position_);
    position_ += sizeof(T);
    return value;
  }

  Bytes input_;
  std::uint64_t position_;
  std::uint64_t end_;
  bool overran_ = false;
};

/// Whether every byte is zero, as reserved bytes have to be.
inline bool all_zero(LittleEndianArray<std::uint8_t> bytes) {
  return std::all_of(bytes.data(), bytes.data() + bytes.size(), [](std::uint8_t byte) { return byte == 0; });
}

}  // namespace hurray::reference
