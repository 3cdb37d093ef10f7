#include "reference/buffer_roles.h"

namespace hurray::reference {
namespace {

constexpr std::uint64_t many = ~std::uint64_t{0};

bool has_zero_points(const Quantization& q) {
  const bool affine =
      q.scheme_tag == facts::scheme_tag::per_channel_affine || q.scheme_tag == facts::scheme_tag::per_block_affine;
  return affine && !q.symmetric();
}

}  // namespace

std::uint64_t layout_buffers(const Descriptor& d) {
  const facts::Layout* const layout = facts::layout(d.layout_tag);
  if (layout == nullptr) return d.buffer_count;
  if (d.layout_tag == facts::layout_tag::coo) return 2;
  if (d.layout_tag == facts::layout_tag::csf) return 2 * std::uint64_t{d.rank} + 1;
  if (d.is_head()) return 0;
  return layout->addressing == facts::Addressing::dense ? 1 : 3;  // CSR, CSC and block-paged have three
}

std::uint64_t parameter_buffers(const Quantization& q) {
  if (q.scheme_tag == facts::scheme_tag::per_tensor_affine) return 0;
  return has_zero_points(q) && !shares_parameter_buffer(q) ? 2 : 1;
}

bool shares_parameter_buffer(const Quantization& q) {
  return has_zero_points(q) && q.zero_point_buffer_index == q.scale_buffer_index;
}

std::uint64_t handle_at(const Descriptor& d, std::size_t index) {
  return d.at.buffer_table + 1 + index * facts::limit::buffer_handle;
}

std::optional<std::uint64_t> scale_count(const Descriptor& d) {
  const Quantization& q = d.quantization;
  if (q.axis >= d.shape.size() || d.shape[q.axis] == facts::limit::dynamic) return std::nullopt;
  if (q.scheme_tag == facts::scheme_tag::per_channel_affine) return d.shape[q.axis];
  if (q.block_size == 0) return std::nullopt;
  const std::uint64_t size = d.shape[q.axis];
  std::uint64_t count = size / q.block_size + (size % q.block_size != 0 ? 1 : 0);
  bool empty = count == 0;
  for (std::size_t k = 0; k < d.shape.size(); ++k) {
    if (k == q.axis) continue;
    if (d.shape[k] == facts::limit::dynamic) return std::nullopt;
    empty |= d.shape[k] == 0;
    if (empty || count > many / d.shape[k]) count = many;
    else count *= d.shape[k];
  }
  return empty ? 0 : count;
}

std::uint64_t scale_bytes(const Quantization& q) {
  if (q.scheme_tag == facts::scheme_tag::mxfp) return 1;
  const bool half = q.scale_type_tag == facts::tag::float16 || q.scale_type_tag == facts::tag::bfloat16;
  return q.scheme_tag == facts::scheme_tag::per_block_affine && half ? 2 : 4;
}

}  // namespace hurray::reference
