// One reader per surface; read() picks among them.
#pragma once

#include "reference/read.h"

namespace hurray::reference {

void read_descriptor_surface(Bytes input, const Waivers& waivers, Reading& reading);
void read_bare(Bytes input, const Waivers& waivers, Reading& reading);
void read_framed(Bytes input, const Waivers& waivers, Reading& reading);
void read_file(Bytes input, const Waivers& waivers, Reading& reading);

}  // namespace hurray::reference
