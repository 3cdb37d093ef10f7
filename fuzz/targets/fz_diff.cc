// The reference and any reader behind the C door say the same of every input, or a reading or the ledger says why not.
#include <cstdlib>

#include "fuzz/diff/input.h"
#include "fuzz/diff/session.h"

namespace {

hurray::fuzz::Session& session() {
  static hurray::fuzz::Session one;
  return one;
}

void list_stale() { session().list_stale(); }

}  // namespace

/// The engine's own mutation; none is linked where inputs are only replayed.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  hurray::fuzz::take_options(count, arguments);
  session();
  std::atexit(list_stale);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::optional<hurray::fuzz::OwnedInput> input = hurray::fuzz::decode_input({data, size});
  if (!input) return 0;
  if (const auto found = hurray::fuzz::compare(session().reader(), input->view())) session().report(*found, input->bytes);
  return 0;
}

/// A reader brings no coverage of its own unless it was built with it, so nothing tells the engine that it is getting
/// closer. Half of the inputs are therefore drawn anew, from all models and faults alike.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (seed % 2 == 0 || most < hurray::fuzz::longest_draw) return LLVMFuzzerMutate == nullptr ? size : LLVMFuzzerMutate(data, size, most);
  return hurray::fuzz::draw_input({data, most}, seed / 2);
}
