// Labelled bytes as lines of text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/matrix.h"

namespace hurray::harness {

/// One line: where it starts, the bytes, what they are, and their value where they form one number.
struct HexLine {
  std::uint64_t at = 0;
  std::string bytes;  // "48 52 52 59", "00 * 128", "… 4080 more bytes"
  std::string label;
  std::string value;  // decimal; empty for text, contents and long fields
  bool edited = false;
};

/// Sixteen bytes a line; runs of equal bytes are folded, and of a long segment `most_lines` lines are shown (0: all).
[[nodiscard]] std::vector<HexLine> hex_lines(const std::vector<generators::Segment>& segments, std::size_t most_lines);

/// `twin` with those segments marked whose label an edited segment of `input` carries.
[[nodiscard]] std::vector<generators::Segment> marked_twin(const std::vector<generators::Segment>& input,
                                                           std::vector<generators::Segment> twin);

[[nodiscard]] std::string hex_of(std::span<const std::uint8_t> bytes, std::string_view separator);

}  // namespace hurray::harness
