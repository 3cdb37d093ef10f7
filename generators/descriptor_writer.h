// One tensor descriptor as fields, in wire order (metadata.md, Overall Descriptor Structure).
#pragma once

#include "generators/document.h"
#include "generators/storage.h"

namespace hurray::generators {

/// Adds the descriptor of `node` with the document's present node number and prefix. `storage` is the node's own; a
/// head's is empty.
void write_descriptor(Document& document, const Node& node, const Storage& storage);

[[nodiscard]] std::uint8_t layout_tag_of(const Node& node);
[[nodiscard]] std::uint8_t scheme_tag_of(const Scheme& scheme);

}  // namespace hurray::generators
