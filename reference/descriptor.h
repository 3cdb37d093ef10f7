// One tensor descriptor (metadata.md), decoded in place: every view points into the input.
#pragma once

#include <array>
#include <cstdint>

#include "conformance/facts/limits.h"
#include "reference/verdict.h"

namespace hurray::reference {

/// `count` little-endian integers of type T at any alignment.
template <typename T>
class LittleEndianArray {
 public:
  LittleEndianArray() = default;
  LittleEndianArray(const std::uint8_t* bytes, std::size_t count) : bytes_(bytes), count_(count) {}
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  T operator[](std::size_t index) const {
    T value = 0;
    for (std::size_t byte = sizeof(T); byte-- > 0;) value = static_cast<T>((static_cast<std::uint64_t>(value) << 8) | bytes_[index * sizeof(T) + byte]);
    return value;
  }
  const std::uint8_t* data() const { return bytes_; }

 private:
  const std::uint8_t* bytes_ = nullptr;
  std::size_t count_ = 0;
};
using U64Array = LittleEndianArray<std::uint64_t>;
using U32Array = LittleEndianArray<std::uint32_t>;
using I64Array = LittleEndianArray<std::int64_t>;

struct BufferHandle {
  std::uint64_t byte_size;
  std::uint32_t alignment;
  std::uint8_t device_tag, sync_mode, memory_class, reserved;
};

/// One level of tiling (layouts/tiled.md); a level whose inner_layout is tiled is followed by the next one.
struct TileLevel {
  U64Array tile_shape;
  std::uint8_t outer_layout = 0, inner_layout = 0;
  I64Array outer_strides, inner_strides;  // present where the layout beside them is strided
};

/// The fields after byte_offset. Only those of the descriptor's own layout_tag are meaningful.
struct LayoutFields {
  I64Array strides;                                                  // strided
  std::array<TileLevel, facts::limit::tiled_depth> tiles{};          // tiled, outermost first
  std::uint8_t tile_levels = 0;
  U32Array morton_bits;                                              // morton
  std::uint64_t nnz = 0;                                             // coo, csr, csc, csf
  std::uint8_t is_sorted = 0;                                        // coo
  U32Array mode_order;                                               // csf
  std::uint32_t page_size = 0, paged_axis = 0, num_seqs = 0, layer_index = 0;  // block-paged
  std::uint64_t num_pages = 0;
  std::uint8_t kv_role = 0, index_type = 0;
  std::uint8_t composition_rule = 0, combine_op = 0;                 // composite head
  std::uint32_t member_count = 0;
  std::uint32_t hilbert_order = 0, hilbert_rank = 0;                 // hilbert
  std::uint64_t extension_layout_id = 0;                             // private layouts
};

/// The quantization section; scheme_tag 0 means that there is none. Fields as in quantization/*.md.
struct Quantization {
  std::uint8_t scheme_tag = 0, scheme_version = 0;
  std::uint16_t flags = 0;
  std::uint32_t axis = 0, block_size = 0, scale_buffer_index = facts::limit::no_buffer, zero_point_buffer_index = facts::limit::no_buffer;
  std::uint8_t scale_type_tag = 0;
  float scale = 0;               // per-tensor affine
  std::int32_t zero_point = 0;   // per-tensor affine
  bool symmetric() const { return (flags & 1u) != 0; }
};

/// Where in the input each part of a descriptor starts (absolute byte positions).
struct DescriptorPositions {
  std::uint64_t start = 0, shape = 0, byte_offset = 0, layout = 0, buffer_table = 0, quantization = 0, shard = 0,
                statistics = 0, extension_type = 0, composite_member = 0, end = 0;
};

struct Descriptor {
  std::uint8_t version_minor = 0;
  std::uint32_t length = 0;  // descriptor_length, bytes
  std::uint32_t flags = 0;
  std::uint8_t type_tag = 0, layout_tag = 0;
  std::uint32_t rank = 0;
  U64Array shape;
  std::uint64_t byte_offset = 0;
  LayoutFields layout;
  std::uint8_t buffer_count = 0;
  const std::uint8_t* handles = nullptr;  // buffer_count handles of 16 bytes
  Quantization quantization;
  U64Array parent_shape, shard_offset;    // empty without a shard section
  std::uint32_t extension_bit_width = 0;  // 0 without an extension type section
  std::uint8_t extension_packing = 0;
  std::uint8_t member_role = 0;
  /// Permissive mode only: the type or layout tag is unknown and nothing after what could be located was read.
  bool opaque = false;
  DescriptorPositions at;

  bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
  bool is_head() const { return layout_tag == facts::layout_tag::composite; }
  BufferHandle buffer(std::size_t index) const;
};

/// Parses the descriptor that starts at byte `start` of `input` and checks every rule that the descriptor alone can
/// break, in wire order. The descriptor may be followed by anything. On a violation the outcome holds it.
struct DescriptorOutcome {
  Descriptor descriptor;
  std::optional<Violation> violation;
};
[[nodiscard]] DescriptorOutcome read_descriptor(Bytes input, std::uint64_t start, const Waivers& waivers);

/// Checks what only the buffers can show: sparse index structures, block tables, quantization parameters, reserved
/// element codes. `buffers` holds buffer_count views of exactly byte_size bytes each; `positions` their absolute starts.
[[nodiscard]] std::optional<Violation> check_buffers(const Descriptor& descriptor, std::span<const Bytes> buffers,
                                                     std::span<const std::uint64_t> positions, const Waivers& waivers);

}  // namespace hurray::reference
