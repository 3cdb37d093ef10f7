#include "generators/descriptor_writer.h"

#include "generators/addressing.h"
#include "generators/sparse.h"

namespace hurray::generators {
namespace {

template <typename... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

std::uint32_t flags_of(const Node& node) {
  std::uint32_t flags = 0;
  if (!std::holds_alternative<std::monostate>(node.scheme)) flags |= facts::flag::quantization;
  if (node.shard) flags |= facts::flag::shard;
  if (node.extension) flags |= facts::flag::extension_type;
  if (node.statistics) flags |= facts::flag::statistics;
  if (node.role) flags |= facts::flag::composite_member;
  return flags;
}

void write_header(Document& d, const Node& node) {
  d.bytes("magic", Bytes(std::begin(facts::limit::magic), std::end(facts::limit::magic)));
  d.number("version_major", facts::limit::version_major, 1);
  d.number("version_minor", node.version_minor, 1);
  d.number("descriptor_length", 0, 4, Derived::descriptor_length);
  d.number("flags", flags_of(node), 4);
  d.number("type_tag", node.type, 1);
  d.number("layout_tag", layout_tag_of(node), 1);
  d.number("rank", node.shape.size(), 4);
  for (std::size_t k = 0; k < node.shape.size(); ++k) d.number_at("shape", k, node.shape[k], 8);
}

void write_strides(Document& d, std::string_view name, std::vector<std::int64_t> strides, std::size_t rank) {
  strides.resize(rank, 0);
  for (std::size_t k = 0; k < rank; ++k) d.number_at(name, k, static_cast<std::uint64_t>(strides[k]), 8);
}

void write_tile_levels(Document& d, const Tiled& layout, std::size_t rank) {
  std::string nesting;
  for (const TileLevel& level : layout.levels) {
    Shape tile = level.tile;
    tile.resize(rank, 1);
    for (std::size_t k = 0; k < rank; ++k) d.number_at(nesting + "tile_shape", k, tile[k], 8);
    const bool last = &level == &layout.levels.back();
    d.number(nesting + "outer_layout", level.outer, 1);
    d.number(nesting + "inner_layout", last ? level.inner : facts::layout_tag::tiled, 1);
    d.reserved(nesting + "tile_reserved", 2);
    if (level.outer == facts::layout_tag::strided) write_strides(d, nesting + "outer_strides", level.outer_strides, rank);
    if (last && level.inner == facts::layout_tag::strided)
      write_strides(d, nesting + "inner_strides", level.inner_strides, rank);
    nesting += "inner.";
  }
}

void write_block_paged(Document& d, const BlockPaged& layout) {
  d.number("page_size", layout.page_size, 4);
  d.number("num_pages", layout.pages, 8);
  d.number("paged_axis", 0, 4);
  d.number("num_seqs", layout.sequences.size(), 4);
  d.number("kv_role", layout.kv_role, 1);
  d.number("layer_index", layout.layer, 4);
  d.number("index_type", layout.wide ? 1 : 0, 1);
  d.reserved("layout_reserved", 6);
}

void write_compressed(Document& d, std::size_t nnz) {
  d.number("nnz", nnz, 8);
  d.reserved("layout_reserved", 8);
}

void write_layout(Document& d, const Node& node) {
  const std::size_t rank = node.shape.size();
  std::visit(Overloaded{
    [](const RowMajor&) {}, [](const ColumnMajor&) {},
    [&](const Strided& l) { write_strides(d, "strides", l.strides, rank); },
    [&](const Tiled& l) { write_tile_levels(d, l, rank); },
    [&](const Morton& l) {
      const std::vector<std::uint32_t> bits = morton_bits(l, node.shape);
      for (std::size_t k = 0; k < rank; ++k) d.number_at("morton_bits", k, bits[k], 4);
    },
    [&](const Coo& l) {
      d.number("nnz", l.at.size(), 8);
      d.number("is_sorted", l.sorted ? 1 : 0, 1);
      d.reserved("layout_reserved", 7);
    },
    [&](const Csr& l) { write_compressed(d, l.at.size()); },
    [&](const Csc& l) { write_compressed(d, l.at.size()); },
    [&](const Csf& l) {
      d.number("nnz", l.at.size(), 8);
      const std::vector<std::uint32_t> order = mode_order(l, rank);
      for (std::size_t k = 0; k < rank; ++k) d.number_at("mode_order", k, order[k], 4);
      d.reserved("layout_reserved", 8);
    },
    [&](const BlockPaged& l) { write_block_paged(d, l); },
    [&](const Hilbert&) {
      d.number("hilbert_order", hilbert_order(node.shape), 4);
      d.number("hilbert_rank", rank, 4);
    },
    [&](const PrivateLayout& l) {
      d.number("extension_layout_id", l.id, 8);
      d.number("extension_data_length", l.data.size(), 4, Derived::length_of_next);
      d.bytes("extension_data", l.data);
    }}, node.layout);
}

void write_head(Document& d, const Node& node) {
  d.number("composition_rule", node.head->rule, 1);
  d.number("combine_op", node.head->combine, 1);
  d.reserved("layout_reserved", 2);
  d.number("member_count", node.members.size(), 4);
}

void write_buffer_table(Document& d, const Node& node, const Storage& storage) {
  d.number("buffer_count", storage.buffers.size(), 1);
  for (std::size_t k = 0; k < storage.buffers.size(); ++k) {
    const Document::Scope scope(d, "buffers[" + std::to_string(k) + "]");
    d.number("byte_size", storage.buffers[k].size(), 8);
    d.number("alignment", node.alignment, 4);
    d.number("device_tag", node.device, 1);
    d.number("sync_mode", node.sync, 1);
    d.number("memory_class", node.memory, 1);
    d.reserved("reserved", 1);
  }
}

void write_scheme_start(Document& d, std::uint8_t tag, bool symmetric) {
  d.number("scheme_tag", tag, 1);
  d.number("scheme_version", 1, 1);
  d.number("flags", symmetric ? 1 : 0, 2);
}

void write_scheme(Document& d, const Scheme& scheme, const Storage& storage) {
  std::visit(Overloaded{
    [](const std::monostate&) {},
    [&](const PerTensorAffine& s) {
      write_scheme_start(d, facts::scheme_tag::per_tensor_affine, false);
      d.real32("scale", s.scale);
      d.number("zero_point", static_cast<std::uint32_t>(s.zero_point), 4);
      d.reserved("reserved", 4);
    },
    [&](const PerChannelAffine& s) {
      write_scheme_start(d, facts::scheme_tag::per_channel_affine, s.symmetric);
      d.number("axis", s.axis, 4);
      d.number("scale_buffer_index", storage.scale_buffer, 4);
      d.number("zero_point_buffer_index", storage.zero_point_buffer, 4);
      d.number("scale_type_tag", facts::tag::float32, 1);
      d.reserved("reserved", 3);
    },
    [&](const PerBlockAffine& s) {
      write_scheme_start(d, facts::scheme_tag::per_block_affine, s.symmetric);
      d.number("axis", s.axis, 4);
      d.number("block_size", s.block, 4);
      d.number("scale_buffer_index", storage.scale_buffer, 4);
      d.number("zero_point_buffer_index", storage.zero_point_buffer, 4);
      d.number("scale_type_tag", s.scale_type, 1);
      d.reserved("reserved", 3);
    },
    [&](const Nf4& s) {
      write_scheme_start(d, facts::scheme_tag::nf4, false);
      d.number("axis", s.axis, 4);
      d.number("block_size", s.block, 4);
      d.number("scale_buffer_index", storage.scale_buffer, 4);
    },
    [&](const Mxfp& s) {
      write_scheme_start(d, facts::scheme_tag::mxfp, false);
      d.number("axis", s.axis, 4);
      d.number("block_size", s.block, 4);
      d.number("scale_buffer_index", storage.scale_buffer, 4);
    }}, scheme);
}

void write_quantization(Document& d, const Node& node, const Storage& storage) {
  if (std::holds_alternative<std::monostate>(node.scheme)) return;
  const Document::Scope scope(d, "quantization");
  d.number("length", 0, 4, Derived::quantization_length);
  d.part = Part::quantization;
  write_scheme(d, node.scheme, storage);
  d.part = Part::descriptor;
}

void write_shard(Document& d, const Node& node) {
  if (!node.shard) return;
  const Document::Scope scope(d, "shard");
  Box box = *node.shard;
  box.offset.resize(node.shape.size(), 0);
  for (std::size_t k = box.parent.size(); k < node.shape.size(); ++k) box.parent.push_back(node.shape[k]);
  for (std::size_t k = 0; k < node.shape.size(); ++k) d.number_at("parent_shape", k, box.parent[k], 8);
  for (std::size_t k = 0; k < node.shape.size(); ++k) d.number_at("shard_offset", k, box.offset[k], 8);
}

void write_statistics(Document& d, const Node& node) {
  if (!node.statistics) return;
  const Document::Scope scope(d, "statistics");
  const Statistics& s = *node.statistics;
  const std::uint32_t mask = (s.nnz ? 1u : 0) | (s.sparsity ? 2u : 0) | (s.range ? 4u : 0) | (s.moments ? 8u : 0) |
                             (s.n_of_m ? 16u : 0) | (s.nan_inf ? 32u : 0);
  const std::array<double, 3> range = s.range.value_or(std::array<double, 3>{});
  const std::array<double, 2> moments = s.moments.value_or(std::array<double, 2>{});
  const std::array<std::uint8_t, 2> n_of_m = s.n_of_m.value_or(std::array<std::uint8_t, 2>{});
  const std::array<bool, 2> nan_inf = s.nan_inf.value_or(std::array<bool, 2>{});
  d.number("computed_mask", mask, 4);
  d.reserved("reserved", 4);
  d.number("nnz", s.nnz.value_or(0), 8);
  d.real("sparsity_ratio", s.sparsity.value_or(0));
  d.real("value_min", range[0]);
  d.real("value_max", range[1]);
  d.real("value_abs_max", range[2]);
  d.real("value_mean", moments[0]);
  d.real("value_stddev", moments[1]);
  d.number("nm_n", n_of_m[0], 1);
  d.number("nm_m", n_of_m[1], 1);
  d.number("has_nan", nan_inf[0] ? 1 : 0, 1);
  d.number("has_inf", nan_inf[1] ? 1 : 0, 1);
  d.reserved("reserved2", 4);
}

void write_extension(Document& d, const Node& node) {
  if (!node.extension) return;
  const Document::Scope scope(d, "extension");
  const ExtensionType& e = *node.extension;
  const bool sub_byte = e.bit_width > 0 && e.bit_width < 8;
  d.number("bit_width", e.bit_width, 4);
  d.number("packing_factor", sub_byte ? 8 / e.bit_width : 1, 1);
  d.number("is_float", e.is_float ? 1 : 0, 1);
  d.number("is_signed", e.is_signed ? 1 : 0, 1);
  d.number("sign_bits", e.sign_bits, 1);
  d.number("exponent_bits", e.exponent_bits, 1);
  d.number("mantissa_bits", e.mantissa_bits, 1);
  d.reserved("reserved", 2);
  d.number("exponent_bias", e.exponent_bias, 4);
  d.number("has_nan", e.has_nan ? 1 : 0, 1);
  d.number("has_inf", e.has_inf ? 1 : 0, 1);
  d.reserved("reserved2", 2);
}

void write_member(Document& d, const Node& node) {
  if (!node.role) return;
  const Document::Scope scope(d, "composite_member");
  d.number("member_role", *node.role, 1);
  d.reserved("reserved", 15);
}

}  // namespace

std::uint8_t layout_tag_of(const Node& node) {
  if (node.head) return facts::layout_tag::composite;
  if (const PrivateLayout* layout = std::get_if<PrivateLayout>(&node.layout)) return layout->tag;
  constexpr std::uint8_t tags[] = {
      facts::layout_tag::row_major, facts::layout_tag::column_major, facts::layout_tag::strided, facts::layout_tag::tiled,
      facts::layout_tag::morton, facts::layout_tag::coo, facts::layout_tag::csr, facts::layout_tag::csc,
      facts::layout_tag::csf, facts::layout_tag::block_paged, facts::layout_tag::hilbert};
  static_assert(std::size(tags) + 1 == std::variant_size_v<Layout>);
  return tags[node.layout.index()];
}

std::uint8_t scheme_tag_of(const Scheme& scheme) {
  constexpr std::uint8_t tags[] = {0, facts::scheme_tag::per_tensor_affine, facts::scheme_tag::per_channel_affine,
                                   facts::scheme_tag::per_block_affine, facts::scheme_tag::nf4, facts::scheme_tag::mxfp};
  static_assert(std::size(tags) == std::variant_size_v<Scheme>);
  return tags[scheme.index()];
}

void write_descriptor(Document& document, const Node& node, const Storage& storage) {
  document.part = Part::descriptor;
  write_header(document, node);
  document.number("byte_offset", storage.byte_offset, 8);
  node.head ? write_head(document, node) : write_layout(document, node);
  write_buffer_table(document, node, storage);
  write_quantization(document, node, storage);
  write_shard(document, node);
  write_statistics(document, node);
  write_extension(document, node);
  write_member(document, node);
  if (!node.trailing.empty()) document.bytes("trailing", node.trailing);
}

}  // namespace hurray::generators
