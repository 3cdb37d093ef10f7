#include "fuzz/mutator/edit.h"
#include "fuzz/mutator/encode.h"

namespace hurray::fuzz::mutator {
namespace {

/// Bytes without regard to what they are: what a fuzzer does that knows nothing.
std::size_t change_bytes(Random& random, Bytes input, Bytes other, std::span<std::uint8_t> out) {
  std::size_t size = std::min(input.size(), out.size());
  std::copy_n(input.begin(), size, out.begin());
  if (out.empty()) return 0;
  for (std::uint64_t left = 1 + random.below(4); left > 0; --left) {
    const std::size_t where = static_cast<std::size_t>(random.below(size));
    const std::size_t width = std::min<std::size_t>(std::size_t{1} << random.below(4), size - std::min(size, where));
    switch (random.below(6)) {
      case 0: store(out.first(size), where, width, random.next()); break;
      case 1: store(out.first(size), where, width, boundary(random, load(out.first(size), where, width), std::max<std::size_t>(width, 1))); break;
      case 2: size -= std::min<std::size_t>(size - where, static_cast<std::size_t>(random.below(17))); break;
      case 3: {  // a run more
        const std::size_t more = std::min<std::size_t>(out.size() - size, static_cast<std::size_t>(1 + random.below(8)));
        std::copy_backward(out.begin() + static_cast<std::ptrdiff_t>(where), out.begin() + static_cast<std::ptrdiff_t>(size), out.begin() + static_cast<std::ptrdiff_t>(size + more));
        for (std::size_t k = 0; k < more; ++k) out[where + k] = static_cast<std::uint8_t>(random.next());
        size += more;
        break;
      }
      case 4: if (!other.empty() && size > 0) store(out.first(size), where, 8, load(other, static_cast<std::size_t>(random.below(other.size())), 8)); break;
      default: if (size > 0) out[where] = static_cast<std::uint8_t>(out[where] ^ 1u << random.below(8)); break;
    }
  }
  return size;
}

/// Raw changes need the input where it is; encoding writes over it.
Bytes moved_out_of(Arena& arena, Bytes bytes) { return arena.copy(bytes.first(std::min<std::size_t>(bytes.size(), 1u << 16))); }

}  // namespace

std::size_t mutate(Bytes input, Bytes other, facts::Surface surface, std::uint64_t seed, std::span<std::uint8_t> out, Report* report) {
  constexpr std::uint64_t raw_in = 16, left_out_in = 8, anew_in = 4;
  Report ignored;
  Report& done = report == nullptr ? ignored : *report;
  Arena arena;
  Random random(seed);
  input = moved_out_of(arena, input);
  if (!input.empty() && random.one_in(raw_in)) {
    done.raw = true;
    return change_bytes(random, input, other, out);
  }
  Tree tree(arena);
  tree.nodes.reserve(most_nodes);
  // What an input has wrong stays wrong in its mutants and hides what else they break: some start from nothing.
  if (!random.one_in(anew_in)) decode(input, surface, tree);
  Editing editing{tree, surface, other, random, Maker{arena, random, surface == facts::Surface::descriptor}, done, {}};
  const bool was_empty = tree.nodes.empty();
  if (was_empty) editing.maker.anything(tree.nodes, 0);
  const bool leave_out = random.one_in(left_out_in);
  std::uint64_t edits = random.below(8);
  edits = leave_out ? random.below(2) : edits < 5 ? 1 : edits < 7 ? 2 : 3;
  if (was_empty && random.one_in(2)) edits = 0;
  for (; edits > 0; --edits) apply_any(editing);
  if (leave_out) {
    editing.plan.left_out = any_fix(random, surface);
    editing.plan.occurrence = random.one_in(2) ? 0 : random.below(tree.nodes.size());
    done.left_out = editing.plan.left_out;
  }
  std::size_t size = encode(tree, surface, editing.plan, random, out);
  if (editing.cut == Cut::short_) size -= static_cast<std::size_t>(random.one_in(2) ? random.below(size + 1) : random.below(std::min<std::size_t>(size, 40) + 1));
  if (editing.cut == Cut::longer)
    for (std::uint64_t left = 1 + random.below(24); left > 0 && size < out.size(); --left) out[size++] = static_cast<std::uint8_t>(random.next());
  return size;
}

}  // namespace hurray::fuzz::mutator
