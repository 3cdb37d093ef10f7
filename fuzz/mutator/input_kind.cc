#include "fuzz/mutator/input_kind.h"

#include <array>

#include "fuzz/mutator/arena.h"
#include "fuzz/mutator/sections.h"

namespace hurray::fuzz::mutator {
namespace {

using facts::Surface;

constexpr std::string_view names[] = {"descriptor", "bare", "framed", "file", "after_carrier", "after_cuts", "sections"};
constexpr std::size_t longest_prefix = 5;

std::size_t prefix_of(InputKind kind) { return kind == InputKind::after_carrier ? 1 : kind == InputKind::after_cuts ? longest_prefix : 0; }

Surface surface_of(InputKind kind, std::uint8_t first) {
  constexpr Surface carriers[] = {Surface::bare, Surface::framed, Surface::file};
  if (kind == InputKind::after_carrier) return carriers[first % 3];
  if (kind == InputKind::after_cuts) return carriers[first % 2];
  return static_cast<Surface>(kind);
}

}  // namespace

std::optional<InputKind> input_kind(std::string_view name) {
  for (std::size_t at = 0; at < std::size(names); ++at)
    if (names[at] == name) return static_cast<InputKind>(at);
  return std::nullopt;
}

std::size_t mutate_kind(Bytes input, Bytes other, InputKind kind, std::uint64_t seed, std::span<std::uint8_t> out, Report* report) {
  if (kind == InputKind::sections) return mutate_sections(input, other, seed, out, report);
  const std::size_t prefix = prefix_of(kind);
  if (out.size() < prefix) return 0;
  Random random(~seed);
  std::array<std::uint8_t, longest_prefix> kept{};
  std::copy_n(input.begin(), std::min(prefix, input.size()), kept.begin());
  const Surface was = surface_of(kind, kept[0]);
  const bool anew = prefix > 0 && (input.size() <= prefix || random.one_in(32));
  if (anew) kept[0] = static_cast<std::uint8_t>(random.next());
  if (prefix > 1 && (anew || random.one_in(8))) kept[1 + random.below(4)] = static_cast<std::uint8_t>(random.next());
  const Surface surface = surface_of(kind, kept[0]);
  // A tree of one carrier means nothing on another.
  const Bytes rest = surface == was ? input.subspan(std::min(prefix, input.size())) : Bytes{};
  const Bytes second = prefix > 0 && (other.size() <= prefix || surface_of(kind, other[0]) != surface) ? Bytes{} : other.subspan(std::min(prefix, other.size()));
  const std::size_t size = mutate(rest, second, surface, seed, out.subspan(prefix), report);
  std::copy_n(kept.begin(), prefix, out.begin());
  return prefix + size;
}

}  // namespace hurray::fuzz::mutator
