#include "fuzz/model_of.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "generators/bytes.h"
#include "generators/carriers.h"
#include "reference/buffer_roles.h"
#include "reference/merge.h"
#include "reference/stored.h"

namespace hurray::fuzz {
namespace {

using generators::Index;
using generators::Model;
using generators::Node;
using reference::Bytes;
using reference::Descriptor;
using reference::Quantization;
using reference::Reading;
using reference::Surface;

std::uint64_t number(Bytes bytes, std::uint64_t at, std::size_t width) {
  return at + width <= bytes.size() ? generators::from_little_endian(bytes.subspan(static_cast<std::size_t>(at), width)) : 0;
}

template <typename Value, typename Array>
std::vector<Value> copied(const Array& array) {
  std::vector<Value> out;
  for (std::size_t k = 0; k < array.size(); ++k) out.push_back(array[k]);
  return out;
}

std::vector<Index> coordinates(const Descriptor& d, std::span<const Bytes> buffers) {
  std::vector<Index> at;
  if (buffers.empty()) return at;  // a descriptor alone
  reference::StoredElements elements(d, buffers);
  while (elements.next()) at.emplace_back(elements.index(), elements.index() + d.rank);
  return at;
}

generators::Tiled tiled(const Descriptor& d) {
  generators::Tiled layout;
  for (const reference::TileLevel& level : d.layout.tiles)
    layout.levels.push_back({copied<std::uint64_t>(level.tile_shape), level.outer_layout, level.inner_layout, copied<std::int64_t>(level.outer_strides),
                             copied<std::int64_t>(level.inner_strides)});
  return layout;
}

generators::BlockPaged block_paged(const Descriptor& d, std::span<const Bytes> buffers) {
  generators::BlockPaged layout{d.layout.page_size, d.layout.num_pages, {}, d.layout.kv_role, d.layout.layer_index, d.layout.index_type == 1};
  const std::size_t width = layout.wide ? 8 : 4;
  for (std::uint64_t k = 0; buffers.size() > 2 && k < d.layout.num_seqs; ++k) {
    layout.sequences.emplace_back();
    for (std::uint64_t at = number(buffers[2], k * width, width); at < number(buffers[2], (k + 1) * width, width); ++at)
      layout.sequences.back().push_back(number(buffers[1], at * width, width));
  }
  return layout;
}

generators::PrivateLayout private_layout(const Descriptor& d, Bytes input) {
  const std::uint64_t data = d.at.layout + 12;
  const std::uint64_t size = std::min<std::uint64_t>(number(input, data - 4, 4), input.size() - std::min<std::uint64_t>(data, input.size()));
  const auto begin = input.begin() + static_cast<std::ptrdiff_t>(data);
  return {d.layout_tag, d.layout.extension_layout_id, {begin, begin + static_cast<std::ptrdiff_t>(size)}};
}

generators::Layout layout_of(const Descriptor& d, std::span<const Bytes> buffers, Bytes input) {
  namespace lt = facts::layout_tag;
  switch (d.layout_tag) {
    case lt::column_major: return generators::ColumnMajor{};
    case lt::strided: return generators::Strided{copied<std::int64_t>(d.layout.strides)};
    case lt::tiled: return tiled(d);
    case lt::morton: return generators::Morton{copied<std::uint32_t>(d.layout.morton_bits)};
    case lt::coo: return generators::Coo{coordinates(d, buffers), d.layout.is_sorted != 0};
    case lt::csr: return generators::Csr{coordinates(d, buffers)};
    case lt::csc: return generators::Csc{coordinates(d, buffers)};
    case lt::csf: return generators::Csf{coordinates(d, buffers), copied<std::uint32_t>(d.layout.mode_order)};
    case lt::block_paged: return block_paged(d, buffers);
    case lt::hilbert: return generators::Hilbert{};
    default: break;
  }
  if (facts::is_private(d.layout_tag)) return private_layout(d, input);
  return generators::RowMajor{};
}

/// The scheme's parameters out of their buffers, as `Value` reads the low bits of `width` bytes each.
template <typename Value, typename Read>
std::vector<Value> parameters(const Descriptor& d, std::span<const Bytes> buffers, std::uint32_t buffer, std::uint64_t offset, std::size_t width, Read read) {
  std::vector<Value> out;
  if (buffer >= buffers.size()) return out;
  const std::uint64_t count = reference::scale_count(d).value_or(0);
  for (std::uint64_t k = 0; k < count && offset + (k + 1) * width <= buffers[buffer].size(); ++k) out.push_back(read(number(buffers[buffer], offset + k * width, width)));
  return out;
}

generators::Scheme scheme_of(const Descriptor& d, std::span<const Bytes> buffers) {
  namespace st = facts::scheme_tag;
  const Quantization& q = d.quantization;
  const auto as_float = [](std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); };
  const auto as_integer = [](std::uint64_t bits) { return static_cast<std::int32_t>(bits); };
  const auto zero_points = [&] {
    return q.symmetric() ? std::vector<std::int32_t>{}
                         : parameters<std::int32_t>(d, buffers, q.zero_point_buffer_index, q.zero_point_offset, reference::zero_point_bytes, as_integer);
  };
  switch (q.scheme_tag) {
    case st::per_tensor_affine: return generators::PerTensorAffine{q.scale, q.zero_point};
    case st::per_channel_affine:
      return generators::PerChannelAffine{q.axis, q.symmetric(), parameters<float>(d, buffers, q.scale_buffer_index, 0, 4, as_float), zero_points()};
    case st::per_block_affine:
      return generators::PerBlockAffine{q.axis, q.block_size, q.symmetric(), q.scale_type_tag,
                                        parameters<generators::Bits>(d, buffers, q.scale_buffer_index, 0, static_cast<std::size_t>(reference::scale_bytes(q)),
                                                                     [](std::uint64_t bits) { return generators::Bits{bits, 0}; }),
                                        zero_points()};
    case st::nf4: return generators::Nf4{q.axis, q.block_size, parameters<float>(d, buffers, q.scale_buffer_index, 0, 4, as_float)};
    case st::mxfp:
      return generators::Mxfp{q.axis, q.block_size, parameters<std::uint8_t>(d, buffers, q.scale_buffer_index, 0, 1, [](std::uint64_t bits) { return static_cast<std::uint8_t>(bits); })};
    default: return std::monostate{};
  }
}

/// metadata.md, Statistics Section.
generators::Statistics statistics_of(Bytes input, std::uint64_t at) {
  const auto real = [&](std::uint64_t offset) { return std::bit_cast<double>(number(input, at + offset, 8)); };
  const auto byte = [&](std::uint64_t offset) { return static_cast<std::uint8_t>(number(input, at + offset, 1)); };
  const std::uint64_t mask = number(input, at, 4);
  generators::Statistics out;
  if ((mask & 1) != 0) out.nnz = number(input, at + 8, 8);
  if ((mask & 2) != 0) out.sparsity = real(16);
  if ((mask & 4) != 0) out.range = std::array<double, 3>{real(24), real(32), real(40)};
  if ((mask & 8) != 0) out.moments = std::array<double, 2>{real(48), real(56)};
  if ((mask & 16) != 0) out.n_of_m = std::array<std::uint8_t, 2>{byte(64), byte(65)};
  if ((mask & 32) != 0) out.nan_inf = std::array<bool, 2>{byte(66) != 0, byte(67) != 0};
  return out;
}

/// metadata.md, Extension Type Section.
generators::ExtensionType extension_of(Bytes input, std::uint64_t at) {
  const auto byte = [&](std::uint64_t offset) { return static_cast<std::uint8_t>(number(input, at + offset, 1)); };
  generators::ExtensionType out;
  out.bit_width = static_cast<std::uint32_t>(number(input, at, 4));
  out.is_float = byte(5) != 0;
  out.is_signed = byte(6) != 0;
  out.sign_bits = byte(7);
  out.exponent_bits = byte(8);
  out.mantissa_bits = byte(9);
  out.exponent_bias = static_cast<std::uint32_t>(number(input, at + 12, 4));
  out.has_nan = byte(16) != 0;
  out.has_inf = byte(17) != 0;
  return out;
}

/// Byte offset, what lies behind the elements and what fills the gaps between them: what a writer cannot derive.
void take_gaps(Node& node, const Descriptor& d, Bytes data) {
  generators::Storage stored = generators::store(node);
  if (!stored.error.empty()) return;
  if (stored.byte_offset != d.byte_offset) {
    node.byte_offset = d.byte_offset;
    stored = generators::store(node);
  }
  if (!stored.error.empty() || stored.buffers.empty()) return;
  if (stored.buffers[0].size() < data.size()) node.spare_bytes = data.size() - stored.buffers[0].size();
  // Bits in which no element lies show what fills.
  node.padding = 0xFF;
  const generators::Storage filled = generators::store(node);
  std::uint8_t padding = 0;
  for (std::size_t at = 0; at < std::min(data.size(), filled.buffers[0].size()); ++at) {
    const std::uint8_t taken = at < stored.buffers[0].size() ? stored.buffers[0][at] : std::uint8_t{0};
    padding = static_cast<std::uint8_t>(padding | (data[at] & filled.buffers[0][at] & ~taken));
  }
  node.padding = padding;
}

class Modeller {
 public:
  Modeller(Bytes input, const Reading& reading) : input_(input), reading_(reading) {}

