// The mutator as AFL++ loads it: AFL_CUSTOM_MUTATOR_LIBRARY=libhurray_afl_mutator.so, with HURRAY_SURFACE the name of an
// InputKind (bare where it is not set). The functions are declared as AFL++'s documentation of custom mutators has them.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "fuzz/mutator/arena.h"
#include "fuzz/mutator/input_kind.h"

namespace {

using namespace hurray::fuzz::mutator;

struct State {
  Random seeds;
  InputKind kind;
  std::vector<std::uint8_t> out;
};

}  // namespace

extern "C" {

void* afl_custom_init(void*, unsigned seed) {
  const char* name = std::getenv("HURRAY_SURFACE");
  const std::optional<InputKind> kind = input_kind(name == nullptr ? "bare" : name);
  if (!kind) {
    std::fprintf(stderr, "HURRAY_SURFACE=%s: descriptor, bare, framed, file, after_carrier, after_cuts and sections are known\n", name);
    return nullptr;
  }
  return new State{Random(seed), *kind, {}};
}

std::size_t afl_custom_fuzz(void* data, std::uint8_t* input, std::size_t size, std::uint8_t** out, std::uint8_t* other, std::size_t other_size, std::size_t most) {
  State& state = *static_cast<State*>(data);
  state.out.resize(most);
  *out = state.out.data();
  return mutate_kind({input, size}, {other, other == nullptr ? 0 : other_size}, state.kind, state.seeds.next(), state.out);
}

void afl_custom_deinit(void* data) { delete static_cast<State*>(data); }

}
