// What a read came to: nothing wrong, or the first rule that the input breaks.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "conformance/facts/facts.h"
#include "conformance/facts/rules.h"

namespace hurray::reference {

using Bytes = std::span<const std::uint8_t>;
using facts::Mode;
using facts::Rule;
using facts::Surface;

/// A short text with the values that a violation is about; at most 159 bytes, no allocation.
class Message {
 public:
  /// Formats as printf does and truncates to capacity.
  [[gnu::format(printf, 1, 2)]] static Message of(const char* format, ...);
  std::string_view text() const { return {text_.data(), size_}; }

 private:
  std::array<char, 160> text_{};
  std::size_t size_ = 0;
};

/// The first broken rule. `at` is the byte of the whole input where the offending field starts.
struct Violation {
  Rule rule;
  std::uint64_t at;
  Message message;
};

/// The rules that a reader does not enforce. Strict waives nothing, permissive waives the rules whose entry grants
/// relief (versioning.md, Reader modes), and the kill matrix waives one rule at a time.
class Waivers {
 public:
  static Waivers none() { return {}; }
  static Waivers of(Mode mode);
  Waivers& waive(Rule rule) {
    waived_.set(static_cast<std::size_t>(rule));
    return *this;
  }
  Waivers& demand(Rule rule) {
    waived_.reset(static_cast<std::size_t>(rule));
    return *this;
  }
  bool has(Rule rule) const { return waived_.test(static_cast<std::size_t>(rule)); }

 private:
  std::bitset<facts::rule_count> waived_;
};

}  // namespace hurray::reference