  Node node(std::uint32_t number) const {
    const reference::Tensor& tensor = reading_.tensors[number];
    const Descriptor& d = tensor.descriptor;
    Node node;
    node.name = tensor.name;
    node.type = d.type_tag;
    node.shape = copied<std::uint64_t>(d.shape);
    node.version_minor = d.version_minor;
    if (d.has(facts::flag::shard)) node.shard = generators::Box{copied<std::uint64_t>(d.parent_shape), copied<std::uint64_t>(d.shard_offset)};
    if (d.has(facts::flag::composite_member)) node.role = d.member_role;
    if (d.has(facts::flag::statistics)) node.statistics = statistics_of(input_, d.at.statistics);
    if (d.has(facts::flag::extension_type)) node.extension = extension_of(input_, d.at.extension_type);
    if (d.is_head()) {
      node.head = generators::Head{d.layout.composition_rule, d.layout.combine_op};
      for (std::uint32_t at = number + 1; at < number + tensor.skip; at += std::max<std::uint32_t>(reading_.tensors[at].skip, 1)) node.members.push_back(this->node(at));
      return node;
    }
    return with_contents(std::move(node), tensor);
  }

 private:
  Node with_contents(Node node, const reference::Tensor& tensor) const {
    const Descriptor& d = tensor.descriptor;
    std::span<const Bytes> buffers;
    if (tensor.first_buffer + d.buffer_count <= reading_.buffers.size()) buffers = std::span<const Bytes>(reading_.buffers).subspan(tensor.first_buffer, d.buffer_count);
    if (d.buffer_count > 0) {
      const reference::BufferHandle handle = d.buffer(0);
      node.alignment = handle.alignment;
      node.device = handle.device_tag;
      node.sync = handle.sync_mode;
      node.memory = handle.memory_class;
    }
    node.layout = layout_of(d, buffers, input_);
    node.scheme = scheme_of(d, buffers);
    if (buffers.empty()) return node;
    node.elements = stored_elements(node, d, buffers[0]);
    take_gaps(node, d, buffers[0]);
    return node;
  }

