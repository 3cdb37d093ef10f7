// One tensor descriptor (metadata.md), decoded in place: every view points into the input.
#pragma once

#include <cstdint>
#include <vector>

#include "conformance/facts/limits.h"
#include "reference/little_endian.h"
#include "reference/verdict.h"

namespace hurray::reference {

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
  std::vector<TileLevel> tiles;                                      // tiled, outermost first; at most tiled_depth
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
  std::uint64_t zero_point_offset = 0;  // bytes before the zero-points in their buffer: not 0 where it holds the scales too
  bool symmetric() const { return (flags & 1u) != 0; }
};

/// Where in the input each part of a descriptor starts (absolute byte positions); 0 for a part that was not reached.
/// `end` is where the next item starts: `start` + descriptor_length.
struct DescriptorPositions {
  std::uint64_t start = 0, shape = 0, byte_offset = 0, layout = 0, buffer_table = 0, quantization = 0, shard = 0,
                statistics = 0, extension_type = 0, composite_member = 0, end = 0;
};

/// A decoded descriptor. Where a rule is waived, fields hold what the bytes say or zero where there are none: arrays
/// may then be shorter than `rank` (and read as zero beyond their end), buffers fewer than the layout asks for.
struct Descriptor {
  std::uint8_t version_minor = 0;
  std::uint32_t length = 0;  // descriptor_length, bytes
  std::uint32_t flags = 0;   // as written, less the bits of sections that are missing (only where that is waived)
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
  /// A tag, or a field that finds or decodes elements, is unknown or makes no sense (a private layout, tile_shape 0, an
  /// axis beyond rank, a buffer too few). No value may be read from the buffers. Without waivers this is so only for an
  /// index_type that block-paged.md does not define.
  bool opaque = false;
  /// Only with waivers: the layout tag is unknown and its fields have no length, so nothing after byte_offset was
  /// read; buffer_count 0 then says nothing about what follows.
  bool buffers_unknown = false;
  DescriptorPositions at;

  bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
  bool is_head() const { return layout_tag == facts::layout_tag::composite; }
  BufferHandle buffer(std::size_t index) const;
};

struct DescriptorOutcome {
  Descriptor descriptor;
  std::optional<Violation> violation;
  bool lawful = false;  // no rule is broken, waived or not
};

/// Parses the descriptor that starts at byte `start` of `input` and checks every rule that the descriptor alone can
/// break, in wire order. The descriptor may be followed by anything; an input that ends before descriptor_length does
/// breaks DESC-HDR-05. On a violation the outcome holds it, and the descriptor only what came before.
[[nodiscard]] DescriptorOutcome read_descriptor(Bytes input, std::uint64_t start, const Waivers& waivers);

struct BufferOutcome {
  std::optional<Violation> violation;
  bool lawful = false;  // as above
};

/// Checks what only the buffers can show: sparse index structures, block tables, quantization parameters, reserved
/// element codes. `buffers` holds buffer_count views of exactly byte_size bytes each; `positions` their absolute starts.
/// Time is linear in the buffers, times log for a COO tensor whose coordinates are not sorted.
[[nodiscard]] BufferOutcome check_buffers(const Descriptor& descriptor, std::span<const Bytes> buffers,
                                          std::span<const std::uint64_t> positions, const Waivers& waivers);

}  // namespace hurray::reference
