// Any bytes to a tree: sizes are what is there, not what is claimed.
#include "fuzz/mutator/tree.h"

namespace hurray::fuzz::mutator {
namespace {

namespace lt = facts::layout_tag;

class Cursor {
 public:
  Cursor(Arena& arena, Bytes bytes) : arena_(arena), left_(bytes) {}
  std::size_t left() const { return left_.size(); }
  std::uint64_t peek(std::uint64_t at, std::size_t width) const { return at < left_.size() ? load(left_, static_cast<std::size_t>(at), width) : 0; }
  Part take(std::uint64_t size) {
    const Part part = arena_.copy(left_.first(static_cast<std::size_t>(std::min<std::uint64_t>(size, left_.size()))));
    left_ = left_.subspan(part.size());
    return part;
  }
  void skip(std::uint64_t size) { left_ = left_.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(size, left_.size()))); }

 private:
  Arena& arena_;
  Bytes left_;
};

std::uint64_t tiled_size(const Cursor& cursor, std::uint64_t rank) {
  std::uint64_t size = 0;
  for (std::uint32_t level = 0; level <= 2 * facts::limit::tiled_depth; ++level) {
    const std::uint64_t orders = size + 8 * rank, outer = cursor.peek(orders, 1), inner = cursor.peek(orders + 1, 1);
    size = orders + 4 + (outer == lt::strided ? 8 * rank : 0) + (inner == lt::strided ? 8 * rank : 0);
    if (inner != lt::tiled || size > cursor.left()) break;
  }
  return size;
}

std::uint64_t layout_size(const Cursor& cursor, std::uint8_t tag, std::uint64_t rank) {
  switch (tag) {
    case lt::strided: return 8 * rank;
    case lt::tiled: return tiled_size(cursor, rank);
    case lt::morton: return 4 * rank;
    case lt::coo: case lt::csr: case lt::csc: return 16;
    case lt::csf: return 16 + 4 * rank;
    case lt::block_paged: return 32;
    case lt::composite: case lt::hilbert: return 8;
    default: return facts::is_private(tag) ? 12 + cursor.peek(8, 4) : 0;
  }
}

/// A descriptor without its buffers' contents.
Node decode_descriptor(Cursor& cursor) {
  Node node;
  const std::size_t before = cursor.left();
  node.header = cursor.take(facts::limit::fixed_header);
  const std::uint64_t claimed = load(node.header, at::length, 4), flags = load(node.header, at::flags, 4);
  node.shape = cursor.take(8 * std::min<std::uint64_t>(load(node.header, at::rank, 4), 2 * facts::limit::rank));
  node.byte_offset = cursor.take(8);
  node.layout = cursor.take(layout_size(cursor, node.layout_tag(), node.rank()));
  const std::uint64_t count = cursor.peek(0, 1);
  cursor.skip(1);
  node.table = cursor.take(facts::limit::buffer_handle * count);
  const std::uint64_t sizes[section_count] = {4 + cursor.peek(0, 4), 16 * node.rank(), facts::limit::statistics, facts::limit::extension_type,
                                              facts::limit::composite_member};
  for (std::size_t k = 0; k < section_count; ++k)
    if ((flags & section_flags[k]) != 0) node.sections[k] = cursor.take(sizes[k]);
  const std::size_t used = before - cursor.left();
  if (claimed > used && claimed - used <= 256) node.trailing = cursor.take(claimed - used);
  return node;
}

void make_room_for_data(Arena& arena, Node& node) {
  const std::size_t count = (node.table.size() + facts::limit::buffer_handle - 1) / facts::limit::buffer_handle;
  auto* at = static_cast<Part*>(arena.resource()->allocate((count + 1) * sizeof(Part), alignof(Part)));
  std::uninitialized_fill_n(at, count + 1, Part{});
  node.data = {at, count};
}

/// Depths from the member counts of the heads before.
class Depths {
 public:
  explicit Depths(Arena& arena) : open_(arena.resource()) {}
  void place(Node& node) {
    while (!open_.empty() && open_.back() == 0) open_.pop_back();
    if (!open_.empty()) --open_.back();
    node.depth = static_cast<std::uint32_t>(open_.size());
    if (node.is_head()) open_.push_back(load(node.layout, at::head_count, 4));
  }

 private:
  List<std::uint64_t> open_;
};

void decode_bare(Bytes input, bool with_data, Tree& tree) {
  Cursor cursor(tree.arena, input);
  Depths depths(tree.arena);
  while (cursor.left() >= facts::limit::fixed_header && tree.nodes.size() < most_nodes) {
    Node node = decode_descriptor(cursor);
    make_room_for_data(tree.arena, node);
    depths.place(node);
    for (std::size_t k = 0; k < node.data.size() && with_data; ++k)
      node.data[k] = cursor.take(load(node.table, facts::limit::buffer_handle * k, 8));
    tree.nodes.push_back(node);
    if (!with_data) break;
  }
  tree.tail = cursor.take(256);
}

void give_out(Arena& arena, Node& node, Part all) {
  for (std::size_t k = 0; k < node.data.size(); ++k) {
    const std::uint64_t size = load(node.table, facts::limit::buffer_handle * k, 8);
    const auto share = static_cast<std::size_t>(std::min<std::uint64_t>(size, all.size()));
    node.data[k] = arena.copy(all.first(share));
    all = all.subspan(share);
  }
}

