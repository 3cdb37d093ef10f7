#include "fuzz/mutator/mutator.h"

#include <gtest/gtest.h>

#include <bitset>
#include <cstdio>

#include "fuzz/file_sections.h"
#include "fuzz/mutator/arena.h"
#include "fuzz/mutator/input_kind.h"
#include "generators/matrix.h"
#include "reference/read.h"

namespace hurray::fuzz::mutator {
namespace {

using facts::Surface;
using Input = std::vector<std::uint8_t>;
using Rules = std::bitset<facts::rule_count>;

constexpr Surface surfaces[] = {Surface::descriptor, Surface::bare, Surface::framed, Surface::file};
constexpr std::size_t room = 1u << 16;

const std::vector<Input>& seeds(Surface surface) {
  static const std::array<std::vector<Input>, 4> all = [] {
    std::array<std::vector<Input>, 4> out;
    const auto loaded = generators::load_matrix(HURRAY_SOURCE_DIR, generators::Breadth::standard);
    for (const generators::Case& one : loaded.matrix.cases) {
      const Input bytes = one.bytes();
      if (bytes.size() < room && reference::read(bytes, one.surface, reference::Waivers::none()).accepted()) out[static_cast<std::size_t>(one.surface)].push_back(bytes);
    }
    return out;
  }();
  return all[static_cast<std::size_t>(surface)];
}

Input mutant(Bytes input, Surface surface, std::uint64_t seed, Bytes other = {}, Report* report = nullptr) {
  Input out(room);
  out.resize(mutate(input, other, surface, seed, out, report));
  return out;
}

std::string_view rule_of(Bytes input, Surface surface) {
  const reference::Reading reading = reference::read(input, surface, reference::Waivers::none());
  return reading.violation ? facts::facts_of(reading.violation->rule).id : std::string_view{};
}

/// Rejections that only say that the bytes do not fit together.
bool is_of_framing(std::string_view rule) {
  for (const std::string_view one : {"DESC-HDR-05", "FILE-FLAG-04", "FILE-TRL-01", "FILE-TRL-03", "FRAME-05", "FRAME-07"})
    if (rule == one) return true;
  return false;
}

void count(Rules& rules, Bytes input, Surface surface) {
  const reference::Reading reading = reference::read(input, surface, reference::Waivers::none());
  if (reading.violation) rules.set(static_cast<std::size_t>(reading.violation->rule));
}

TEST(Mutator, gives_the_same_bytes_for_the_same_seed_and_others_for_others) {
  for (const Surface surface : surfaces) {
    const std::vector<Input>& inputs = seeds(surface);
    ASSERT_GT(inputs.size(), 20u);
    std::size_t different = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const Input& input = inputs[seed % inputs.size()];
      const Input first = mutant(input, surface, seed, inputs.front());
      EXPECT_EQ(first, mutant(input, surface, seed, inputs.front()));
      different += first != mutant(input, surface, seed + 1000, inputs.front()) ? 1 : 0;
    }
    EXPECT_GT(different, 180u);
  }
}

TEST(Mutator, stays_in_bounds_on_any_bytes) {
  Random random(7);
  for (int round = 0; round < 4000; ++round) {
    Input input(random.below(400));
    for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random.one_in(3) ? random.next() : random.below(4));
    const Surface surface = surfaces[random.below(4)];
    if (round % 2 == 0 && !seeds(surface).empty()) {
      const Input& seed = seeds(surface)[random.below(seeds(surface).size())];
      input.insert(input.begin(), seed.begin(), seed.begin() + static_cast<std::ptrdiff_t>(random.below(seed.size())));
    }
    Input out(random.below(3000) + 64, 0xA5);
    const std::size_t most = out.size() - 64;
    EXPECT_LE(mutate(input, input, surface, random.next(), std::span(out).first(most)), most);
    for (std::size_t at = most; at < out.size(); ++at) ASSERT_EQ(out[at], 0xA5);
  }
}

TEST(Mutator, writes_over_its_input_in_place) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Input& input = seeds(Surface::bare)[seed % seeds(Surface::bare).size()];
    Input in_place = input;
    in_place.resize(room);
    in_place.resize(mutate(Bytes(in_place).first(input.size()), {}, Surface::bare, seed, in_place));
    EXPECT_EQ(in_place, mutant(input, Surface::bare, seed));
  }
}

TEST(Mutator, gets_most_mutants_past_lengths_and_checksums) {
  for (const Surface surface : surfaces) {
    std::size_t deep = 0, accepted = 0;
    constexpr std::size_t all = 4000;
    for (std::uint64_t seed = 0; seed < all; ++seed) {
      const std::string_view rule = rule_of(mutant(seeds(surface)[seed % seeds(surface).size()], surface, seed), surface);
      deep += is_of_framing(rule) ? 0 : 1;
      accepted += rule.empty() ? 1 : 0;
    }
    std::printf("%-10s %zu of %zu mutants past framing, %zu accepted\n", facts::surface_names[static_cast<std::size_t>(surface)].data(), deep, all, accepted);
    EXPECT_GT(deep, all * 3 / 4);
    EXPECT_GT(accepted, all / 20);
  }
}

