// Quantization parameters: how many a scheme has, what stands in for those a model leaves out, and their buffers.
#pragma once

#include <cstdint>
#include <string>

#include "generators/model.h"
#include "generators/storage.h"

namespace hurray::generators {

struct ParameterCount {
  std::uint64_t count = 0;   // channels or blocks; 0 for per-tensor and none
  std::string error;
};
[[nodiscard]] ParameterCount count_parameters(const Node& node);

/// Fills the parameter arrays that are empty: scales 2^(k mod 5 - 2), zero points k mod 3 (signed storage: - 1).
void fill_parameters(Node& node, std::uint64_t count);

/// Appends the scale and zero-point buffers to `storage` and notes their table indices.
[[nodiscard]] std::string append_parameters(const Node& node, Storage& storage);

/// Elements that a partial last block adds to the end of buffer 0: only where all of them lie at the end (the blocked
/// axis is the slowest of a row- or column-major tensor, or every other dimension is 1); elsewhere the text leaves
/// their place open and none are written.
[[nodiscard]] std::uint64_t padding_slots(const Node& node);

}  // namespace hurray::generators
