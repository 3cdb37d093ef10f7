// Memory and chance of one mutation.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

namespace hurray::fuzz::mutator {

/// Bytes in an arena. Parts may be shared between nodes: whoever writes copies first.
using Part = std::span<std::uint8_t>;

/// Gives memory that lives as long as the mutation; a sanitizer's allocator would cost more than the edits do.
class Arena {
 public:
  Arena() : memory_(first_.data(), first_.size()) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::pmr::memory_resource* resource() { return &memory_; }
  Part zeros(std::size_t size) {
    auto* at = static_cast<std::uint8_t*>(memory_.allocate(size + 1, 1));
    std::fill_n(at, size, std::uint8_t{0});
    return {at, size};
  }
  Part copy(std::span<const std::uint8_t> bytes) {
    const Part part = zeros(bytes.size());
    std::copy(bytes.begin(), bytes.end(), part.begin());
    return part;
  }
  /// A copy of that size, cut or filled up with zeros.
  Part resized(Part part, std::size_t size) {
    const Part out = zeros(size);
    std::copy_n(part.begin(), std::min(size, part.size()), out.begin());
    return out;
  }
  Part joined(Part left, Part right) {
    const Part out = resized(left, left.size() + right.size());
    std::copy(right.begin(), right.end(), out.begin() + static_cast<std::ptrdiff_t>(left.size()));
    return out;
  }

 private:
  std::array<std::uint8_t, 1u << 16> first_;
  std::pmr::monotonic_buffer_resource memory_;
};

/// SplitMix64: every seed is as good as any other.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// 0 … count-1; 0 where count is 0.
  std::uint64_t below(std::uint64_t count) { return count == 0 ? 0 : next() % count; }
  bool one_in(std::uint64_t count) { return below(count) == 0; }
  template <typename Value, std::size_t N>
  Value any(const Value (&values)[N]) {
    return values[below(N)];
  }

 private:
  std::uint64_t state_;
};

inline std::uint64_t load(std::span<const std::uint8_t> bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < width && at + k < bytes.size(); ++k) value |= std::uint64_t{bytes[at + k]} << (8 * k);
  return value;
}

/// Bytes beyond the end are left out.
inline void store(Part bytes, std::size_t at, std::size_t width, std::uint64_t value) {
  for (std::size_t k = 0; k < width && at + k < bytes.size(); ++k) bytes[at + k] = static_cast<std::uint8_t>(value >> (8 * k));
}

}  // namespace hurray::fuzz::mutator
