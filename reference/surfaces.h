// The surfaces that are read as a whole; streams have parsers of their own (stream_parser.h).
#pragma once

#include "reference/read.h"

namespace hurray::reference {

void read_descriptor_surface(Bytes input, const Waivers& waivers, Reading& reading);
void read_file(Bytes input, const Waivers& waivers, Reading& reading);

}  // namespace hurray::reference
