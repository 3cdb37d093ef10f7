#include "harness/hex.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hurray::harness {
namespace {

using generators::Segment;
using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t line_bytes = 16;
constexpr std::size_t least_fold = 32;  // shorter runs stay readable as they are

std::size_t run_length(Bytes bytes) {
  std::size_t length = 1;
  while (length < bytes.size() && bytes[length] == bytes[0]) ++length;
  return length;
}

std::string value_of(const Segment& segment) {
  const std::size_t size = segment.bytes.size();
  if (size != 1 && size != 2 && size != 4 && size != 8) return {};
  if (segment.label.find("magic") != std::string::npos || segment.label.find("data[") != std::string::npos) return {};
  std::uint64_t value = 0;
  for (std::size_t byte = size; byte-- > 0;) value = value << 8 | segment.bytes[byte];
  return fmt::format("{}", value);
}

void add_segment(std::vector<HexLine>& lines, const Segment& segment, std::uint64_t at, std::size_t most_lines) {
  const Bytes bytes = segment.bytes;
  std::size_t done = 0, shown = 0;
  do {
    HexLine line{at + done, {}, shown == 0 ? segment.label : "", shown == 0 ? value_of(segment) : "", segment.edited};
    const Bytes rest = bytes.subspan(done);
    const std::size_t run = rest.empty() ? 0 : run_length(rest);
    if (rest.empty()) {
      line.bytes = "(no bytes)";
    } else if (most_lines != 0 && shown == most_lines) {
      line.bytes = fmt::format("... {} more bytes", rest.size());
      done = bytes.size();
    } else if (run >= least_fold) {
      line.bytes = fmt::format("{:02x} * {}", rest[0], run);
      done += run;
    } else {
      const Bytes part = rest.first(std::min(rest.size(), line_bytes));
      line.bytes = hex_of(part, " ");
      done += part.size();
    }
    lines.push_back(std::move(line));
    ++shown;
  } while (done < bytes.size());
}

}  // namespace

std::string hex_of(Bytes bytes, std::string_view separator) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{}{:02x}", text.empty() ? "" : separator, byte);
  return text;
}

std::vector<HexLine> hex_lines(const std::vector<Segment>& segments, std::size_t most_lines) {
  std::vector<HexLine> lines;
  std::uint64_t at = 0;
  for (const Segment& segment : segments) {
    if (!segment.bytes.empty() || segment.edited) add_segment(lines, segment, at, most_lines);
    at += segment.bytes.size();
  }
  return lines;
}

std::vector<Segment> marked_twin(const std::vector<Segment>& input, std::vector<Segment> twin) {
  std::set<std::string_view> edited;
  for (const Segment& segment : input)
    if (segment.edited) edited.insert(segment.label);
  for (Segment& segment : twin) segment.edited = edited.count(segment.label) != 0;
  return twin;
}

}  // namespace hurray::harness
