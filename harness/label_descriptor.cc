#include <algorithm>

#include "conformance/facts/limits.h"
#include "harness/labeller.h"

namespace hurray::harness {
namespace {

struct Field {
  std::string_view name;
  std::uint64_t bytes;
};

/// Walks the fields of one descriptor in wire order, never past its end.
class DescriptorWalk {
 public:
  DescriptorWalk(LabelMap& map, NodePaths& paths, std::uint64_t at) : map_(map), start_(at), at_(at) {
    const std::uint64_t length = map.number(at + 6, 4), left = map.size() - at;
    out_.end = at + std::clamp<std::uint64_t>(length, std::min<std::uint64_t>(left, 1), left);
    layout_ = static_cast<std::uint8_t>(map.number(at + 15, 1));
    rank_ = map.number(at + 16, 4);
    // The count stands after shape and byte_offset; it is needed before them to name what follows this head.
    const bool is_head = layout_ == facts::layout_tag::composite;
    const std::uint64_t count = is_head && rank_ <= facts::limit::rank ? map.number(at + 28 + 8 * rank_ + 4, 4) : 0;
    out_.path = paths.next(is_head, static_cast<std::uint32_t>(count));
  }

  DescriptorOutline walk() {
    fields({{"magic", 4}, {"version_major", 1}, {"version_minor", 1}, {"descriptor_length", 4}, {"flags", 4},
            {"type_tag", 1}, {"layout_tag", 1}, {"rank", 4}});
    const bool known_layout = facts::layout(layout_) != nullptr || facts::is_private(layout_);
    if (rank_ <= facts::limit::rank) {
      per_dimension("shape", 8);
      field("byte_offset", 8);
    }
    if (rank_ <= facts::limit::rank && known_layout) {
      layout();
      buffers();
      sections();
      field("trailing", left());
    }
    field("unknown", left());
    return std::move(out_);
  }

 private:
  std::uint64_t left() const { return out_.end - at_; }

  std::uint64_t field(std::string_view name, std::uint64_t bytes) {
    const std::uint64_t there = std::min(bytes, left()), value = map_.number(at_, std::min<std::uint64_t>(there, 8));
    map_.name(at_, there, out_.path + "." + std::string(name));
    at_ += there;
    return value;
  }

  void fields(std::initializer_list<Field> list, const std::string& prefix = {}) {
    for (const Field& one : list) field(prefix + std::string(one.name), one.bytes);
  }

  void per_dimension(const std::string& name, std::uint64_t bytes) {
    for (std::uint64_t k = 0; k < rank_; ++k) field(name + "[" + std::to_string(k) + "]", bytes);
  }

  void tiled() {
    std::string prefix;
    for (; left() > 0; prefix += "inner.") {
      per_dimension(prefix + "tile_shape", 8);
      const std::uint64_t outer = field(prefix + "outer_layout", 1), inner = field(prefix + "inner_layout", 1);
      field(prefix + "tile_reserved", 2);
      if (outer == facts::layout_tag::strided) per_dimension(prefix + "outer_strides", 8);
      if (inner == facts::layout_tag::strided) per_dimension(prefix + "inner_strides", 8);
      if (inner != facts::layout_tag::tiled) return;
    }
  }

  void layout() {
    namespace tag = facts::layout_tag;
    if (layout_ == tag::strided) per_dimension("strides", 8);
    if (layout_ == tag::tiled) tiled();
    if (layout_ == tag::morton) per_dimension("morton_bits", 4);
    if (layout_ == tag::coo) fields({{"nnz", 8}, {"is_sorted", 1}, {"layout_reserved", 7}});
    if (layout_ == tag::csr || layout_ == tag::csc) fields({{"nnz", 8}, {"layout_reserved", 8}});
    if (layout_ == tag::csf) {
      field("nnz", 8);
      per_dimension("mode_order", 4);
      field("layout_reserved", 8);
    }
    if (layout_ == tag::block_paged)
      fields({{"page_size", 4}, {"num_pages", 8}, {"paged_axis", 4}, {"num_seqs", 4}, {"kv_role", 1}, {"layer_index", 4},
              {"index_type", 1}, {"layout_reserved", 6}});
    if (layout_ == tag::composite)
      fields({{"composition_rule", 1}, {"combine_op", 1}, {"layout_reserved", 2}, {"member_count", 4}});
    if (layout_ == tag::hilbert) fields({{"hilbert_order", 4}, {"hilbert_rank", 4}});
    if (facts::is_private(layout_)) {
      field("extension_layout_id", 8);
      const std::uint64_t length = field("extension_data_length", 4);
      field("extension_data", length);
    }
  }

