// Which tensors have values: those of which the text says what each element is.
#pragma once

#include "reference/read.h"

namespace hurray::reference {

/// The element type of a tensor's own view: float32 where it is quantized, else its type_tag.
[[nodiscard]] std::uint8_t view_type(const Descriptor& descriptor);

/// Whether a plain tensor has values, `buffers` being all that it has. Neither they nor the descriptor break a rule.
[[nodiscard]] bool has_values(const Descriptor& descriptor, std::span<const Bytes> buffers);

/// Whether a head, which breaks no rule and whose members are all there, has values.
[[nodiscard]] bool has_composed_values(const Reading& reading, std::uint32_t head);

}  // namespace hurray::reference
