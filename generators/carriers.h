// The four surfaces: a model's descriptors and buffers laid out as one input (interchange.md, file-format.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conformance/facts/facts.h"
#include "generators/document.h"
#include "generators/storage.h"

namespace hurray::generators {

struct Written {
  Document document;
  std::string error;  // not empty: the node and why it cannot be written
};

/// The linked document; on the surface `descriptor` only the descriptor of find_node(model, node).
[[nodiscard]] Written write_document(const Model& model, facts::Surface surface, std::string_view node, bool labelled);

/// The node at `path`, or the composite whose head stands at `path`.head; an empty path is the first item.
[[nodiscard]] std::optional<PlacedNode> find_node(const Model& model, std::string_view path);

/// A tensor placed in the model with its buffers.
struct StoredNode {
  PlacedNode placed;
  Storage storage;
};

void write_bare(Document& document, const std::vector<StoredNode>& nodes);
void write_framed(Document& document, const std::vector<StoredNode>& nodes, const FramedOptions& options);
void write_file(Document& document, const std::vector<StoredNode>& nodes, const FileOptions& options);

/// The descriptor and, for write_bare and write_file, one data field per buffer; shared by the carriers.
void write_node_descriptor(Document& document, const StoredNode& stored);

/// The name of every tensor in a file, in pre-order: the model's own or, where empty, its node path.
[[nodiscard]] std::vector<std::string> tensor_names(const Model& model);

}  // namespace hurray::generators
