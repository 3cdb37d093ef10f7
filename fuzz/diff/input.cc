#include "fuzz/diff/input.h"

#include <algorithm>

#include "fuzz/growth_limits.h"
#include "fuzz/near_miss.h"
#include "generators/build.h"

namespace hurray::fuzz {
namespace {

enum class Source : std::uint8_t { raw, grown, broken };

constexpr Source sources[] = {Source::raw, Source::raw, Source::raw, Source::raw, Source::grown, Source::grown, Source::broken, Source::broken};

bool grow_into(OwnedInput& input, Bytes decisions_bytes) {
  generators::Decisions decisions(decisions_bytes);
  if (input.surface == facts::Surface::descriptor) input.surface = facts::Surface::bare;  // a model may hold more than one
  input.model = generators::grow(decisions, values_limits());
  input.bytes = generators::write(*input.model, input.surface);
  return true;
}

bool break_into(OwnedInput& input, Bytes data) {
  constexpr std::size_t prefix = 3;
  if (data.size() < prefix) return false;
  generators::Decisions decisions(data.subspan(prefix));
  std::optional<BrokenInput> broken = break_model((data[0] + 256u * data[1]) % fault_count(), data[2], decisions);
  if (!broken) return false;
  input.surface = broken->surface;
  input.bytes = std::move(broken->bytes);
  return true;
}

}  // namespace

std::optional<OwnedInput> decode_input(Bytes data) {
  if (data.empty()) return std::nullopt;
  data = data.first(std::min(data.size(), largest_input));
  OwnedInput input;
  input.surface = static_cast<facts::Surface>(data[0] & 3u);
  input.mode = static_cast<facts::Mode>(data[0] >> 2 & 1u);
  const Bytes rest = data.subspan(1);
  bool made = true;
  switch (sources[data[0] >> 3 & 7u]) {
    case Source::raw: input.bytes.assign(rest.begin(), rest.end()); break;
    case Source::grown: made = grow_into(input, rest); break;
    case Source::broken: made = break_into(input, rest); break;
  }
  return made ? std::optional(std::move(input)) : std::nullopt;
}

std::size_t draw_input(std::span<std::uint8_t> room, std::uint32_t seed) {
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  const auto byte = [&state] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint8_t>(state >> 56);
  };
  constexpr std::size_t prefix = 4, shortest = 8;
  const std::size_t size = std::min(longest_draw, prefix + shortest + byte());
  for (std::size_t at = 0; at < size; ++at) room[at] = byte();
  // Strict mode, with a fault in one of two.
  room[0] = static_cast<std::uint8_t>((room[0] & 3u) | (byte() % 2 == 0 ? 4u : 6u) << 3);
  return size;
}

}  // namespace hurray::fuzz
