// Tensors made plainer: what the passes of the reducer do to one node.
#pragma once

#include <string_view>

#include "harness/minimize/tree.h"

namespace hurray::harness {

/// Fields of the node whose name starts with `prefix`.
void remove_fields(Tree& tree, std::uint32_t node, std::string_view prefix);

void zero_buffer(Tree& tree, std::uint32_t node, std::size_t index);

/// In a file: an empty buffer need only stand at a multiple of 8 (AMB-29).
void close_up_before_nothing(Tree& tree);

/// Takes the quantization section away, and the buffers that only it refers to.
void drop_scheme(Tree& tree, std::uint32_t node);

/// A row-major tensor of zeros of the same shape in one buffer, of its head's type where it was quantized. Nothing
/// where the shape is too large for that.
void make_plain(Tree& tree, std::uint32_t node);

/// Every element type to uint8: heads and plain row-major tensors.
void make_all_bytes(Tree& tree);

/// Bytes of a dense tensor of the node's type and shape; nothing where they are unknown or too many.
[[nodiscard]] std::optional<std::uint64_t> dense_size(const Tree& tree, std::uint32_t node);

}  // namespace hurray::harness
