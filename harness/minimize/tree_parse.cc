// From labelled bytes to fields that know what they follow from.
#include <algorithm>
#include <map>
#include <set>

#include "conformance/facts/limits.h"
#include "generators/link.h"
#include "harness/label.h"
#include "harness/minimize/tree.h"

namespace hurray::harness {
namespace {

using generators::Derived;
using generators::no_node;
using generators::Part;
using generators::Segment;

struct Known {
  std::string_view name;  // the last part of the label, without its number
  Part part;
  Derived derived;
};

constexpr Known of_files[] = {{"first_descriptor_offset", Part::file_header, Derived::first_descriptor_offset},
                              {"tensor_count_hint", Part::file_header, Derived::tensor_count},
                              {"index_offset", Part::trailer, Derived::index_offset},
                              {"index_length", Part::trailer, Derived::index_length},
                              {"kv_offset", Part::trailer, Derived::kv_offset},
                              {"kv_length", Part::trailer, Derived::kv_length},
                              {"index_crc32c", Part::trailer, Derived::index_checksum}};
constexpr Known of_sections[] = {{"key_length", Part::kv, Derived::key_length},
                                 {"value_length", Part::kv, Derived::length_of_next},
                                 {"name_length", Part::index, Derived::length_of_next},
                                 {"descriptor_offset", Part::index, Derived::entry_descriptor_offset},
                                 {"descriptor_length", Part::index, Derived::entry_descriptor_length},
                                 {"data_offset", Part::index, Derived::entry_data_offset},
                                 {"data_length", Part::index, Derived::entry_data_length}};
constexpr Known of_messages[] = {{"type", Part::message_header, Derived::none},
                                 {"stream_id", Part::message_header, Derived::none},
                                 {"payload_length", Part::message_header, Derived::payload_length},
                                 {"byte_offset_in_buffer", Part::frame_offset, Derived::byte_offset_in_buffer},
                                 {"data", Part::data, Derived::none},
                                 {"payload", Part::transport, Derived::none}};
constexpr Known of_nodes[] = {{"padding", Part::padding, Derived::padding_before_descriptor},
                              {"data", Part::data, Derived::none},
                              {"total_data_bytes", Part::transport, Derived::total_data_bytes},
                              {"shard_index", Part::transport, Derived::none},
                              {"total_shards", Part::transport, Derived::none},
                              {"descriptor_length", Part::descriptor, Derived::descriptor_length}};

bool starts(std::string_view text, std::string_view with) { return text.compare(0, with.size(), with) == 0; }

std::string_view last_part(std::string_view label) {
  const std::string_view last = label.substr(label.rfind('.') == label.npos ? 0 : label.rfind('.') + 1);
  return last.substr(0, last.find('['));
}

template <std::size_t N>
void apply(Field& field, const Known (&table)[N], Part otherwise) {
  field.part = otherwise;
  for (const Known& one : table)
    if (one.name == last_part(field.label)) {
      field.part = one.part;
      field.derived = one.derived;
    }
}

/// `rest` is the label without the node's path.
void classify_node_field(Field& field, std::string_view rest) {
  if (starts(rest, "message.") || starts(rest, "frames[") || starts(rest, "end.")) return apply(field, of_messages, Part::transport);
  if (starts(rest, "quantization.")) {
    const bool length = rest == "quantization.length";
    field.part = length ? Part::descriptor : Part::quantization;
    if (length) field.derived = Derived::quantization_length;
    return;
  }
  if (rest.find('.') != rest.npos) {  // of a section
    field.part = Part::descriptor;
    return;
  }
  apply(field, of_nodes, Part::descriptor);
  if (starts(rest, "padding[")) field.derived = Derived::padding_before_data;
}

void classify_global_field(Field& field) {
  const std::string& label = field.label;
  if (label == "kv.padding" || label == "index.padding") {
    field.part = Part::padding;
    field.derived = Derived::padding_before_section;
  } else if (starts(label, "file.")) {
    apply(field, of_files, Part::file_header);
  } else if (starts(label, "trailer.")) {
    apply(field, of_files, Part::trailer);
  } else if (starts(label, "kv")) {
    apply(field, of_sections, Part::kv);
    if (label == "kv.count") field.derived = Derived::kv_count;
  } else if (starts(label, "index")) {
    apply(field, of_sections, Part::index);
    if (label == "index.count") field.derived = Derived::index_count;
  } else if (starts(label, "messages[")) {
    apply(field, of_messages, Part::transport);
  } else {
    field.part = Part::padding;  // what nobody can name
  }
}

/// The head that binds a node: members[2].members[0] is bound by members[2].head.
std::string parent_path(std::string path) {
  if (path.size() > 5 && path.compare(path.size() - 5, 5, ".head") == 0) path.resize(path.size() - 5);
  const std::size_t at = path.rfind("members[");
  return at == path.npos ? "" : path.substr(0, at) + "head";
}

class Parser {
 public:
  Parser(std::span<const std::uint8_t> input, facts::Surface surface) : segments_(label(input, surface)), surface_(surface) {}

