#include "reference/read.h"

#include "reference/composite.h"
#include "reference/stream_parser.h"
#include "reference/surfaces.h"

namespace hurray::reference {

void read_descriptor_surface(Bytes input, const Waivers& waivers, Reading& reading) {
  const DescriptorOutcome outcome = read_descriptor(input, 0, waivers);
  reading.violation = outcome.violation ? outcome.violation : check_lone_head(outcome.descriptor, waivers);
  if (reading.violation) return;
  Tensor tensor;
  tensor.descriptor = outcome.descriptor;
  tensor.skip = 1;
  tensor.complete = !tensor.descriptor.is_head() || tensor.descriptor.layout.member_count == 0;
  reading.partial = tensor.descriptor.opaque;
  reading.tensors.push_back(tensor);
}

namespace {

void read_stream(Bytes input, StreamParser& parser) {
  parser.advance(input);
  parser.finish();
}

}  // namespace

Reading read(Bytes input, Surface surface, const Waivers& waivers) {
  Reading reading;
  switch (surface) {
    case Surface::descriptor:
      read_descriptor_surface(input, waivers, reading);
      break;
    case Surface::bare:
      read_stream(input, *make_bare_parser(waivers, reading));
      break;
    case Surface::framed:
      read_stream(input, *make_framed_parser(waivers, reading));
      break;
    case Surface::file:
      read_file(input, waivers, reading);
      break;
  }
  return reading;
}

}  // namespace hurray::reference
