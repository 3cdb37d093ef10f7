// Decisions become a model, the model becomes bytes: they must be accepted on every carrier, and the view is the model.
#include "fuzz/growth_limits.h"
#include "fuzz/same_view.h"
#include "generators/build.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hurray;
  if (size == 0) return 0;
  constexpr facts::Surface carriers[] = {facts::Surface::bare, facts::Surface::framed, facts::Surface::file};
  const facts::Surface surface = carriers[data[0] % 3];
  generators::Decisions decisions(fuzz::Bytes(data, size).subspan(1));
  const generators::Model model = generators::grow(decisions, fuzz::tree_limits());
  const std::vector<std::uint8_t> bytes = generators::write(model, surface);
  const reference::Reading reading = reference::read(bytes, surface, reference::Waivers::none());
  fuzz::expect_view(model, reading, "what the writer writes, the reader accepts and understands");
  return 0;
}
