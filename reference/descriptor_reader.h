// What the parsers of a descriptor's parts share while one descriptor is read. Each part has a function here and a
// file of its own; each returns early once a check failed, and the caller then stops.
#pragma once

#include "reference/checks.h"
#include "reference/cursor.h"
#include "reference/descriptor.h"

namespace hurray::reference {

struct DescriptorReader {
  Bytes input;
  Cursor in;
  Checks check;
  Descriptor& descriptor;

  /// Whether everything read so far was inside descriptor_length and the input (DESC-HDR-05).
  bool fits();
};

/// header.cc: the fixed header, shape and byte_offset.
void read_header(DescriptorReader& reader);
/// layout_fields.cc: the fields of the layout tag; tile_levels.cc: those of the tiled layout.
void read_layout_fields(DescriptorReader& reader);
void read_tile_levels(DescriptorReader& reader);
/// composite_head.cc: the composition fields of a head.
void read_composite_head(DescriptorReader& reader);
/// buffer_table.cc: the handles and how many there may be; the second half once the scheme is known.
void read_buffer_table(DescriptorReader& reader);
void check_parameter_buffer_count(DescriptorReader& reader);
/// quantization.cc: the section's header. affine_schemes.cc, block_schemes.cc: the fields of each scheme.
void read_quantization(DescriptorReader& reader);
void read_per_tensor_affine(DescriptorReader& reader);
void read_per_channel_affine(DescriptorReader& reader);
void read_per_block_affine(DescriptorReader& reader);
void read_nf4(DescriptorReader& reader);
void read_mxfp(DescriptorReader& reader);
/// sections.cc: shard, statistics, extension type and composite member, in wire order.
void read_sections(DescriptorReader& reader);
/// storage_checks.cc: whether the buffers can hold what the layout puts there.
void check_storage_size(DescriptorReader& reader);

}  // namespace hurray::reference
