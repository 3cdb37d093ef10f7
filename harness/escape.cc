#include "harness/escape.h"

#include <cstddef>
#include <cstdint>

namespace hurray::harness {
namespace {

/// Length of the UTF-8 sequence at the start of `text`; 0 where it is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) >= 0xC2 && byte(0) < 0xE0 ? 2
                             : byte(0) >= 0xE0 && byte(0) < 0xF0                    ? 3
                             : byte(0) >= 0xF0 && byte(0) < 0xF5                    ? 4
                                                                                    : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  return length;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const char c = text[0];
    const bool control = static_cast<std::uint8_t>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r';
    if (length == 0 || control) out += '?';
    else if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace hurray::harness
