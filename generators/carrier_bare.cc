// Descriptors and buffers back to back (interchange.md, Scope; layouts/composite.md, Binding).
#include "generators/carriers.h"
#include "generators/descriptor_writer.h"

namespace hurray::generators {

void write_node_descriptor(Document& document, const StoredNode& stored) {
  const Document::Scope scope(document, stored.placed.path);
  write_descriptor(document, *stored.placed.node, stored.storage);
}

void write_bare(Document& document, const std::vector<StoredNode>& nodes) {
  document.node = 0;
  for (const StoredNode& stored : nodes) {
    write_node_descriptor(document, stored);
    const Document::Scope scope(document, stored.placed.path);
    document.part = Part::data;
    for (std::size_t k = 0; k < stored.storage.buffers.size(); ++k)
      document.bytes("data[" + std::to_string(k) + "]", stored.storage.buffers[k]);
    ++document.node;
  }
}

}  // namespace hurray::generators