  void run(std::vector<Field>& fields, std::vector<TreeNode>& nodes) {
    find_nodes(nodes);
    for (const Segment& segment : segments_) add(segment, fields);
    if (surface_ == facts::Surface::file) add_gaps(fields, nodes);
    name_buffers(fields, nodes);
    bind_index(fields);
    heed_flags(fields);
  }

 private:
  void find_nodes(std::vector<TreeNode>& nodes) {
    std::uint64_t at = 0;
    for (const Segment& segment : segments_) {
      const std::string& label = segment.label;
      if (last_part(label) == "magic" && label != "file.magic" && label != "trailer.magic") {
        const std::string path = label.substr(0, label.rfind('.'));
        starts_[at] = static_cast<std::uint32_t>(nodes.size());
        by_path_[path] = static_cast<std::uint32_t>(nodes.size());
        TreeNode node;
        node.path = path;
        node.is_head = path == "head" || (path.size() > 5 && path.compare(path.size() - 5, 5, ".head") == 0);
        const auto parent = by_path_.find(parent_path(path));
        if (parent != by_path_.end() && parent->first != path) node.parent = parent->second;
        nodes.push_back(std::move(node));
      }
      at += segment.bytes.size();
    }
  }

  void add(const Segment& segment, std::vector<Field>& fields) {
    Field field;
    field.label = segment.label;
    field.bytes = segment.bytes;
    for (std::size_t dot = field.label.rfind('.'); dot != std::string::npos && dot > 0; dot = field.label.rfind('.', dot - 1)) {
      const auto node = by_path_.find(field.label.substr(0, dot));
      if (node == by_path_.end()) continue;
      field.node = node->second;
      classify_node_field(field, std::string_view(field.label).substr(dot + 1));
      break;
    }
    if (field.node == no_node) classify_global_field(field);
    if (field.part == Part::message_header && last_part(field.label) == "type") ++message_;
    field.message = message_;
    fields.push_back(std::move(field));
  }

  /// Padding that happens to take no bytes now may do so later, and buffers without bytes still have a place: both get a
  /// field, though no byte is labelled so.
  static void add_gaps(std::vector<Field>& fields, const std::vector<TreeNode>& nodes) {
    std::vector<Field> out;
    std::set<std::string> there;  // or added
    for (const Field& field : fields) there.insert(field.label);
    const auto gap = [&](const std::string& label, std::uint32_t node, Derived derived, Part part) {
      if (!there.insert(label).second) return;
      Field field;
      field.label = label;
      field.node = node;
      field.part = part;
      field.derived = derived;
      out.push_back(std::move(field));
    };
    const auto buffers = [&](std::uint32_t node, std::size_t until) {
      for (std::size_t k = 0; k < until; ++k) {
        const std::string &path = nodes[node].path, number = "[" + std::to_string(k) + "]";
        if (there.count(path + ".buffers" + number + ".byte_size") == 0) return;
        gap(path + ".padding" + number, node, Derived::padding_before_data, Part::padding);
        gap(path + ".data" + number, node, Derived::none, Part::data);
      }
    };
    constexpr std::size_t most_buffers = 16;  // no layout has as many
    for (std::size_t at = 0; at < fields.size(); ++at) {
      const std::string label = fields[at].label;
      const std::uint32_t node = fields[at].node;
      const bool padding = fields[at].derived == Derived::padding_before_data, data = fields[at].part == Part::data;
      if (node != no_node && label == nodes[node].path + ".magic") gap(nodes[node].path + ".padding", node, Derived::padding_before_descriptor, Part::padding);
      if (padding || data) buffers(node, std::stoull(label.substr(label.rfind('[') + 1)));
      if (data) gap(nodes[node].path + ".padding" + label.substr(label.rfind('[')), node, Derived::padding_before_data, Part::padding);
      if (label == "kv.count" || label == "index.count")
        gap(label.substr(0, label.find('.')) + ".padding", no_node, Derived::padding_before_section, Part::padding);
      const bool ends = node != no_node && (at + 1 == fields.size() || fields[at + 1].node != node) && fields[at].part != Part::index;
      out.push_back(std::move(fields[at]));
      if (padding) gap(nodes[node].path + ".data" + label.substr(label.rfind('[')), node, Derived::none, Part::data);
      if (ends) buffers(node, most_buffers);
    }
    fields = std::move(out);
  }

