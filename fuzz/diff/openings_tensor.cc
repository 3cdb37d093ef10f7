// What one descriptor and its buffers leave open.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz/diff/openings.h"
#include "reference/storage_size.h"

namespace hurray::fuzz {
namespace {

using reference::Descriptor;
using reference::Reading;
using reference::Tensor;
namespace layout_tag = facts::layout_tag;

bool is_sparse(const Descriptor& d) {
  return d.layout_tag == layout_tag::coo || d.layout_tag == layout_tag::csr || d.layout_tag == layout_tag::csc || d.layout_tag == layout_tag::csf;
}

bool has_scale_buffer(const Descriptor& d) {
  return d.quantization.scheme_tag != 0 && d.quantization.scheme_tag != facts::scheme_tag::per_tensor_affine;
}

double real_at(Bytes input, std::uint64_t at) {
  double value = 0;
  if (at + sizeof value <= input.size()) std::memcpy(&value, input.data() + at, sizeof value);
  return value;
}

std::uint64_t number_at(Bytes input, std::uint64_t at, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned k = 0; k < width && at + k < input.size(); ++k) value |= std::uint64_t{input[at + k]} << (8 * k);
  return value;
}

/// Bytes of a descriptor that no section accounts for.
bool has_trailing(const Descriptor& d, Bytes input) {
  std::uint64_t natural = 1 + std::uint64_t{facts::limit::buffer_handle} * d.buffer_count + d.at.buffer_table - d.at.start;
  if (d.at.quantization != 0) natural += 4 + number_at(input, d.at.quantization, 4);
  if (d.at.shard != 0) natural += 16 * std::uint64_t{d.rank};
  if (d.at.statistics != 0) natural += facts::limit::statistics;
  if (d.at.extension_type != 0) natural += facts::limit::extension_type;
  if (d.at.composite_member != 0) natural += facts::limit::composite_member;
  return d.length > natural;
}

/// Statistics that contradict themselves or the tensor (metadata.md, Statistics Section: computed_mask, reserved, nnz …).
bool doubtful_statistics(const Descriptor& d, Bytes input) {
  if (d.at.statistics == 0) return false;
  const std::uint64_t at = d.at.statistics, mask = number_at(input, at, 4);
  if ((mask & 0x01) != 0 && is_sparse(d) && number_at(input, at + 8, 8) != d.layout.nnz) return true;
  constexpr std::uint64_t moments = 0x08, n_of_m = 0x10;
  const double deviation = real_at(input, at + 56);
  if ((mask & moments) != 0 && (deviation < 0 || std::isnan(deviation))) return true;
  return (mask & n_of_m) != 0 && number_at(input, at + 64, 1) > number_at(input, at + 65, 1);
}

/// Layouts whose buffer has no gaps and no padding between elements.
bool ends_with_its_elements(const Descriptor& d) {
  const bool dense = d.layout_tag == layout_tag::row_major || d.layout_tag == layout_tag::column_major || d.layout_tag == layout_tag::hilbert;
  return (dense || is_sparse(d)) && d.byte_offset == 0;
}

/// Bits of the last byte or group of buffer 0 that no element lies in. A partial block is padding, whatever it holds.
bool spare_bits_set(const Descriptor& d, Bytes data) {
  const std::optional<reference::Packing> packing = reference::packing_of(d);
  if (!packing || packing->elements == 1 || reference::has_dynamic_dimension(d) || !ends_with_its_elements(d)) return false;
  if (d.quantization.block_size != 0) return false;
  const reference::Wide count = is_sparse(d) ? reference::Wide{d.layout.nnz} : reference::element_count(d);
  if (count > reference::Wide{1u << 20}) return false;
  const unsigned bits = packing->bytes * 8 / packing->elements;
  const std::uint64_t used = static_cast<std::uint64_t>(count) * bits, group = std::uint64_t{8} * packing->bytes;
  for (std::uint64_t bit = used; bit < (used + group - 1) / group * group && bit / 8 < data.size(); ++bit)
    if ((data[bit / 8] >> (bit % 8) & 1u) != 0) return true;
  return false;
}

/// Six-bit floats whose buffer ends within the last group of four.
bool ends_within_group(const Descriptor& d) {
  const std::optional<reference::Packing> packing = reference::packing_of(d);
  if (!packing || packing->elements != 4 || packing->bytes != 3 || d.buffer_count == 0) return false;
  return d.buffer(0).byte_size % 3 != 0;
}

/// A partial block is padded by a writer; whether the buffer must have room for that is not said.
bool lacks_room_for_partial_block(const Descriptor& d) {
  const reference::Quantization& q = d.quantization;
  const std::optional<reference::Packing> packing = reference::packing_of(d);
  if (!packing || d.buffer_count == 0 || q.block_size == 0 || q.axis >= d.rank || reference::has_dynamic_dimension(d)) return false;
  if (d.shape[q.axis] % q.block_size == 0 || reference::is_empty(d)) return false;
  const reference::Wide positions = reference::element_count(d) / d.shape[q.axis];
  const reference::Wide padded = reference::Wide{d.shape[q.axis]} + (q.block_size - d.shape[q.axis] % q.block_size);
  return reference::Wide{d.buffer(0).byte_size} < reference::packed_bytes(reference::wide_multiply(positions, padded), *packing);
}

bool sorted_as_claimed(const Descriptor& d, const Reading& reading, const Tensor& tensor) {
  if (d.layout.is_sorted == 0) return true;
  if (d.layout.is_sorted != 1) return false;
  if (d.buffer_count < 2) return true;
  const Bytes indices = reading.buffers.empty() ? Bytes{} : reading.buffers[tensor.first_buffer + 1u];
  const std::size_t row = 8 * std::size_t{d.rank};
  for (std::size_t at = row; row != 0 && at + row <= indices.size(); at += row)
    for (std::size_t k = 0; k < d.rank; ++k) {
      const std::uint64_t before = number_at(indices, at - row + 8 * k, 8), here = number_at(indices, at + 8 * k, 8);
      if (before > here) return false;
      if (before < here) break;
    }
  return true;
}

/// In an accepted input no element has one of the reserved codes, so what does lies where no element is.
bool has_reserved_code(const Descriptor& d, Bytes data) {
  return d.type_tag == facts::tag::float8_e8m0 &&
         std::any_of(data.begin(), data.end(), [](std::uint8_t code) { return code == 0x00 || code == 0xFF; });
}

void buffer_openings(const Descriptor& d, std::vector<std::string_view>& found) {
  for (std::size_t k = 0; k < d.buffer_count; ++k) {
    const reference::BufferHandle buffer = d.buffer(k);
    if (facts::is_private(buffer.device_tag)) found.push_back("OPEN-01");
    if (buffer.sync_mode != 0 || buffer.memory_class != 0) found.push_back("AMB-13");
    if (buffer.alignment < facts::limit::buffer_alignment) found.push_back("AMB-14");
  }
}

void layout_openings(const Descriptor& d, const Reading& reading, const Tensor& tensor, std::vector<std::string_view>& found) {
  const reference::LayoutFields& layout = d.layout;
  constexpr unsigned safe_tile_levels = 3;
  if (facts::is_private(d.layout_tag)) found.push_back("OPEN-01");
  if (d.layout_tag == layout_tag::morton && reference::is_empty(d)) found.push_back("AMB-17");
  if (d.layout_tag == layout_tag::coo && !sorted_as_claimed(d, reading, tensor)) found.push_back("OPEN-10");
  if (d.layout_tag == layout_tag::tiled && layout.tile_levels > safe_tile_levels) found.push_back("OPEN-11");
  if (d.layout_tag == layout_tag::block_paged && (layout.index_type > 1 || layout.kv_role > 2)) found.push_back("OPEN-13");
  if (d.layout_tag == layout_tag::block_paged && has_scale_buffer(d) && d.quantization.scheme_tag != facts::scheme_tag::per_channel_affine) found.push_back("AMB-22");
  if (is_sparse(d) && d.layout_tag != layout_tag::csf && has_scale_buffer(d)) found.push_back("AMB-16");
}

}  // namespace

