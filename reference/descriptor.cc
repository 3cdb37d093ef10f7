#include "reference/descriptor.h"

#include "reference/descriptor_reader.h"

namespace hurray::reference {
namespace {

void read_parts(DescriptorReader& reader) {
  Descriptor& d = reader.descriptor;
  read_header(reader);
  if (reader.check.failed()) return;
  d.at.layout = reader.in.position();
  if (d.buffers_unknown) return;
  read_layout_fields(reader);
  if (reader.check.failed() || d.buffers_unknown) return;
  read_buffer_table(reader);
  read_sections(reader);
  if (!reader.check.failed()) check_storage_size(reader);
}

}  // namespace

bool DescriptorReader::fits() {
  const std::uint64_t there = input.size() - std::min<std::uint64_t>(descriptor.at.start, input.size());
  const std::uint64_t at = in.overran() ? in.position() : descriptor.at.start + 6;
  return check.that(!in.overran() && descriptor.length <= there, Rule::DESC_HDR_05, at,
                    "fields reach beyond descriptor_length", descriptor.length, "or the bytes there, which are", there);
}

DescriptorOutcome read_descriptor(Bytes input, std::uint64_t start, const Waivers& waivers) {
  DescriptorOutcome outcome;
  DescriptorReader reader{input, Cursor(input, start), Checks(waivers), outcome.descriptor};
  read_parts(reader);
  // Where the length is not believed, what was read says where the descriptor ends.
  DescriptorPositions& at = outcome.descriptor.at;
  at.end = std::min<std::uint64_t>(std::max(at.start + outcome.descriptor.length, reader.in.position()), input.size());
  outcome.violation = reader.check.first();
  outcome.lawful = reader.check.lawful();
  if (outcome.violation) outcome.violation->at = std::min<std::uint64_t>(outcome.violation->at, input.size());
  return outcome;
}

}  // namespace hurray::reference
