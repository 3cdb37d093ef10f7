// Names and keys of files are UTF-8 (file-format.md, Index Encoding and KV Section Encoding).
#pragma once

#include "reference/verdict.h"

namespace hurray::reference {

/// Well-formed by Unicode's table 3-7: shortest forms only, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

/// Orders by bytes, as SORTED_INDEX does.
[[nodiscard]] bool bytes_less(std::string_view a, std::string_view b);

/// Positions of two equal texts, the second in input order, or nothing. O(n log n).
struct Duplicate {
  std::size_t first, second;
};
[[nodiscard]] std::optional<Duplicate> find_duplicate(std::span<const std::string_view> texts);

}  // namespace hurray::reference