void tensor_openings(const Reading& reading, Bytes input, std::vector<std::string_view>& found) {
  for (const Tensor& tensor : reading.tensors) {
    const Descriptor& d = tensor.descriptor;
    if (facts::is_private(d.type_tag) || (facts::element_type(d.type_tag) == nullptr)) found.push_back("OPEN-01");
    if (d.version_minor <= facts::limit::version_minor && has_trailing(d, input)) found.push_back("AMB-19");
    if (d.at.composite_member != 0 && tensor.enclosing == Tensor::none) found.push_back("AMB-11");
    if (doubtful_statistics(d, input)) found.push_back("OPEN-03");
    if (ends_within_group(d)) found.push_back("AMB-20");
    if (lacks_room_for_partial_block(d)) found.push_back("AMB-24");
    const reference::Quantization& q = d.quantization;
    const bool has_zero_points = q.scheme_tag == facts::scheme_tag::per_channel_affine || q.scheme_tag == facts::scheme_tag::per_block_affine;
    if (has_zero_points && q.symmetric() && q.zero_point_buffer_index != facts::limit::no_buffer) found.push_back("AMB-25");
    if (d.buffer_count > 0 && !reading.buffers.empty() && spare_bits_set(d, reading.buffers[tensor.first_buffer])) found.push_back("OPEN-05");
    if (d.buffer_count > 0 && !reading.buffers.empty() && has_reserved_code(d, reading.buffers[tensor.first_buffer])) found.push_back("AMB-41");
    buffer_openings(d, found);
    layout_openings(d, reading, tensor, found);
  }
}

}  // namespace hurray::fuzz
