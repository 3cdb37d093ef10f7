#include "harness/label.h"

#include <algorithm>

#include "conformance/facts/limits.h"
#include "harness/labeller.h"

namespace hurray::harness {
namespace {

using generators::Segment;

/// Padding carries the path of what it stands before: x.padding before a descriptor, x.padding[i] before x.data[i].
std::string padding_before(const std::string& label) {
  const std::size_t data = label.rfind("data[");
  if (data != std::string::npos) return label.substr(0, data) + "padding" + label.substr(data + 4);
  const std::size_t dot = label.rfind('.');
  return dot == std::string::npos ? "padding" : label.substr(0, dot) + ".padding";
}

/// One item needs no number: items[0].head is head.
void drop_only_number(std::vector<Segment>& segments) {
  constexpr std::string_view first = "items[0].", second = "items[1].";
  const auto starts = [](std::string_view prefix) {
    return [prefix](const Segment& segment) { return segment.label.compare(0, prefix.size(), prefix) == 0; };
  };
  if (std::any_of(segments.begin(), segments.end(), starts(second))) return;
  for (Segment& segment : segments)
    if (starts(first)(segment)) segment.label.erase(0, first.size());
}

void label_bare(LabelMap& map) {
  NodePaths paths;
  for (std::uint64_t at = 0; at < map.size();) {
    const DescriptorOutline outline = label_descriptor(map, paths, at);
    if (outline.end - at < facts::limit::fixed_header) return;  // no descriptor is so short: what follows is anything
    at = outline.end;
    for (std::size_t i = 0; i < outline.buffer_sizes.size() && at < map.size(); ++i) {
      map.name(at, outline.buffer_sizes[i], outline.path + ".data[" + std::to_string(i) + "]");
      at += std::min(outline.buffer_sizes[i], map.size() - at);
    }
  }
}

}  // namespace

std::uint64_t LabelMap::number(std::uint64_t at, std::uint64_t bytes) const {
  std::uint64_t value = 0;
  for (std::uint64_t byte = bytes; byte-- > 0;)
    value = value << 8 | (at < size() && byte < size() - at ? input_[at + byte] : 0u);
  return value;
}

void LabelMap::name(std::uint64_t at, std::uint64_t bytes, std::string label) {
  if (at >= size()) return;
  runs_.push_back({at, std::min(bytes, size() - at), std::move(label)});
}

std::vector<Segment> LabelMap::segments() const {
  std::vector<Run> runs = runs_;
  const auto before = [](const Run& a, const Run& b) {
    return a.at < b.at || (a.at == b.at && a.bytes == 0 && b.bytes != 0);  // what is empty ends before what follows it
  };
  std::stable_sort(runs.begin(), runs.end(), before);
  std::vector<Segment> out;
  std::uint64_t done = 0;
  const auto add = [&](std::uint64_t until, std::string label) {
    if (until <= done) return;
    out.push_back({std::move(label), {input_.begin() + static_cast<std::ptrdiff_t>(done),
                                      input_.begin() + static_cast<std::ptrdiff_t>(until)}, false});
    done = until;
  };
  for (Run& run : runs) {
    add(run.at, padding_before(run.label));
    add(run.at + run.bytes, std::move(run.label));  // of runs that overlap, the first one keeps its bytes
  }
  add(size(), "rest");
  return out;
}

std::string NodePaths::next(bool is_head, std::uint32_t member_count) {
  while (!open_.empty() && open_.back().next == open_.back().count) open_.pop_back();
  const bool member = !open_.empty();
  const std::string base = member ? open_.back().prefix + "members[" + std::to_string(open_.back().next++) + "]"
                                  : "items[" + std::to_string(items_++) + "]";
  if (is_head) open_.push_back({base + ".", 0, member_count});
  return base + (is_head ? ".head" : member ? "" : ".tensor");
}

std::vector<Segment> label(std::span<const std::uint8_t> input, facts::Surface surface) {
  LabelMap map(input);
  NodePaths paths;
  switch (surface) {
    case facts::Surface::descriptor: label_descriptor(map, paths, 0); break;
    case facts::Surface::bare: label_bare(map); break;
    case facts::Surface::framed: label_framed(map); break;
    case facts::Surface::file: label_file(map); break;
  }
  std::vector<Segment> segments = map.segments();
  drop_only_number(segments);
  return segments;
}

}  // namespace hurray::harness