TEST(Mutator, does_every_edit_and_leaves_out_every_fix) {
  std::array<std::size_t, edit_count> edits{};
  std::array<std::size_t, fix_count> fixes{};
  std::size_t raw = 0, left_out = 0;
  constexpr std::uint64_t each = 6000;
  for (const Surface surface : surfaces)
    for (std::uint64_t seed = 0; seed < each; ++seed) {
      Report report;
      const std::vector<Input>& inputs = seeds(surface);
      static_cast<void>(mutant(inputs[seed % inputs.size()], surface, seed, inputs[(seed * 7) % inputs.size()], &report));
      for (std::size_t k = 0; k < edit_count; ++k) edits[k] += report.edits >> k & 1u;
      if (report.left_out) ++fixes[static_cast<std::size_t>(*report.left_out)];
      raw += report.raw ? 1 : 0;
      left_out += report.left_out ? 1 : 0;
    }
  for (std::size_t k = 0; k < edit_count; ++k) {
    std::printf("%s %zu, ", edit_names[k].data(), edits[k]);
    EXPECT_GT(edits[k], 20u) << edit_names[k];
  }
  for (std::size_t k = 0; k < fix_count; ++k) EXPECT_GT(fixes[k], 10u) << "fix " << k;
  std::printf("raw %zu, one fix left out %zu\n", raw, left_out);
  EXPECT_NEAR(static_cast<double>(raw), 4 * each / 16.0, 150);
  EXPECT_NEAR(static_cast<double>(left_out), 4 * each * (15.0 / 16) / 8, 200);
}

/// Changes that know nothing of the structure: what the mutator is held against.
Input havoc(Input input, Random& random) {
  for (std::uint64_t left = 1 + random.below(4); left > 0 && !input.empty(); --left) {
    const std::size_t at = random.below(input.size());
    if (random.one_in(4)) input.resize(at);
    else if (random.one_in(2)) input[at] = static_cast<std::uint8_t>(random.next());
    else input[at] = static_cast<std::uint8_t>(input[at] ^ 1u << random.below(8));
  }
  return input;
}

TEST(Mutator, reaches_more_rules_than_changes_of_bytes) {
  for (const Surface surface : surfaces) {
    Rules structured, bytes, empty;
    Random random(3);
    const std::vector<Input>& inputs = seeds(surface);
    constexpr std::uint64_t rounds = 4000;
    Input grown;
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
      const Input& input = inputs[random.below(inputs.size())];
      count(structured, mutant(input, surface, seed, inputs[random.below(inputs.size())]), surface);
      count(bytes, havoc(input, random), surface);
      grown = mutant(grown, surface, seed);
      count(empty, grown, surface);
      if (seed % 8 == 0) grown.clear();
    }
    std::printf("%-10s rules reached in %llu mutants of seeds: %zu, by changes of bytes %zu; from nothing %zu\n",
                facts::surface_names[static_cast<std::size_t>(surface)].data(), static_cast<unsigned long long>(rounds), structured.count(), bytes.count(), empty.count());
    EXPECT_GE(structured.count(), bytes.count());
    EXPECT_GE(empty.count() * 10, structured.count() * 5);
  }
}

/// What fz_kv_index makes of the sections.
void count_sections(Rules& rules, Bytes input) {
  const std::vector<std::uint8_t> file = wrap_sections(input);
  count(rules, file, Surface::file);
}

TEST(Mutator, edits_the_sections_of_a_file_by_their_structure) {
  Rules structured, bytes;
  Random random(5);
  std::size_t accepted = 0;
  std::vector<Input> kept{valid_sections()}, raw{valid_sections()};
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    Input out(4096);
    const Input& input = kept[random.below(kept.size())];
    out.resize(mutate_kind(input, kept[random.below(kept.size())], InputKind::sections, seed, out));
    EXPECT_LE(out.size(), 4096u);
    count_sections(structured, out);
    if (reference::read(wrap_sections(out), Surface::file, reference::Waivers::none()).accepted()) {
      ++accepted;
      if (kept.size() < 64) kept.push_back(out);
    }
    const Input changed = havoc(raw[random.below(raw.size())], random);
    count_sections(bytes, changed);
    if (raw.size() < 64 && reference::read(wrap_sections(changed), Surface::file, reference::Waivers::none()).accepted()) raw.push_back(changed);
  }
  std::printf("sections: rules reached from one valid input in 6000 mutants %zu, by changes of bytes %zu; %zu accepted\n", structured.count(), bytes.count(), accepted);
  EXPECT_GT(structured.count(), bytes.count());
  EXPECT_GT(accepted, 600u);
}

TEST(Mutator, stays_in_bounds_on_any_sections) {
  Random random(9);
  for (int round = 0; round < 3000; ++round) {
    Input input(random.below(200)), out(random.below(400) + 16, 0xA5);
    for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random.one_in(3) ? random.next() : random.below(8));
    const std::size_t most = out.size() - 16, size = mutate_kind(input, input, InputKind::sections, random.next(), std::span(out).first(most));
    EXPECT_LE(size, most);
    for (std::size_t at = most; at < out.size(); ++at) ASSERT_EQ(out[at], 0xA5);
  }
}

TEST(Mutator, keeps_the_prefix_that_a_target_reads) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Input out(room);
    const Input input{1, 9, 9, 9, 9};
    const std::size_t size = mutate_kind(input, {}, InputKind::after_cuts, seed, out);
    ASSERT_GE(size, 5u);
    EXPECT_EQ(mutate_kind(input, {}, InputKind::after_carrier, seed, std::span(out).first(0)), 0u);
  }
  EXPECT_EQ(input_kind("after_carrier"), InputKind::after_carrier);
  EXPECT_FALSE(input_kind("nothing"));
}

}  // namespace
}  // namespace hurray::fuzz::mutator
