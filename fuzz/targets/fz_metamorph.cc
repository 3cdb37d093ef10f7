// One metamorphic law of fuzz/laws.h on a grown model; the first byte picks the law.
#include "fuzz/laws.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hurray;
  if (size == 0) return 0;
  generators::Decisions decisions(fuzz::Bytes(data, size).subspan(1));
  fuzz::check_law(static_cast<fuzz::Law>(data[0] % fuzz::law_names.size()), decisions);
  return 0;
}
