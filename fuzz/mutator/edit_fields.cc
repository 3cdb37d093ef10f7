// Edits of one tensor's descriptor and contents.
#include "fuzz/mutator/edit.h"

namespace hurray::fuzz::mutator {
namespace {

namespace lt = facts::layout_tag;

/// A field of a part that is about to be changed; the part is copied then.
struct Spot {
  Part* part = nullptr;
  std::size_t at = 0, width = 1;
};

Spot aligned(Random& random, Part& part, std::size_t width) {
  if (part.empty()) return {};
  const std::size_t count = std::max<std::size_t>(part.size() / width, 1);
  return {&part, width * static_cast<std::size_t>(random.below(count)), width};
}

Spot in_header(Random& random, Node& node) {
  static constexpr Spot fields[] = {{nullptr, 0, 1}, {nullptr, 4, 1}, {nullptr, 5, 1}, {nullptr, at::length, 4}, {nullptr, at::flags, 4}, {nullptr, at::flags, 4},
                                    {nullptr, at::type, 1}, {nullptr, at::type, 1}, {nullptr, at::layout, 1}, {nullptr, at::rank, 4}};
  Spot spot = random.any(fields);
  spot.part = &node.header;
  if (spot.at == at::length) node.keep(Fix::descriptor_length);
  if (spot.at == at::flags) node.keep(Fix::flags);
  if (spot.at == at::rank) node.keep(Fix::rank);
  return spot;
}

Spot in_layout(Random& random, Node& node) {
  switch (node.layout_tag()) {
    case lt::morton: case lt::hilbert: return aligned(random, node.layout, 4);
    case lt::composite:
      if (random.one_in(3) && node.is_head()) {
        node.keep(Fix::member_count);
        return {&node.layout, at::head_count, 4};
      }
      return {node.layout.empty() ? nullptr : &node.layout, static_cast<std::size_t>(random.below(std::min<std::size_t>(node.layout.size(), 4))), 1};
    case lt::tiled: {
      if (random.one_in(2)) return aligned(random, node.layout, 8);
      return {node.layout.empty() ? nullptr : &node.layout, 8 * node.rank() + static_cast<std::size_t>(random.below(4)), 1};
    }
    case lt::block_paged: {
      static constexpr Spot fields[] = {{nullptr, 0, 4}, {nullptr, 4, 8}, {nullptr, 12, 4}, {nullptr, 16, 4}, {nullptr, 20, 1}, {nullptr, 25, 1}, {nullptr, 26, 1}, {nullptr, 21, 4}};
      Spot spot = random.any(fields);
      spot.part = node.layout.empty() ? nullptr : &node.layout;
      return spot;
    }
    case lt::csf: return random.one_in(2) ? aligned(random, node.layout, 4) : aligned(random, node.layout, 1);
    default: return random.one_in(2) ? aligned(random, node.layout, 8) : aligned(random, node.layout, 1);
  }
}

Spot in_section(Random& random, Node& node, Section which) {
  Part& part = node.section(which);
  switch (which) {
    case Section::quantization:
      if (random.one_in(8)) node.keep(Fix::section_length);
      if (random.one_in(3)) return {part.size() < 8 ? nullptr : &part, 4 + static_cast<std::size_t>(random.below(4)), 1};
      return aligned(random, part, random.one_in(4) ? 1 : 4);
    case Section::shard: return aligned(random, part, 8);
    case Section::statistics: return aligned(random, part, random.any<std::size_t, 3>({1, 4, 8}));
    case Section::extension: case Section::member: return aligned(random, part, 1);
  }
  return {};
}

Spot in_table(Random& random, Node& node) {
  if (node.buffers() == 0) return {};
  static constexpr Spot fields[] = {{nullptr, 0, 8}, {nullptr, 8, 4}, {nullptr, 12, 1}, {nullptr, 13, 1}, {nullptr, 14, 1}, {nullptr, 15, 1}};
  Spot spot = random.any(fields);
  if (spot.at == at::buffer_size) node.keep(Fix::byte_size);
  return {&node.table, spot.at + facts::limit::buffer_handle * static_cast<std::size_t>(random.below(node.buffers())), spot.width};
}

Spot any_spot(Random& random, Node& node) {
  // What few tensors have gets its share where one has it.
  for (const Section rare : {Section::quantization, Section::extension})
    if (!node.section(rare).empty() && random.one_in(3)) return in_section(random, node, rare);
  const std::uint64_t which = random.below(14);
  if (which < 2) return in_header(random, node);
  if (which < 3) return aligned(random, node.shape, 8);
  if (which < 4) return {node.byte_offset.empty() ? nullptr : &node.byte_offset, 0, 8};
  if (which < 7) return in_layout(random, node);
  if (which < 9) return in_table(random, node);
  const std::size_t from = static_cast<std::size_t>(random.below(section_count));
  for (std::size_t k = 0; k < section_count; ++k) {
    const auto section = static_cast<Section>((from + k) % section_count);
    if (!node.section(section).empty()) return in_section(random, node, section);
  }
  return {};
}

std::uint8_t known(Random& random) {
  constexpr std::uint8_t edges[] = {0x00, 0x04, 0x09, 0x0C, 0x3F, 0x41, 0x47, 0x4C, 0x60, 0x7F, 0x80, 0xEF, 0xF0, 0xF1, 0xFE, 0xFF};
  switch (random.below(4)) {
    case 0: return facts::element_types[random.below(std::size(facts::element_types))].tag;
    case 1: return facts::layouts[random.below(std::size(facts::layouts))].tag;
    case 2: return static_cast<std::uint8_t>(random.below(9));
    default: return random.any(edges);
  }
}

/// A number that the tensor says elsewhere, or one beside it: an axis, an index or a block fits or does not fit by it.
std::uint64_t related(Random& random, const Node& node) {
  const std::uint64_t numbers[] = {node.rank(), node.buffers(), node.rank() == 0 ? 1 : node.size(static_cast<std::size_t>(random.below(node.rank())))};
  return random.any(numbers) + random.below(3) - 1;
}

/// Memory that only an agreement explains, on a device that only it explains.
void make_private(Random& random, Node& node) {
  for (std::size_t k = 0; k < node.buffers(); ++k) {
    store(node.table, 16 * k + at::buffer_device, 1, 0xF0);
    store(node.table, 16 * k + at::buffer_memory, 1, 0xF0 + random.below(15));
  }
}

bool change(Editing& editing, Node& node, bool to_known) {
  Random& random = editing.random;
  const Spot spot = any_spot(random, node);
  if (spot.part == nullptr || spot.at >= spot.part->size()) return false;
  *spot.part = editing.tree.arena.copy(*spot.part);
  const std::uint64_t now = load(*spot.part, spot.at, spot.width);
  const bool counts = spot.width >= 4 && random.one_in(3);
  if (spot.part == &node.shape && random.one_in(3)) store(*spot.part, spot.at, spot.width, facts::limit::dynamic);
  else store(*spot.part, spot.at, spot.width, to_known ? known(random) : counts ? related(random, node) : boundary(random, now, spot.width));
  if (random.one_in(2) && !node.keeps(Fix::byte_size)) refit(editing.tree.arena, node);
  // A device is one device: all handles of a table agree more often than not.
  if (spot.part == &node.table && random.one_in(2))
    for (std::size_t k = 0; k < node.buffers(); ++k) store(node.table, 16 * k + spot.at % 16, spot.width, load(node.table, spot.at, spot.width));
  if (spot.part == &node.table && spot.at % 16 >= at::buffer_device && random.one_in(6)) make_private(random, node);
  return true;
}

bool toggle_section(Editing& editing, Node& node, Edit edit) {
  const auto which = static_cast<Section>(editing.random.below(section_count));
  const std::uint32_t flag = section_flags[static_cast<std::size_t>(which)];
  std::uint64_t flags = 0;
  for (std::size_t k = 0; k < section_count; ++k)
    if (!node.sections[k].empty()) flags |= section_flags[k];
  Part& part = node.section(which);
  if (edit == Edit::section) {
    part = part.empty() ? editing.maker.section(node, which) : Part{};
    return true;
  }
  if (edit == Edit::stray_section && part.empty()) part = editing.maker.section(node, which);
  flags = edit == Edit::stray_section ? flags & ~std::uint64_t{flag} : flags | (part.empty() ? flag : 1u << (5 + editing.random.below(27)));
  node.header = editing.tree.arena.copy(node.header);
  store(node.header, at::flags, 4, flags);
  node.keep(Fix::flags);
  return true;
}

/// A buffer; where there are several, rather one of those that say where or how elements lie.
std::size_t any_buffer(Random& random, const Node& node) {
  const std::size_t count = node.data.size();
  return static_cast<std::size_t>(count > 1 && random.one_in(2) ? 1 + random.below(count - 1) : random.below(count));
}

bool resize_table(Editing& editing, Node& node) {
  Arena& arena = editing.tree.arena;
  Random& random = editing.random;
  const std::size_t count = node.buffers();
  switch (random.below(4)) {
    case 0: editing.maker.add_buffer(node, arena.zeros(random.below(9))); return true;
    case 1:
      if (count == 0) return false;
      node.table = node.table.first((count - 1) * facts::limit::buffer_handle);
      if (random.one_in(2)) node.data = node.data.first(std::min(node.data.size(), count - 1));
      return true;
    case 2: {
      if (node.data.empty()) return false;
      Part& data = node.data[any_buffer(random, node)];
      data = arena.resized(data, random.one_in(2) ? data.size() + 1 + random.below(8) : data.size() - std::min<std::size_t>(data.size(), 1 + random.below(8)));
      return true;
    }
    default:
      if (node.data.size() < 2) return false;
      std::swap(node.data[random.below(node.data.size())], node.data[0]);
      return true;
  }
}

/// A box that lies over a sibling's, or a role that is a sibling's.
bool alias(Editing& editing, Node& node) {
  Node& other = editing.tree.nodes[editing.random.below(editing.tree.nodes.size())];
  const Section which = editing.random.one_in(3) ? Section::member : Section::shard;
  if (&other == &node || other.section(which).empty()) return false;
  node.section(which) = other.section(which);
  return true;
}

bool product(Editing& editing, Node& node) {
  if (node.rank() == 0) return false;
  Random& random = editing.random;
  node.shape = editing.tree.arena.copy(node.shape);
  const std::uint64_t bits = random.any<std::uint64_t, 3>({32, 63, 64});
  const std::uint64_t split = node.rank() == 1 ? std::min<std::uint64_t>(bits, 63) : 1 + random.below(bits - 1);
  store(node.shape, 0, 8, (std::uint64_t{1} << split) - random.below(2));
  if (node.rank() > 1) store(node.shape, 8, 8, (std::uint64_t{1} << (bits - split)) + random.below(2));
  if (random.one_in(3) && node.rank() > 2) store(node.shape, 16, 8, 0);
  if (!node.section(Section::shard).empty() && random.one_in(2)) node.section(Section::shard) = editing.maker.section(node, Section::shard);
  return true;
}

bool relayout(Editing& editing, Node& node) {
  Random& random = editing.random;
  if (node.is_head()) return false;
  Node now = editing.maker.tensor(random.one_in(2) ? editing.maker.type() : node.type(),
                                  random.one_in(2) || volume(node.shape) > 4096 ? editing.maker.shape(random.below(4)) : node.shape);
  const facts::Layout& layout = facts::layouts[random.below(std::size(facts::layouts))];
  const bool fits = now.rank() >= layout.min_rank && now.rank() <= layout.max_rank;
  if (layout.tag != lt::composite && (fits || random.one_in(4))) editing.maker.lay_out(now, layout.tag);
  const bool quantized = now.rank() > 0 && random.one_in(3);
  if (quantized) editing.maker.quantize(now);
  const Part scheme = quantized ? now.section(Section::quantization) : random.one_in(2) ? Part{} : node.section(Section::quantization);
  now.sections = node.sections;
  now.section(Section::quantization) = scheme;
  now.depth = node.depth;
  now.name = node.name;
  now.stream = node.stream;
  node = now;
  return true;
}

bool contents(Editing& editing, Node& node) {
  if (node.data.empty()) return false;
  Random& random = editing.random;
  const std::size_t which = any_buffer(random, node);
  Part& data = node.data[which];
  if (data.empty()) return false;
  data = editing.tree.arena.copy(data);
  const std::size_t row = 8 * std::max<std::size_t>(node.rank(), 1);
  if (which > 0 && data.size() >= 2 * row && random.one_in(3)) {  // all coordinates of an element at once
    const std::size_t rows = data.size() / row, from = row * static_cast<std::size_t>(random.below(rows)), to = row * static_cast<std::size_t>(random.below(rows));
    std::copy_n(editing.tree.arena.copy(data).begin() + static_cast<std::ptrdiff_t>(from), row, data.begin() + static_cast<std::ptrdiff_t>(to));
    return true;
  }
  const std::size_t width = std::min<std::size_t>(which > 0 ? (random.one_in(3) ? 4 : 8) : std::size_t{1} << random.below(4), data.size());
  const std::size_t count = data.size() / width, one = static_cast<std::size_t>(random.below(count)) * width;
  const std::uint64_t now = load(data, one, width);
  if (random.one_in(3)) {
    const std::size_t two = static_cast<std::size_t>(random.below(count)) * width;
    store(data, one, width, load(data, two, width));
    if (random.one_in(2)) store(data, two, width, now);
  } else {
    store(data, one, width, random.one_in(3) ? random.any<std::uint64_t, 5>({0x7F800000, 0x7FC00000, 0x80, 0x00FF, 0xFF800000}) : boundary(random, now, width));
  }
  return true;
}

bool newer(Editing& editing, Node& node) {
  node.header = editing.tree.arena.copy(node.header);
  if (!editing.random.one_in(3)) node.header[at::minor] = static_cast<std::uint8_t>(1 + editing.random.below(3));
  node.trailing = editing.tree.arena.resized(node.trailing, static_cast<std::size_t>(editing.random.below(9)));
  return true;
}

}  // namespace

bool edit_fields(Editing& editing, Edit edit) {
  Node& node = editing.tree.nodes[editing.random.below(editing.tree.nodes.size())];
  if (node.header.size() < facts::limit::fixed_header) return false;
  if (edit == Edit::boundary || edit == Edit::known_value) return change(editing, node, edit == Edit::known_value);
  if (edit == Edit::resize_table) return resize_table(editing, node);
  if (edit == Edit::alias) return alias(editing, node);
  if (edit == Edit::product) return product(editing, node);
  if (edit == Edit::relayout) return relayout(editing, node);
  if (edit == Edit::contents) return contents(editing, node);
  if (edit == Edit::newer) return newer(editing, node);
  return toggle_section(editing, node, edit);
}

}  // namespace hurray::fuzz::mutator
