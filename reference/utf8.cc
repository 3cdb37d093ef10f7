#include "reference/utf8.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace hurray::reference {
namespace {

struct Lead {
  std::size_t following;          // continuation bytes
  std::uint8_t low = 0x80, high = 0xBF;  // what the first of them may be
};

std::optional<Lead> lead_of(std::uint8_t byte) {
  if (byte < 0x80) return Lead{0};
  if (byte >= 0xC2 && byte <= 0xDF) return Lead{1};
  if (byte == 0xE0) return Lead{2, 0xA0, 0xBF};
  if (byte == 0xED) return Lead{2, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return Lead{2};
  if (byte == 0xF0) return Lead{3, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return Lead{3};
  if (byte == 0xF4) return Lead{3, 0x80, 0x8F};
  return std::nullopt;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<Lead> lead = lead_of(static_cast<std::uint8_t>(text[at]));
    if (!lead || lead->following >= text.size() - at) return false;
    for (std::size_t k = 1; k <= lead->following; ++k) {
      const std::uint8_t byte = static_cast<std::uint8_t>(text[at + k]);
      const bool first = k == 1;
      if (byte < (first ? lead->low : 0x80) || byte > (first ? lead->high : 0xBF)) return false;
    }
    at += 1 + lead->following;
  }
  return true;
}

bool bytes_less(std::string_view a, std::string_view b) { return a < b; }  // char_traits compares unsigned

std::optional<Duplicate> find_duplicate(std::span<const std::string_view> texts) {
  std::vector<std::uint32_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto less = [texts](std::uint32_t a, std::uint32_t b) {
    return texts[a] != texts[b] ? bytes_less(texts[a], texts[b]) : a < b;
  };
  if (!std::is_sorted(order.begin(), order.end(), less)) std::sort(order.begin(), order.end(), less);
  for (std::size_t i = 1; i < order.size(); ++i)
    if (texts[order[i - 1]] == texts[order[i]]) return Duplicate{order[i - 1], order[i]};
  return std::nullopt;
}

}  // namespace hurray::reference
