// Which buffers of a descriptor belong to its layout and which hold quantization parameters
// (metadata.md, Buffer Table; quantization.md, Buffer Table Placement Rules).
#pragma once

#include <optional>

#include "reference/descriptor.h"

namespace hurray::reference {

/// How many buffers the layout itself owns; buffer 0 holds the values. All of them for a private or unknown layout.
std::uint64_t layout_buffers(const Descriptor& descriptor);

/// How many buffers the scheme adds: scales, zero-points, both in one where they share an entry, or none.
std::uint64_t parameter_buffers(const Quantization& quantization);

/// Whether scales and zero-points are two arrays of one buffer, end to end (placement rule 3).
bool shares_parameter_buffer(const Quantization& quantization);

/// Where the handle of buffer `index` starts in the input.
std::uint64_t handle_at(const Descriptor& descriptor, std::size_t index);

/// How many scales the scheme has: channels or blocks. Nothing where a dimension that counts is dynamic, an axis does not
/// exist or the scheme is unknown; 2^64-1 stands for any number beyond it.
std::optional<std::uint64_t> scale_count(const Descriptor& descriptor);

/// Bytes of one scale.
std::uint64_t scale_bytes(const Quantization& quantization);
inline constexpr std::uint64_t zero_point_bytes = 4;

}  // namespace hurray::reference
