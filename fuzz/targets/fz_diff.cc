// The reference and any reader behind the C door say the same of every input, or a reading or the ledger says why not.
#include <cstdlib>

#include "fuzz/diff/input.h"
#include "fuzz/diff/session.h"
#include "fuzz/mutator/mutator.h"

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
/// closer. Half of the inputs are therefore drawn anew, from all models and faults alike. Of the others, those that are an
/// input as it stands are mostly mutated by their structure, behind the byte that says what they are.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  constexpr std::uint8_t surface_bits = 3, made_bit = 1u << 5;  // fuzz/diff/input.h
  if (seed % 8 > 0 && seed % 2 == 0 && size > 0 && (data[0] & made_bit) == 0)
    return 1 + hurray::fuzz::mutator::mutate({data + 1, size - 1}, {}, static_cast<hurray::facts::Surface>(data[0] & surface_bits), seed, {data + 1, most - 1});
  if (seed % 2 == 0 || most < hurray::fuzz::longest_draw) return LLVMFuzzerMutate == nullptr ? size : LLVMFuzzerMutate(data, size, most);
  return hurray::fuzz::draw_input({data, most}, seed / 2);
}