void decode_framed(Bytes input, Tree& tree) {
  Cursor cursor(tree.arena, input);
  Depths depths(tree.arena);
  Part gathered;
  const auto close = [&] {
    if (!tree.nodes.empty()) give_out(tree.arena, tree.nodes.back(), gathered);
    gathered = {};
  };
  while (cursor.left() >= facts::limit::message_header && tree.nodes.size() < most_nodes) {
    const std::uint64_t type = cursor.peek(0, 4), stream = cursor.peek(4, 4), length = cursor.peek(8, 4);
    cursor.skip(facts::limit::message_header);
    const Part payload = cursor.take(length);
    if (type == facts::message_type::tensor_descriptor) {
      close();
      Cursor inner(tree.arena, payload.first(payload.size() - std::min<std::size_t>(payload.size(), facts::limit::descriptor_trailer)));
      if (inner.left() < facts::limit::fixed_header) continue;
      Node node = decode_descriptor(inner);
      node.stream = static_cast<std::uint32_t>(stream);
      make_room_for_data(tree.arena, node);
      depths.place(node);
      tree.nodes.push_back(node);
    } else if (type == facts::message_type::tensor_data && payload.size() > 8 && !tree.nodes.empty()) {
      if (gathered.empty()) tree.nodes.back().frame_bytes = static_cast<std::uint32_t>(payload.size() - 8);
      gathered = tree.arena.joined(gathered, payload.subspan(8));
    }
  }
  close();
}

struct Entry {
  Part name;
  std::uint64_t descriptor, data, flags;
};

void decode_entries(Cursor index, List<Entry>& entries) {
  index.skip(8);
  while (index.left() >= 34 && entries.size() < most_nodes) {
    const std::uint64_t length = index.peek(0, 2);
    index.skip(2);
    Entry entry{index.take(length), index.peek(0, 8), index.peek(12, 8), index.peek(28, 4)};
    index.skip(32);
    entries.push_back(entry);
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.descriptor < b.descriptor; });
}

void decode_kv(Cursor kv, Tree& tree) {
  kv.skip(4);
  while (kv.left() > 3 && tree.kv.size() < 32) {
    KeyValue one;
    const std::uint64_t length = kv.peek(0, 2);
    kv.skip(2);
    one.key = kv.take(length);
    one.tag = static_cast<std::uint8_t>(kv.peek(0, 1));
    kv.skip(1);
    if (one.tag == 1 || one.tag == 6) {
      const std::uint64_t size = kv.peek(0, 4);
      kv.skip(4);
      one.value = kv.take(size);
    } else {  // an array takes the rest: entries behind it are lost
      one.value = kv.take(one.tag == 5 ? 1 : one.tag == 7 ? kv.left() : 8);
    }
    tree.kv.push_back(one);
  }
}

Bytes range(Bytes input, std::uint64_t at, std::uint64_t size) {
  if (at >= input.size()) return {};
  return input.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(std::min<std::uint64_t>(size, input.size() - at)));
}

void decode_file(Bytes input, Tree& tree) {
  if (input.size() < facts::limit::file_header + facts::limit::file_trailer) return;
  tree.file_header = tree.arena.copy(input.first(facts::limit::file_header));
  const Bytes trailer = input.last(facts::limit::file_trailer);
  List<Entry> entries(tree.arena.resource());
  decode_entries(Cursor(tree.arena, range(input, load(trailer, 0, 8), load(trailer, 8, 8))), entries);
  decode_kv(Cursor(tree.arena, range(input, load(trailer, 16, 8), load(trailer, 24, 4))), tree);
  const std::uint64_t alignment = std::clamp<std::uint64_t>(load(tree.file_header, 16, 4), 1, facts::limit::file_alignment_max);
  Depths depths(tree.arena);
  for (const Entry& entry : entries) {
    Cursor cursor(tree.arena, range(input, entry.descriptor, input.size()));
    if (cursor.left() < facts::limit::fixed_header) continue;
    Node node = decode_descriptor(cursor);
    make_room_for_data(tree.arena, node);
    std::uint64_t at = entry.data;
    for (std::size_t k = 0; k < node.data.size(); ++k) {
      const std::uint64_t size = load(node.table, facts::limit::buffer_handle * k, 8);
      if (k > 0) at = (at + alignment - 1) / alignment * alignment;
      node.data[k] = tree.arena.copy(range(input, at, std::min<std::uint64_t>(size, most_data)));
      at += node.data[k].size();
    }
    node.name = entry.name;
    node.entry_flags = static_cast<std::uint32_t>(entry.flags);
    depths.place(node);
    tree.nodes.push_back(node);
  }
}

}  // namespace

std::size_t Tree::members_of(std::size_t head) const {
  std::size_t count = 0;
  for (std::size_t at = head + 1; at < end_of(head); at = end_of(at)) ++count;
  return count;
}

std::size_t Tree::member(std::size_t head, std::size_t k) const {
  std::size_t at = head + 1;
  for (; k > 0 && at < nodes.size(); --k) at = end_of(at);
  return at;
}

void decode(Bytes input, facts::Surface surface, Tree& tree) {
  switch (surface) {
    case facts::Surface::descriptor: return decode_bare(input, false, tree);
    case facts::Surface::bare: return decode_bare(input, true, tree);
    case facts::Surface::framed: return decode_framed(input, tree);
    case facts::Surface::file: return decode_file(input, tree);
  }
}

}  // namespace hurray::fuzz::mutator
