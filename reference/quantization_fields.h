// Fields that several schemes share: storage type, axis, parameter buffers (quantization/*.md).
#pragma once

#include "reference/buffer_roles.h"
#include "reference/descriptor_reader.h"

namespace hurray::reference {

/// The section's own positions: fields are named by their offset from scheme_tag.
inline std::uint64_t scheme_field_at(const Descriptor& descriptor, std::uint64_t offset) {
  return descriptor.at.quantization + sizeof(std::uint32_t) + offset;
}

/// Whether the storage type is an integer of at most `bits` bits.
bool stores_integers(const Descriptor& descriptor, std::uint32_t bits);

/// Whether `value` fits the storage type; true where that is no integer type.
bool storage_holds(const Descriptor& descriptor, std::int64_t value);

/// The type_tag lies in the header, far from the section that makes it wrong.
void check_storage_type(DescriptorReader& reader, bool valid, Rule rule);

/// Whether axis < rank and its size is known, so that the scheme can be laid over the shape.
bool check_axis(DescriptorReader& reader, Rule in_rank, Rule not_dynamic);

/// One index of the buffer table in the section: where it is and what it breaks.
struct ParameterIndex {
  std::uint32_t index;
  std::uint64_t at;
  Rule exists, not_data;  // below buffer_count; not the buffer of the values
};
/// Whether the index names a buffer of its own, which rule placement 1 demands too (Q-PLACE-01).
bool check_parameter_index(DescriptorReader& reader, const ParameterIndex& parameter);

/// Whether buffer `index` has exactly `count` entries of `bytes` bytes.
bool has_exactly(const Descriptor& descriptor, std::uint32_t index, std::uint64_t count, std::uint64_t bytes);

/// What a scheme says about the sizes of its parameter buffers.
struct ParameterSizes {
  Rule scales, zero_points;
};
/// Sizes of the scale and zero-point buffers; marks the descriptor opaque where they are too small to be used.
void check_parameter_sizes(DescriptorReader& reader, std::uint64_t count, const ParameterSizes& rules);

}  // namespace hurray::reference
