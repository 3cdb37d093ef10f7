// Any bytes as a bare stream.
#include "fuzz/raw.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hurray::fuzz::check_any_bytes({data, size}, hurray::facts::Surface::bare);
  return 0;
}
