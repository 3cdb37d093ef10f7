#include "fuzz/mutator/fresh.h"

namespace hurray::fuzz::mutator {
namespace {

namespace lt = facts::layout_tag;

constexpr std::uint64_t most_volume = std::uint64_t{1} << 32;

std::uint64_t ceil_log2(std::uint64_t size) {
  std::uint64_t bits = 1;
  while (bits < 30 && (std::uint64_t{1} << bits) < size) ++bits;
  return bits;
}

}  // namespace

std::uint64_t storage_bytes(std::uint8_t type, std::uint64_t count) {
  if (facts::is_private(type)) return 2 * count;
  const facts::ElementType* facts = facts::element_type(type);
  return facts == nullptr ? 0 : (count + facts->packing - 1) / facts->packing * facts->group_bytes;
}

std::uint64_t volume(Part shape) {
  std::uint64_t count = 1;
  for (std::size_t at = 0; at + 8 <= shape.size(); at += 8) {
    const std::uint64_t size = load(shape, at, 8);
    if (size == 0) return 0;
    count = size >= most_volume || count * size >= most_volume ? most_volume : count * size;
  }
  return count;
}

bool is_dense(std::uint8_t tag) {
  const facts::Layout* layout = facts::layout(tag);
  return layout != nullptr && layout->addressing == facts::Addressing::dense;
}

std::uint64_t stored_elements(const Node& node) {
  std::uint64_t count = volume(node.shape);
  switch (node.layout_tag()) {
    case lt::row_major: case lt::column_major: case lt::hilbert: return count;
    case lt::strided:
      if (count == 0) return 0;
      count = 1;
      for (std::size_t k = 0; k < node.rank(); ++k) {
        const auto stride = static_cast<std::int64_t>(load(node.layout, 8 * k, 8));
        const std::uint64_t step = stride < 0 ? 0 - static_cast<std::uint64_t>(stride) : static_cast<std::uint64_t>(stride);
        if (step >= most_volume || node.size(k) >= most_volume) return most_volume;
        count = std::min(most_volume, count + step * (node.size(k) - 1));
      }
      return count;
    case lt::tiled:
      count = 1;
      for (std::size_t k = 0; k < node.rank(); ++k) {
        const std::uint64_t tile = load(node.layout, 8 * k, 8);
        if (tile == 0 || tile >= most_volume || node.size(k) >= most_volume) return most_volume;
        count = std::min(most_volume, count * std::min(most_volume, (node.size(k) + tile - 1) / tile * tile));
      }
      return count;
    case lt::morton: {
      std::uint64_t bits = 0;
      for (std::size_t k = 0; k < node.rank(); ++k) bits += load(node.layout, 4 * k, 4);
      return bits < 32 ? std::uint64_t{1} << bits : most_volume;
    }
    default: return 0;
  }
}

void refit(Arena& arena, Node& node) {
  if (!is_dense(node.layout_tag()) || node.data.empty()) return;
  const std::uint64_t size = storage_bytes(node.type(), stored_elements(node));
  if (size <= most_data) node.data[0] = arena.resized(node.data[0], static_cast<std::size_t>(size));
}

Part Maker::numbers(std::initializer_list<std::uint64_t> values, std::size_t width) {
  const Part out = arena.zeros(values.size() * width);
  std::size_t at = 0;
  for (const std::uint64_t value : values) store(out, at++ * width, width, value);
  return out;
}

std::uint8_t Maker::type() { return facts::element_types[random.below(std::size(facts::element_types))].tag; }

Part Maker::shape(std::size_t rank) {
  const Part out = arena.zeros(8 * rank);
  for (std::size_t k = 0; k < rank; ++k) store(out, 8 * k, 8, random.one_in(24) ? 0 : 1 + random.below(rank > 5 ? 1 : 5));
  return out;
}

Part Maker::values(std::uint8_t type, std::uint64_t count) {
  const Part out = arena.zeros(static_cast<std::size_t>(std::min<std::uint64_t>(storage_bytes(type, count), most_data)));
  if (type == facts::tag::float8_e8m0) std::fill(out.begin(), out.end(), std::uint8_t{0x7F});
  else for (std::size_t k = 0; k + 1 < out.size() && k < 64; ++k) out[k] = static_cast<std::uint8_t>(random.next());
  return out;
}

void Maker::set_buffers(Node& node, std::initializer_list<Part> data) {
  node.table = {};
  node.data = {};
  for (const Part part : data) add_buffer(node, part);
}

void Maker::add_buffer(Node& node, Part data) {
  const Part handle = numbers({0, 0}, 8);
  store(handle, at::buffer_alignment, 4, 64);
  if (node.buffers() > 0) std::copy_n(node.table.begin() + 8, 7, handle.begin() + 8);
  const std::size_t count = node.buffers();
  node.table = arena.joined(node.table.first(count * facts::limit::buffer_handle), handle);
  auto* at = static_cast<Part*>(arena.resource()->allocate((count + 1) * sizeof(Part), alignof(Part)));
  std::uninitialized_fill_n(at, count + 1, Part{});
  std::copy_n(node.data.begin(), std::min(count, node.data.size()), at);
  at[count] = data;
  node.data = {at, count + 1};
}

Node Maker::tensor(std::uint8_t type, Part shape) {
  Node node;
  node.header = arena.zeros(facts::limit::fixed_header);
  std::copy(std::begin(facts::limit::magic), std::end(facts::limit::magic), node.header.begin());
  node.header[4] = facts::limit::version_major;
  node.header[at::type] = type;
  node.header[at::layout] = lt::row_major;
  node.shape = shape;
  node.byte_offset = arena.zeros(8);
  if (facts::is_private(type)) give_section(node, Section::extension);
  set_buffers(node, {values(type, volume(shape))});
  return node;
}

void Maker::lay_out(Node& node, std::uint8_t layout) {
  node.header = arena.copy(node.header);
  node.header[at::layout] = layout;
  node.layout = {};
  const std::size_t rank = node.rank();
  const std::uint8_t type = node.type();
  switch (layout) {
    case lt::strided: {
      node.layout = arena.zeros(8 * rank);
      std::uint64_t stride = 1;
      for (std::size_t k = rank; k-- > 0; stride *= std::min<std::uint64_t>(std::max<std::uint64_t>(node.size(k), 1), 64)) store(node.layout, 8 * k, 8, random.one_in(6) ? 0 : stride);
      break;
    }
    case lt::tiled: {
      const std::uint8_t outer = static_cast<std::uint8_t>(1 + random.below(3)), inner = static_cast<std::uint8_t>(1 + random.below(4));
      const Part tile = arena.zeros(8 * rank), ones = arena.zeros(8 * rank), outer_strides = arena.zeros(8 * rank), inner_strides = arena.zeros(8 * rank);
      std::uint64_t grid = 1, within = 1;
      for (std::size_t k = rank; k-- > 0;) {
        const std::uint64_t size = 1 + random.below(2);
        store(tile, 8 * k, 8, size);
        store(ones, 8 * k, 8, 1);
        store(outer_strides, 8 * k, 8, grid);
        store(inner_strides, 8 * k, 8, within);
        grid *= std::min<std::uint64_t>(64, (node.size(k) + size - 1) / size);
        within *= size;
      }
      node.layout = arena.joined(tile, numbers({outer, inner, 0, 0}, 1));
      if (outer == lt::strided) node.layout = arena.joined(node.layout, outer_strides);
      if (inner == lt::strided) node.layout = arena.joined(node.layout, inner_strides);
      const std::uint64_t levels = inner == lt::tiled ? (random.one_in(4) ? 6 + random.below(3) : 1) : 0;
      for (std::uint64_t level = levels; level > 0; --level)
        node.layout = arena.joined(node.layout, arena.joined(ones, numbers({1, level == 1 ? 1u : 4u, 0, 0}, 1)));
      break;
    }
    case lt::morton: {
      std::uint64_t longest = 1;
      for (std::size_t k = 0; k < rank; ++k) longest = std::max(longest, std::min<std::uint64_t>(node.size(k), 16));
      node.layout = arena.zeros(4 * rank);
      for (std::size_t k = 0; k < rank; ++k) store(node.layout, 4 * k, 4, ceil_log2(longest));
      break;
    }
    case lt::hilbert:
      node.layout = numbers({1 + random.below(2), rank}, 4);
      node.shape = arena.copy(node.shape);
      for (std::size_t k = 0; k < rank; ++k) store(node.shape, 8 * k, 8, std::uint64_t{1} << node.layout[0]);
      break;
    case lt::coo: {
      const std::uint64_t nnz = random.below(std::min<std::uint64_t>(volume(node.shape), 3) + 1);
      const Part indices = arena.zeros(static_cast<std::size_t>(8 * nnz * rank));
      for (std::uint64_t k = 0; k < nnz; ++k) {  // the first few places in row-major order
        std::uint64_t place = k;
        for (std::size_t d = rank; d-- > 0;) {
          store(indices, static_cast<std::size_t>(8 * (k * rank + d)), 8, place % std::max<std::uint64_t>(node.size(d), 1));
          place /= std::max<std::uint64_t>(node.size(d), 1);
        }
      }
      node.layout = numbers({nnz, random.below(2)}, 8);
      return set_buffers(node, {values(type, nnz), indices});
    }
    case lt::csr: case lt::csc: {
      const std::uint64_t major = std::min<std::uint64_t>(node.size(layout == lt::csr ? 0 : 1), 16), minor = std::min<std::uint64_t>(node.size(layout == lt::csr ? 1 : 0), 2);
      const Part pointers = arena.zeros(static_cast<std::size_t>(8 * (major + 1))), indices = arena.zeros(static_cast<std::size_t>(8 * major * minor));
      std::uint64_t nnz = 0;
      for (std::uint64_t k = 0; k < major; ++k) {
        for (std::uint64_t d = random.below(2); d < minor; ++d) store(indices, static_cast<std::size_t>(8 * nnz++), 8, d);
        store(pointers, static_cast<std::size_t>(8 * (k + 1)), 8, nnz);
      }
      node.layout = numbers({nnz, 0}, 8);
      return set_buffers(node, {values(type, nnz), indices.first(static_cast<std::size_t>(8 * nnz)), pointers});
    }
    case lt::csf: {
      const bool two = rank > 0 && node.size(0) > 1 && random.one_in(2);
      const std::uint64_t nnz = volume(node.shape) == 0 || random.one_in(4) ? 0 : two ? 2 : 1;
      node.layout = numbers({nnz}, 8);
      for (std::size_t k = 0; k < rank; ++k) node.layout = arena.joined(node.layout, numbers({k}, 4));
      node.layout = arena.joined(node.layout, numbers({0}, 8));
      set_buffers(node, {values(type, nnz)});
      for (std::size_t k = 0; k < rank; ++k) {
        const Part positions = k == 0 ? numbers({0, nnz}, 8) : nnz == 2 ? numbers({0, 1, 2}, 8) : nnz == 1 ? numbers({0, 1}, 8) : numbers({0}, 8);
        add_buffer(node, positions);
        add_buffer(node, nnz == 2 ? numbers({0, k == 0 ? 1u : 0u}, 8) : nnz == 1 ? numbers({0}, 8) : Part{});
      }
      return;
    }
    case lt::block_paged: {
      const std::uint64_t page = 1 + random.below(3), needed = (std::min<std::uint64_t>(node.size(0), 16) + page - 1) / page, pages = needed + random.below(2);
      const bool wide = random.one_in(2);
      const std::size_t width = wide ? 8 : 4;
      node.layout = arena.zeros(32);
      store(node.layout, 0, 4, page);
      store(node.layout, 4, 8, pages);
      const std::uint64_t sequences = 1 + random.below(3);
      store(node.layout, 16, 4, sequences);
      node.layout[25] = wide ? 1 : 0;
      const Part blocks = arena.zeros(static_cast<std::size_t>(needed) * width), ends = arena.zeros(static_cast<std::size_t>(sequences + 1) * width);
      for (std::uint64_t k = 0; k < needed; ++k) store(blocks, static_cast<std::size_t>(k) * width, width, k);
      for (std::uint64_t k = 1; k <= sequences; ++k) store(ends, static_cast<std::size_t>(k) * width, width, k == sequences ? needed : std::min(k, needed));
      const std::uint64_t slots = pages * page * std::min<std::uint64_t>(node.size(1), 64) * std::min<std::uint64_t>(node.size(2), 64);
      return set_buffers(node, {values(type, slots), blocks, ends});
    }
    default:
      if (facts::is_private(layout)) node.layout = numbers({1, 0, 0}, 4);
      break;
  }
  set_buffers(node, {values(type, std::min<std::uint64_t>(stored_elements(node), 4096))});
}

Node Maker::any_tensor(bool may_quantize) {
  static constexpr std::uint8_t layouts[] = {lt::row_major, lt::row_major, lt::row_major, lt::row_major, lt::row_major, lt::row_major, lt::row_major, lt::column_major, lt::strided, lt::tiled, lt::morton, lt::coo,
                                             lt::csr, lt::csc, lt::csf, lt::csf, lt::block_paged, lt::block_paged, lt::hilbert, 0xF0};
  const std::uint8_t layout = random.any(layouts);
  const facts::Layout* facts = facts::layout(layout);
  std::size_t rank = static_cast<std::size_t>(random.below(4));
  if (random.one_in(64)) rank = 63 + static_cast<std::size_t>(random.below(3));
  if (facts != nullptr) rank = std::clamp<std::size_t>(rank, facts->min_rank, std::max<std::size_t>(facts->max_rank, facts->min_rank));
  Node node = tensor(random.one_in(12) ? std::uint8_t{0xF1} : type(), shape(rank));
  if (layout != lt::row_major) lay_out(node, layout);
  if (layout == lt::block_paged && may_quantize && random.one_in(3)) quantize(node);
  if (layout == lt::row_major && may_quantize && rank > 0 && !random.one_in(3)) quantize(node);
  for (const Section which : {Section::statistics, Section::shard})
    if (random.one_in(8) && layout != lt::csf && layout != lt::block_paged) give_section(node, which);
  return node;
}

Part Maker::section(const Node& node, Section which) {
  switch (which) {
    case Section::quantization: {
      const Part part = arena.zeros(20);
      store(part, 0, 4, 16);
      part[4] = static_cast<std::uint8_t>(1 + random.below(5));
      part[5] = 1;
      store(part, 8, 4, 0x3F800000);
      return part;
    }
    case Section::shard: return arena.joined(node.shape, arena.zeros(node.shape.size()));
    case Section::statistics: {
      const Part part = arena.zeros(facts::limit::statistics);
      store(part, 0, 4, random.below(64));
      return part;
    }
    case Section::extension: {
      const Part integer = numbers({16, 0, 0, 0, 1, 0, random.below(2)}, 1), real = numbers({16, 0, 0, 0, 1, 1, 0, 1, 5, 10, 0, 0, 15}, 1);
      return arena.resized(random.one_in(2) ? integer : real, facts::limit::extension_type);
    }
    case Section::member: return arena.zeros(facts::limit::composite_member);
  }
  return {};
}

void Maker::give_box(Node& node, Part parent, Part offset) { node.section(Section::shard) = arena.joined(parent, offset); }

Node Maker::head(std::uint8_t rule, std::uint8_t type, Part shape) {
  Node node = tensor(type, shape);
  node.header[at::layout] = lt::composite;
  node.layout = arena.zeros(facts::limit::composite_head);
  node.layout[at::head_rule] = rule;
  if (rule == facts::composition_rule::overlay) node.layout[at::head_combine] = static_cast<std::uint8_t>(1 + random.below(2));
  node.table = {};
  node.data = {};
  return node;
}

void Maker::composite(List<Node>& out, std::uint32_t depth, std::uint32_t most_depth) {
  const auto rule = static_cast<std::uint8_t>(1 + random.below(3));
  const std::uint8_t of = random.one_in(2) ? std::uint8_t{facts::tag::float32} : type();
  Node top = head(rule, of, shape(1 + static_cast<std::size_t>(random.below(2))));
  top.depth = depth;
  const Part whole = top.shape;
  out.push_back(top);
  const auto add = [&](Node node, Part offset) {
    node.depth = depth + 1;
    if (rule != facts::composition_rule::group) give_box(node, whole, offset);
    out.push_back(node);
  };
  const Part zero = arena.zeros(whole.size());
  if (rule == facts::composition_rule::group) {
    for (std::uint64_t left = random.below(3); left > 0; --left) {
      if (depth + 2 < most_depth && random.one_in(3)) composite(out, depth + 1, most_depth);
      else add(any_tensor(true), zero);
    }
    return;
  }
  if (rule == facts::composition_rule::overlay) {
    for (std::uint64_t left = 1 + random.below(3), k = 0; k < left; ++k) {
      Node member = tensor(of, whole);
      give_section(member, Section::member);
      member.section(Section::member)[0] = k == 0 ? 1 : 0;
      add(member, zero);
    }
    return;
  }
  for (std::uint64_t from = 0; from < load(whole, 0, 8);) {  // slabs along the first axis
    const std::uint64_t size = std::min<std::uint64_t>(load(whole, 0, 8) - from, 1 + random.below(3));
    const Part extent = arena.copy(whole), offset = arena.zeros(whole.size());
    store(extent, 0, 8, size);
    store(offset, 0, 8, from);
    const bool nested = depth + 2 < most_depth && random.one_in(4);
    add(nested ? head(facts::composition_rule::partition, of, extent) : tensor(of, extent), offset);
    if (nested) {
      Node only = tensor(of, extent);
      only.depth = depth + 2;
      give_box(only, extent, zero);
      out.push_back(only);
    }
    from += size;
  }
}

void Maker::anything(List<Node>& out, std::uint32_t depth) {
  if (random.one_in(lone ? 6 : 2)) return composite(out, depth, facts::limit::composite_depth);
  Node node = any_tensor(true);
  node.depth = depth;
  out.push_back(node);
}

}  // namespace hurray::fuzz::mutator
