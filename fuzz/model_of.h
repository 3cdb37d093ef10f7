// From an accepted input back to the model that a writer would have started from.
#pragma once

#include <optional>

#include "generators/model.h"
#include "reference/read.h"

namespace hurray::fuzz {

/// What `input`, read without a violation as `reading`, says, as a model: the tree with every tensor's type, shape, box,
/// role, layout, scheme, sections and stored elements, how the stream was framed, and the file's options and key-value
/// entries. Left out: bytes of later minor versions, and elements of which there are more than a writer gives.
[[nodiscard]] generators::Model model_of(reference::Bytes input, reference::Surface surface, const reference::Reading& reading);

/// The same from bytes; nothing where the reference, in strict mode, rejects them.
[[nodiscard]] std::optional<generators::Model> model_of(reference::Bytes input, reference::Surface surface);

/// The elements of a tensor in the order of Node::elements; `node` has its type, shape, layout and extension type.
[[nodiscard]] std::vector<generators::Bits> stored_elements(const generators::Node& node, const reference::Descriptor& descriptor, reference::Bytes data);

}  // namespace hurray::fuzz