  /// In a frame the label does not say which buffer the data are of: their place among the node's data does.
  static void name_buffers(std::vector<Field>& fields, const std::vector<TreeNode>& nodes) {
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
      std::vector<std::uint64_t> ends;
      std::uint64_t end = 0, at = 0;
      for (Field& field : fields) {
        if (field.node != node) continue;
        if (last_part(field.label) == "byte_size") ends.push_back(end += generators::from_little_endian(field.bytes));
        if (field.part != Part::data) continue;
        std::size_t buffer = 0;
        while (buffer + 1 < ends.size() && at >= ends[buffer]) ++buffer;
        const std::size_t own = field.label.rfind("data[");
        field.buffer = own == std::string::npos ? "data[" + std::to_string(buffer) + "]" : field.label.substr(own);
        at += field.bytes.size();
      }
    }
  }

  void bind_index(std::vector<Field>& fields) const {
    std::string entry;
    std::uint32_t node = no_node;
    for (std::size_t at = fields.size(); at-- > 0;) {
      Field& field = fields[at];
      if (field.part != Part::index || field.label.compare(0, 6, "index[") != 0) continue;
      const std::string here = field.label.substr(0, field.label.find(']'));
      if (here != entry) node = node_of_entry(fields, at, here);
      entry = here;
      field.node = node;
    }
  }

  /// Without its flag a field of the trailer follows from nothing.
  static void heed_flags(std::vector<Field>& fields) {
    std::uint64_t flags = 0;
    for (Field& field : fields) {
      if (field.label == "file.flags") flags = generators::from_little_endian(field.bytes);
      const bool of_kv = field.derived == Derived::kv_offset || field.derived == Derived::kv_length;
      if (of_kv && (flags & facts::file_flag::has_kv_metadata) == 0) field.derived = Derived::none;
      if (field.derived == Derived::index_checksum && (flags & facts::file_flag::has_index_crc32c) == 0) field.derived = Derived::none;
    }
  }

  std::uint32_t node_of_entry(const std::vector<Field>& fields, std::size_t last, const std::string& entry) const {
    for (std::size_t at = last + 1; at-- > 0 && fields[at].label.compare(0, entry.size(), entry) == 0;)
      if (fields[at].derived == Derived::entry_descriptor_offset) {
        const auto found = starts_.find(generators::from_little_endian(fields[at].bytes));
        return found == starts_.end() ? no_node : found->second;
      }
    return no_node;
  }

  std::vector<Segment> segments_;
  facts::Surface surface_;
  std::map<std::uint64_t, std::uint32_t> starts_;
  std::map<std::string, std::uint32_t> by_path_;
  std::uint32_t message_ = 0;
};

}  // namespace

std::optional<Tree> Tree::parse(std::span<const std::uint8_t> input, facts::Surface surface) {
  Tree tree;
  Parser(input, surface).run(tree.document_.fields, tree.nodes_);
  tree.off_.assign(tree.document_.fields.size(), 0);
  if (tree.nodes_.empty() || !tree.settle(input)) return std::nullopt;
  return tree;
}

}  // namespace hurray::harness