  Bytes input_;
  const Reading& reading_;
};

/// The stream's number, and the share of the first frame where a tensor came in several (interchange.md, Message Framing).
generators::FramedOptions framing_of(Bytes input) {
  generators::FramedOptions out;
  out.stream_id = static_cast<std::uint32_t>(number(input, 4, 4));
  std::uint64_t first = 0;
  for (std::uint64_t at = 0; at + facts::limit::message_header <= input.size();) {
    const std::uint64_t type = number(input, at, 4), length = number(input, at + 8, 4);
    if (type == facts::message_type::tensor_descriptor) first = 0;
    if (type == facts::message_type::tensor_data) {
      if (first != 0 && out.frame_bytes == 0) out.frame_bytes = static_cast<std::uint32_t>(first - facts::limit::data_prefix);
      first = length;
    }
    at += facts::limit::message_header + length;
  }
  return out;
}

/// Names that the writer gives by itself are no part of a model.
void forget_derived_names(Model& model) {
  Model unnamed = model;
  struct Walk {
    static void clear(std::vector<Node>& nodes) {
      for (Node& node : nodes) {
        node.name.clear();
        clear(node.members);
      }
    }
  };
  Walk::clear(unnamed.items);
  if (generators::tensor_names(unnamed) == generators::tensor_names(model)) model.items = std::move(unnamed.items);
}

}  // namespace

Model model_of(Bytes input, Surface surface, const Reading& reading) {
  Model model;
  const Modeller modeller(input, reading);
  for (std::uint32_t at = 0; at < reading.tensors.size(); at += std::max<std::uint32_t>(reading.tensors[at].skip, 1)) model.items.push_back(modeller.node(at));
  if (surface == Surface::framed) model.framed = framing_of(input);
  if (surface == Surface::file) {
    const std::uint64_t flags = number(input, 12, 4);
    model.file.sorted = (flags & facts::file_flag::sorted_index) != 0;
    model.file.checksum = (flags & facts::file_flag::has_index_crc32c) != 0;
    model.file.alignment = static_cast<std::uint32_t>(number(input, 16, 4));
    forget_derived_names(model);
  }
  return model;
}

std::optional<Model> model_of(Bytes input, Surface surface) {
  const Reading reading = reference::read(input, surface, reference::Waivers::none());
  if (!reading.accepted()) return std::nullopt;
  return model_of(input, surface, reading);
}

}  // namespace hurray::fuzz
