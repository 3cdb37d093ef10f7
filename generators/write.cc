#include "generators/carriers.h"
#include "generators/link.h"

namespace hurray::generators {
namespace {

// file-format.md stops at 2 MiB; beyond 8 MiB the padding alone would fill the memory of whoever runs the suite.
constexpr std::uint32_t most_alignment = 1u << 23;

}  // namespace

std::optional<PlacedNode> find_node(const Model& model, std::string_view path) {
  for (PlacedNode& each : place_nodes(model))
    if (path.empty() || each.path == path || each.path == std::string(path) + ".head") return std::move(each);
  return std::nullopt;
}

std::vector<std::string> tensor_names(const Model& model) {
  std::vector<std::string> names;
  for (const PlacedNode& placed : place_nodes(model))
    names.push_back(placed.node->name.empty() ? placed.path : placed.node->name);
  return names;
}

Written write_document(const Model& model, facts::Surface surface, std::string_view node, bool labelled) {
  Written out{Document(labelled), {}};
  std::vector<StoredNode> nodes;
  std::vector<PlacedNode> chosen;
  if (surface != facts::Surface::descriptor) chosen = place_nodes(model);
  else if (std::optional<PlacedNode> one = find_node(model, node)) chosen.push_back(std::move(*one));
  std::uint64_t total = 0;
  for (PlacedNode& placed : chosen) {
    StoredNode& stored = nodes.emplace_back(StoredNode{std::move(placed), {}});
    if (!stored.placed.node->head) stored.storage = store(*stored.placed.node);
    if (!stored.storage.error.empty()) out.error = stored.placed.path + "." + stored.storage.error;
    for (const Bytes& buffer : stored.storage.buffers) total += buffer.size();
    if (total > most_bytes) out.error = stored.placed.path + ": the model has more bytes than this writer gives";
    if (!out.error.empty()) return out;
  }
  if (surface == facts::Surface::descriptor && nodes.empty())
    out.error = node.empty() ? "the model has no item" : std::string(node) + ": no such node in the model";
  if (surface == facts::Surface::file && model.file.alignment > most_alignment)
    out.error = "file.alignment: " + std::to_string(model.file.alignment) + " is more padding than this writer gives";
  if (!out.error.empty()) return out;
  switch (surface) {
    case facts::Surface::descriptor:
      out.document.node = 0;
      write_node_descriptor(out.document, nodes.front());
      break;
    case facts::Surface::bare: write_bare(out.document, nodes); break;
    case facts::Surface::framed: write_framed(out.document, nodes, model.framed); break;
    case facts::Surface::file: write_file(out.document, nodes, model.file); break;
  }
  link(out.document, model.file.alignment);
  return out;
}

}  // namespace hurray::generators
