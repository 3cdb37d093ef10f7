// The quantization section and its 4-byte header (metadata.md, Quantization Section; quantization.md).
#include "reference/descriptor_reader.h"

namespace hurray::reference {
namespace {

void check_scheme_tag(DescriptorReader& reader, std::uint64_t at) {
  Checks& check = reader.check;
  const std::uint8_t tag = reader.descriptor.quantization.scheme_tag;
  const bool nested_range = tag >= 0x60 && tag <= 0x7F;
  const bool reserved_range = tag >= 0x80 && tag <= 0xEF;
  const bool is_private = facts::is_private(tag);
  const bool has_own_rule = tag == 0x00 || tag == 0xFF || nested_range || reserved_range || is_private;
  check.that(tag != 0x00, Rule::Q_TAG_01, at, "scheme_tag", hex(tag));
  check.that(tag != 0xFF, Rule::Q_TAG_07, at, "scheme_tag", hex(tag));
  check.that(!nested_range, Rule::Q_TAG_04, at, "reserved scheme_tag", hex(tag));
  check.that(!reserved_range, Rule::Q_TAG_08, at, "reserved scheme_tag", hex(tag));
  check.that(!is_private, Rule::Q_TAG_05, at, "unknown scheme_tag", hex(tag));
  check.that(facts::scheme(tag) != nullptr || has_own_rule, Rule::Q_HDR_01, at, "unknown scheme_tag", hex(tag));
}

void check_version_and_flags(DescriptorReader& reader, std::uint64_t at) {
  namespace tags = facts::scheme_tag;
  Checks& check = reader.check;
  const Quantization& q = reader.descriptor.quantization;
  const std::uint8_t tag = q.scheme_tag;
  constexpr std::uint8_t version = 1;  // of all five schemes
  constexpr std::uint16_t symmetric = 1;
  const bool none = q.flags == 0;
  const bool only_symmetric = (q.flags & ~symmetric) == 0;
  check.that(q.scheme_version <= version, Rule::Q_HDR_03, at + 1, "scheme_version", q.scheme_version);
  check.that(q.scheme_version > 0, Rule::Q_HDR_04, at + 1, "scheme_version", q.scheme_version);
  check.that(none || tag != tags::per_tensor_affine, Rule::Q_HDR_05, at + 2, "per-tensor flags", hex(q.flags));
  check.that(only_symmetric || tag != tags::per_channel_affine, Rule::Q_HDR_10, at + 2, "per-channel flags", hex(q.flags));
  check.that(only_symmetric || tag != tags::per_block_affine, Rule::Q_HDR_11, at + 2, "per-block flags", hex(q.flags));
  check.that(none || tag != tags::nf4, Rule::Q_HDR_12, at + 2, "NF4 flags", hex(q.flags));
  check.that(none || tag != tags::mxfp, Rule::Q_HDR_13, at + 2, "MXFP flags", hex(q.flags));
}

void read_scheme(DescriptorReader& reader) {
  const std::uint8_t tag = reader.descriptor.quantization.scheme_tag;
  if (tag == facts::scheme_tag::per_tensor_affine) read_per_tensor_affine(reader);
  if (tag == facts::scheme_tag::per_channel_affine) read_per_channel_affine(reader);
  if (tag == facts::scheme_tag::per_block_affine) read_per_block_affine(reader);
  if (tag == facts::scheme_tag::nf4) read_nf4(reader);
  if (tag == facts::scheme_tag::mxfp) read_mxfp(reader);
}

}  // namespace

void read_quantization(DescriptorReader& reader) {
  constexpr std::uint64_t header_bytes = 4;
  Cursor& in = reader.in;
  Descriptor& d = reader.descriptor;
  Quantization& q = d.quantization;
  const std::uint64_t declared = in.u32();
  const std::uint64_t at = in.position(), length = std::min(declared, in.remaining());
  reader.check.that(!in.overran() && length == declared, Rule::DESC_Q_02, d.at.quantization, "quantization_length", declared,
                    "where bytes left are", length);
  q.scheme_tag = in.u8();
  q.scheme_version = in.u8();
  q.flags = in.u16();
  const facts::Scheme* const scheme = facts::scheme(q.scheme_tag);
  const std::uint64_t needed = scheme != nullptr && length >= header_bytes ? scheme->length : header_bytes;
  reader.check.that(length >= needed, Rule::Q_HDR_07, d.at.quantization, "quantization_length", length, "for fields of bytes",
                    needed);
  check_scheme_tag(reader, at);
  if (scheme != nullptr) check_version_and_flags(reader, at);
  if (reader.check.failed()) return;
  d.opaque |= scheme == nullptr;
  read_scheme(reader);
  if (!reader.fits()) return;
  const std::uint64_t end = length == declared ? at + length : in.position();  // a length past the end says nothing
  in.skip(end > in.position() ? end - in.position() : 0);  // padding, or an unknown scheme's own fields
  check_parameter_buffer_count(reader);
}

}  // namespace hurray::reference
