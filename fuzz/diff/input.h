// What the bytes of an fz_diff input ask for. Byte 0: surface (bits 0, 1), permissive mode (bit 2), source (bits 3 to 5):
//   0 to 3  the rest is the input as it stands
//   4, 5    the rest are decisions that grow a legal model; it is written on the surface
//   6, 7    byte 1 and 2 a fault, byte 3 its place, the rest decisions: a model with one fault, on a surface of that fault
#pragma once

#include <optional>
#include <vector>

#include "fuzz/diff/difference.h"

namespace hurray::fuzz {

/// An input with what it points to.
struct OwnedInput {
  std::vector<std::uint8_t> bytes;
  facts::Surface surface = facts::Surface::bare;
  facts::Mode mode = facts::Mode::strict;
  std::optional<generators::Model> model;

  DiffInput view() const { return {bytes, surface, mode, model ? &*model : nullptr}; }
};

/// Nothing where the bytes ask for nothing (too few, or a fault that applies nowhere).
[[nodiscard]] std::optional<OwnedInput> decode_input(Bytes data);

inline constexpr std::size_t longest_draw = 260;

/// Fills `room` (at least longest_draw bytes) with an input that grows a model, with or without a fault: the same for the
/// same seed. Returns its size.
std::size_t draw_input(std::span<std::uint8_t> room, std::uint32_t seed);

}  // namespace hurray::fuzz