  void buffers() {
    const std::uint64_t count = field("buffer_count", 1);
    for (std::uint64_t i = 0; i < count && left() > 0; ++i) {
      const std::string prefix = "buffers[" + std::to_string(i) + "].";
      out_.buffer_sizes.push_back(field(prefix + "byte_size", 8));
      fields({{"alignment", 4}, {"device_tag", 1}, {"sync_mode", 1}, {"memory_class", 1}, {"reserved", 1}}, prefix);
    }
  }

  void quantization() {
    const std::uint64_t length = field("quantization.length", 4);
    const std::uint64_t after = at_ + std::min(length, left());
    const std::uint64_t scheme = field("quantization.scheme_tag", 1);
    const std::string prefix = "quantization.";
    fields({{"scheme_version", 1}, {"flags", 2}}, prefix);
    namespace tag = facts::scheme_tag;
    if (scheme == tag::per_tensor_affine) fields({{"scale", 4}, {"zero_point", 4}, {"reserved", 4}}, prefix);
    if (scheme == tag::per_channel_affine || scheme == tag::per_block_affine) {
      field("quantization.axis", 4);
      if (scheme == tag::per_block_affine) field("quantization.block_size", 4);
      fields({{"scale_buffer_index", 4}, {"zero_point_buffer_index", 4}, {"scale_type_tag", 1}, {"reserved", 3}}, prefix);
    }
    if (scheme == tag::nf4 || scheme == tag::mxfp)
      fields({{"axis", 4}, {"block_size", 4}, {"scale_buffer_index", 4}}, prefix);
    if (at_ < after) field("quantization.padding", after - at_);
  }

  void sections() {
    const auto flags = static_cast<std::uint32_t>(map_.number(start_ + 10, 4));
    if ((flags & facts::flag::quantization) != 0) quantization();
    if ((flags & facts::flag::shard) != 0) {
      per_dimension("shard.parent_shape", 8);
      per_dimension("shard.shard_offset", 8);
    }
    if ((flags & facts::flag::statistics) != 0)
      fields({{"computed_mask", 4}, {"reserved", 4}, {"nnz", 8}, {"sparsity_ratio", 8}, {"value_min", 8}, {"value_max", 8},
              {"value_abs_max", 8}, {"value_mean", 8}, {"value_stddev", 8}, {"nm_n", 1}, {"nm_m", 1}, {"has_nan", 1},
              {"has_inf", 1}, {"reserved2", 4}}, "statistics.");
    if ((flags & facts::flag::extension_type) != 0)
      fields({{"bit_width", 4}, {"packing_factor", 1}, {"is_float", 1}, {"is_signed", 1}, {"sign_bits", 1},
              {"exponent_bits", 1}, {"mantissa_bits", 1}, {"reserved", 2}, {"exponent_bias", 4}, {"has_nan", 1},
              {"has_inf", 1}, {"reserved2", 2}}, "extension.");
    if ((flags & facts::flag::composite_member) != 0) fields({{"member_role", 1}, {"reserved", 15}}, "composite_member.");
  }

  LabelMap& map_;
  std::uint64_t start_, at_;
  std::uint8_t layout_ = 0;
  std::uint64_t rank_ = 0;
  DescriptorOutline out_;
};

}  // namespace

DescriptorOutline label_descriptor(LabelMap& map, NodePaths& paths, std::uint64_t at) {
  return DescriptorWalk(map, paths, at).walk();
}

}  // namespace hurray::harness
