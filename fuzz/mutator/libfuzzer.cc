// The mutator behind libFuzzer's hooks. HURRAY_INPUT is what the target's bytes are: see input_kind.h.
#include "fuzz/mutator/input_kind.h"

/// Engines that only take over the hooks have none.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using namespace hurray::fuzz::mutator;

constexpr InputKind kind = InputKind::HURRAY_INPUT;

/// The engine's own changes know the comparisons that the target made, and its dictionary; the tree's do not.
constexpr unsigned engine_in = 16;

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  if (LLVMFuzzerMutate != nullptr && seed % engine_in == 0 && size > 0) return LLVMFuzzerMutate(data, size, most);
  return mutate_kind({data, size}, {}, kind, seed, {data, most});
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* left, std::size_t left_size, const std::uint8_t* right, std::size_t right_size,
                                                 std::uint8_t* out, std::size_t most, unsigned seed) {
  return mutate_kind({left, left_size}, {right, right_size}, kind, seed, {out, most});
}
