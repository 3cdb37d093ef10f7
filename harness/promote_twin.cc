// The search for a valid twin: the field where the reader stops and those around it are set to what might be meant.
#include <algorithm>
#include <set>

#include "generators/bytes.h"
#include "harness/label.h"
#include "harness/minimize/tree.h"
#include "harness/promote.h"
#include "reference/read.h"

namespace hurray::harness {
namespace {

using generators::Segment;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t beyond_all = ~std::uint64_t{0};

/// Where the strict reader stops; beyond all where it does not.
std::uint64_t stops_at(const Bytes& bytes, facts::Surface surface) {
  const reference::Reading reading = reference::read(bytes, surface, reference::Waivers::none());
  return reading.accepted() ? beyond_all : reading.violation->at;
}

struct Place {
  std::size_t start, size;
};

/// Fields in the order in which they may be to blame: the one where the reader stops, then those before, then after.
std::vector<Place> places(const Bytes& bytes, facts::Surface surface, std::uint64_t stop) {
  std::vector<Place> all;
  std::size_t at = 0;
  for (const Segment& segment : label(bytes, surface)) {
    all.push_back({at, segment.bytes.size()});
    at += segment.bytes.size();
  }
  const auto distance = [stop](const Place& place) {
    if (place.start <= stop) return 2 * (stop - place.start);
    return 2 * (place.start - stop) + 1;
  };
  std::stable_sort(all.begin(), all.end(), [&](const Place& a, const Place& b) { return distance(a) < distance(b); });
  return all;
}

/// Values that a field of `size` bytes may have been meant to have. Small numbers, neighbours, one bit more or less, and what
/// other fields of the input say.
std::set<std::uint64_t> meant(std::uint64_t value, std::size_t size, const std::set<std::uint64_t>& others) {
  std::set<std::uint64_t> values;
  if (size == 1)
    for (std::uint64_t v = 0; v < 256; ++v) values.insert(v);
  for (std::uint64_t v = 0; v <= 64; ++v) values.insert(v);
  for (std::uint64_t step = 1; step <= 8; ++step) {
    values.insert(value + step);
    values.insert(value - step);
  }
  for (std::size_t bit = 0; bit < 8 * size; ++bit) values.insert(value ^ (std::uint64_t{1} << bit));
  values.insert(others.begin(), others.end());
  values.erase(value);
  return values;
}

/// The field set to the value, and everything that depends on it put right where the input can be taken apart.
Bytes with_value(const Bytes& bytes, facts::Surface surface, const Place& place, std::uint64_t value, bool relink) {
  Bytes changed = bytes;
  const Bytes little = generators::little_endian(value, place.size);
  std::copy(little.begin(), little.end(), changed.begin() + static_cast<std::ptrdiff_t>(place.start));
  if (!relink) return changed;
  const std::optional<Tree> tree = Tree::parse(bytes, surface);
  if (!tree) return changed;
  Tree edited = *tree;
  std::size_t at = 0;
  edited.change([&](Field& field) {
    if (at == place.start && field.bytes.size() == place.size && !field.bytes.empty()) field.bytes = little;
    at += field.bytes.size();
  });
  return edited.bytes();
}

Bytes without(const Bytes& bytes, const Place& place) {
  Bytes changed = bytes;
  const auto begin = changed.begin() + static_cast<std::ptrdiff_t>(place.start);
  changed.erase(begin, begin + static_cast<std::ptrdiff_t>(place.size));
  return changed;
}

class Search {
 public:
  Search(const Bytes& bytes, facts::Surface surface) : bytes_(bytes), surface_(surface), stop_(stops_at(bytes, surface)) {
    for (const Segment& segment : label(bytes, surface))
      if (segment.bytes.size() <= 8) others_.insert(generators::from_little_endian(segment.bytes));
  }

  /// True once an accepted input is found; else `best` is the one in which the reader gets furthest.
  bool run(Bytes& best) {
    std::size_t looked_at = 0;
    constexpr std::size_t most_places = 48;
    for (const Place& place : places(bytes_, surface_, stop_)) {
      if (looked_at++ == most_places) break;
      if (at_place(place)) {
        best = found_;
        return true;
      }
    }
    best = found_;
    return false;
  }

 private:
  bool at_place(const Place& place) {
    if (place.size <= 8)
      for (const bool relink : {false, true})
        for (const std::uint64_t value :
             meant(generators::from_little_endian(std::span(bytes_).subspan(place.start, place.size)), place.size, others_))
          if (consider(with_value(bytes_, surface_, place, value, relink))) return true;
    Bytes zeroed = bytes_;
    std::fill_n(zeroed.begin() + static_cast<std::ptrdiff_t>(place.start), place.size, std::uint8_t{0});
    return consider(std::move(zeroed)) || consider(without(bytes_, place));
  }

  bool consider(Bytes candidate) {
    if (candidate == bytes_ || candidate.empty()) return false;
    const std::uint64_t stop = stops_at(candidate, surface_);
    if (stop > furthest_) {
      furthest_ = stop;
      found_ = std::move(candidate);
    }
    return stop == beyond_all;
  }

  const Bytes& bytes_;
  facts::Surface surface_;
  std::uint64_t stop_, furthest_ = 0;
  std::set<std::uint64_t> others_;
  Bytes found_;
};

}  // namespace

Twin nearest_twin(const std::vector<std::uint8_t>& bytes, facts::Surface surface) {
  constexpr std::size_t most_edits = 6;
  Twin twin{bytes, 0};
  for (std::uint64_t stop = stops_at(bytes, surface); stop != beyond_all; ++twin.edits) {
    Bytes next;
    const bool accepted = twin.edits < most_edits && Search(twin.bytes, surface).run(next);
    const std::uint64_t now = next.empty() ? 0 : stops_at(next, surface);
    if (!accepted && now <= stop) return {};
    stop = now;
    twin.bytes = std::move(next);
  }
  return twin;
}

}  // namespace hurray::harness
