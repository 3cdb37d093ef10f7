// The buffer table: its length by layout and scheme (metadata.md, memory-layout.md) and its handles (buffer-protocol.md).
#include <bit>

#include "reference/buffer_roles.h"
#include "reference/descriptor_reader.h"

namespace hurray::reference {
namespace {

constexpr std::uint64_t alignment_at = 8, device_at = 12, sync_at = 13, class_at = 14, reserved_at = 15;

void check_device(Checks& check, const BufferHandle& handle, std::uint64_t at) {
  const std::uint8_t device = handle.device_tag, sync = handle.sync_mode;
  const bool is_private = facts::is_private(device);
  const bool known = facts::device(device) != nullptr || is_private;
  check.that(device != 0xFF, Rule::BUF_DEV_01, at + device_at, "device_tag", hex(device));
  check.that(known || device == 0xFF, Rule::BUF_DEV_02, at + device_at, "reserved device_tag", hex(device));
  check.that(sync <= 0x02 || sync == 0xFF, Rule::BUF_SYNC_01, at + sync_at, "sync_mode", hex(sync));
  check.that(sync != 0xFF, Rule::BUF_SYNC_02, at + sync_at, "sync_mode", hex(sync));
  const bool is_cpu = device == facts::device_tag::cpu;
  check.that(!is_cpu || sync == 0 || sync > 0x02, Rule::BUF_SYNC_03, at + sync_at, "CPU buffer with sync_mode", hex(sync));
}

void check_memory_class(Checks& check, const BufferHandle& handle, std::uint64_t at) {
  const std::uint8_t memory = handle.memory_class;
  const facts::Device* const device = facts::device(handle.device_tag);
  const bool private_device = facts::is_private(handle.device_tag);
  const bool private_class = facts::is_private(memory);
  check.that(memory <= 0x03 || memory > 0xEF, Rule::BUF_MEM_01, at + class_at, "reserved memory_class", hex(memory));
  check.that(memory != 0xFF, Rule::BUF_MEM_02, at + class_at, "memory_class", hex(memory));
  check.that(!private_class || private_device, Rule::BUF_MEM_08, at + class_at, "memory_class", hex(memory),
             "with device_tag", hex(handle.device_tag));
  check.that(!private_class || !private_device, Rule::BUF_MEM_03, at + class_at, "unknown memory_class", hex(memory));
  if (memory > 0x03 || (device == nullptr && !private_device)) return;
  const bool valid = private_device ? memory == 0 : device->memory_class_valid[memory];
  check.that(valid, Rule::BUF_MEM_04, at + class_at, "memory_class", hex(memory), "with device_tag",
             hex(handle.device_tag));
}

void check_handle(DescriptorReader& reader, const BufferHandle& handle, std::uint64_t at) {
  Checks& check = reader.check;
  const bool power_of_two = std::has_single_bit(handle.alignment);
  check.that(power_of_two, Rule::DESC_BUF_05, at + alignment_at, "alignment", handle.alignment);
  check.that(handle.byte_size == 0 || handle.alignment >= facts::limit::buffer_alignment || !power_of_two,
             Rule::DESC_BUF_06, at + alignment_at, "alignment", handle.alignment, "with byte_size", handle.byte_size);
  check_device(check, handle, at);
  check_memory_class(check, handle, at);
  check.that(handle.reserved == 0, Rule::DESC_BUF_08, at + reserved_at, "reserved handle byte", hex(handle.reserved));
}

/// How many buffers there have to be, with `parameters` of them for the scheme.
void check_exact_count(DescriptorReader& reader, std::uint64_t parameters) {
  constexpr Rule by_scheme[] = {Rule::DESC_BUF_03, Rule::DESC_BUF_10, Rule::DESC_BUF_11, Rule::DESC_BUF_12,
                                Rule::DESC_BUF_13};
  static_assert(std::size(by_scheme) == std::size(facts::schemes));
  Checks& check = reader.check;
  const Descriptor& d = reader.descriptor;
  const std::uint64_t at = d.at.buffer_table;
  const std::uint32_t count = d.buffer_count;
  const std::uint8_t tag = d.layout_tag;
  const facts::Scheme* const scheme = facts::scheme(d.quantization.scheme_tag);
  const Rule dense_rule = scheme == nullptr ? Rule::DESC_BUF_02 : by_scheme[scheme - facts::schemes];
  const bool dense = facts::layout(tag)->addressing == facts::Addressing::dense;
  const bool exact = count == layout_buffers(d) + parameters;
  check.that(exact || !dense, dense_rule, at, "dense layout with buffer_count", count, "where parameter buffers are",
             parameters);
  check.that(exact || tag != facts::layout_tag::coo, Rule::LAY_COO_01, at, "COO with buffer_count", count);
  check.that(exact || tag != facts::layout_tag::csr, Rule::LAY_CSR_02, at, "CSR with buffer_count", count);
  check.that(exact || tag != facts::layout_tag::csc, Rule::LAY_CSC_02, at, "CSC with buffer_count", count);
  check.that(exact || tag != facts::layout_tag::csf, Rule::LAY_CSF_04, at, "CSF with buffer_count", count, "of rank", d.rank);
}

/// What can be said before the scheme of a quantized tensor is known.
void check_count(DescriptorReader& reader) {
  Checks& check = reader.check;
  const Descriptor& d = reader.descriptor;
  const std::uint64_t at = d.at.buffer_table;
  const std::uint32_t count = d.buffer_count;
  check.that(!d.is_head() || count == 0, Rule::CMP_HEAD_01, at, "head with buffer_count", count);
  check.that(d.is_head() || count > 0, Rule::DESC_BUF_01, at, "buffer_count", count);
  if (facts::layout(d.layout_tag) == nullptr || d.is_head() || count == 0) return;
  check.that(count >= layout_buffers(d) || d.layout_tag != facts::layout_tag::block_paged, Rule::LAY_BUFN_02, at,
             "block-paged with buffer_count", count);
  if (!d.has(facts::flag::quantization)) check_exact_count(reader, 0);
}

/// All handles share device and class; for the device of parameter buffers the scheme's placement rules say so.
void check_colocation(DescriptorReader& reader) {
  const Descriptor& d = reader.descriptor;
  const BufferHandle first = d.buffer(0);
  const std::uint64_t own = d.has(facts::flag::quantization) ? layout_buffers(d) : d.buffer_count;
  for (std::size_t i = 1; i < d.buffer_count; ++i) {
    const BufferHandle handle = d.buffer(i);
    reader.check.that(handle.device_tag == first.device_tag, i < own ? Rule::BUF_COLOC_01 : Rule::Q_PLACE_05,
                      handle_at(d, i) + device_at, "device_tag", hex(handle.device_tag), "in a descriptor of device_tag",
                      hex(first.device_tag));
    reader.check.that(handle.memory_class == first.memory_class, Rule::BUF_COLOC_02, handle_at(d, i) + class_at,
                      "memory_class", hex(handle.memory_class), "in a descriptor of memory_class",
                      hex(first.memory_class));
  }
}

/// Sparse, paged and virtual layouts have no first element; their byte_offset was judged in the header.
bool has_first_element(const Descriptor& d) {
  const facts::Layout* const layout = facts::layout(d.layout_tag);
  return layout == nullptr || layout->addressing == facts::Addressing::dense;
}

}  // namespace

BufferHandle Descriptor::buffer(std::size_t index) const {
  const std::uint8_t* const at = handles + index * facts::limit::buffer_handle;
  return {load_little_endian<std::uint64_t>(at), load_little_endian<std::uint32_t>(at + alignment_at),
          at[device_at], at[sync_at], at[class_at], at[reserved_at]};
}

void read_buffer_table(DescriptorReader& reader) {
  Descriptor& d = reader.descriptor;
  d.at.buffer_table = reader.in.position();
  d.buffer_count = reader.in.u8();
  const std::uint64_t handles = reader.in.remaining() / facts::limit::buffer_handle;
  const auto bytes = reader.in.array<std::uint8_t>(d.buffer_count * facts::limit::buffer_handle);
  d.handles = bytes.data();
  if (handles < d.buffer_count) d.buffer_count = static_cast<std::uint8_t>(handles);  // DESC-HDR-05 fails or is waived
  if (!reader.fits()) return;
  check_count(reader);
  d.opaque |= facts::layout(d.layout_tag) != nullptr && d.buffer_count < layout_buffers(d);
  for (std::size_t i = 0; i < d.buffer_count && !reader.check.failed(); ++i)
    check_handle(reader, d.buffer(i), handle_at(d, i));
  if (d.buffer_count == 0) return;
  check_colocation(reader);
  const std::uint64_t size = d.buffer(0).byte_size;
  reader.check.that(d.byte_offset <= size || !has_first_element(d), Rule::DESC_OFF_01, d.at.byte_offset, "byte_offset",
                    d.byte_offset, "in a buffer of byte_size", size);
}

void check_parameter_buffer_count(DescriptorReader& reader) {
  const Descriptor& d = reader.descriptor;
  const bool known = facts::layout(d.layout_tag) != nullptr && facts::scheme(d.quantization.scheme_tag) != nullptr;
  if (known && !d.is_head() && d.buffer_count > 0) check_exact_count(reader, parameter_buffers(d.quantization));
}

}  // namespace hurray::reference
