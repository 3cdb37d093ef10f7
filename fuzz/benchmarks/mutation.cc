// mutation_benchmark ROOT [EXECUTIONS]: how far the mutator gets from nothing, and what it costs.
// For each surface the rules reached from an empty corpus (median of ten seeds), as a share of those that the cases of
// ROOT/conformance/ reach there; and executions per second with a target that does nothing and with the real one.
#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "fuzz/mutator/arena.h"
#include "fuzz/raw.h"
#include "fuzz/mutator/mutator.h"
#include "generators/matrix.h"

namespace {

using namespace hurray;
using facts::Surface;
using Input = std::vector<std::uint8_t>;
using Rules = std::bitset<facts::rule_count>;
using Clock = std::chrono::steady_clock;

constexpr Surface surfaces[] = {Surface::descriptor, Surface::bare, Surface::framed, Surface::file};
constexpr std::size_t room = 1u << 15, most_accepted = 64, seeds = 10;

/// What is kept: an input for each rule that was new, and the latest that were accepted. No instrumentation is asked, so
/// that an engine, which keeps more, has the easier task.
class Corpus {
 public:
  explicit Corpus(std::uint64_t seed) : random_(seed) {}

  const Input& any() const {
    static const Input nothing;
    return inputs_.empty() ? nothing : inputs_[random_.below(inputs_.size())];
  }
  void offer(const Input& input, const reference::Reading& reading) {
    if (reading.violation && !rules_.test(static_cast<std::size_t>(reading.violation->rule))) {
      rules_.set(static_cast<std::size_t>(reading.violation->rule));
      inputs_.push_back(input);
    }
    if (reading.violation || !random_.one_in(4)) return;
    if (accepted_.size() < most_accepted) accepted_.push_back(inputs_.size()), inputs_.push_back(input);
    else inputs_[accepted_[random_.below(most_accepted)]] = input;
  }
  const Rules& rules() const { return rules_; }

 private:
  mutable fuzz::mutator::Random random_;
  std::vector<Input> inputs_;
  std::vector<std::size_t> accepted_;
  Rules rules_;
};

Input mutant(const Input& input, const Input& other, Surface surface, std::uint64_t seed) {
  Input out(room);
  out.resize(fuzz::mutator::mutate(input, other, surface, seed, out));
  return out;
}

Rules from_nothing(Surface surface, std::uint64_t seed, std::uint64_t executions) {
  Corpus corpus(seed);
  fuzz::mutator::Random random(seed + 100);
  for (std::uint64_t at = 0; at < executions; ++at) {
    const Input input = mutant(random.one_in(16) ? Input{} : corpus.any(), corpus.any(), surface, random.next());
    corpus.offer(input, reference::read(input, surface, reference::Waivers::none()));
  }
  return corpus.rules();
}

struct Start {
  Rules rules;
  std::vector<Input> inputs;
};

Start cases_on(const generators::Matrix& matrix, Surface surface) {
  Start start;
  for (const generators::Case& one : matrix.cases) {
    if (one.surface != surface) continue;
    Input input = one.bytes();
    const reference::Reading reading = reference::read(input, surface, reference::Waivers::none());
    if (reading.violation) start.rules.set(static_cast<std::size_t>(reading.violation->rule));
    if (input.size() <= room) start.inputs.push_back(std::move(input));
  }
  return start;
}

/// Executions per second, with the property of the raw targets or with nothing after the mutator.
double speed(Surface surface, const std::vector<Input>& inputs, bool with_property) {
  constexpr std::uint64_t executions = 40000;
  std::vector<std::uint8_t> out(room);
  const auto start = Clock::now();
  for (std::uint64_t seed = 0; seed < executions; ++seed) {
    const std::size_t size = fuzz::mutator::mutate(inputs[seed % inputs.size()], {}, surface, seed, out);
    if (with_property) fuzz::check_any_bytes(fuzz::Bytes(out).first(size), surface);
  }
  return executions / std::chrono::duration<double>(Clock::now() - start).count();
}

void measure(const Start& start, Surface surface, std::uint64_t executions, bool list_missing) {
  std::array<std::size_t, seeds> counts{};
  std::array<std::size_t, facts::rule_count> reached_by{};
  Rules all;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const Rules rules = from_nothing(surface, seed, executions);
    counts[seed] = (rules & start.rules).count();
    all |= rules;
    for (std::size_t rule = 0; rule < facts::rule_count; ++rule) reached_by[rule] += rules.test(rule) ? 1 : 0;
  }
  std::sort(counts.begin(), counts.end());
  const std::size_t median = counts[seeds / 2];
  const double empty = speed(surface, start.inputs, false), real = speed(surface, start.inputs, true);
  std::printf("%-10s %3zu of %3zu rules (%2.0f %%; %zu to %zu); all seeds together %3zu, and %zu that no case reaches there; mutated %6.0f/s, empty with the mutator %6.0f/s (%2.0f %%)\n",
              facts::surface_names[static_cast<std::size_t>(surface)].data(), median, start.rules.count(),
              100.0 * static_cast<double>(median) / static_cast<double>(start.rules.count()), counts.front(), counts.back(), (all & start.rules).count(),
              (all & ~start.rules).count(), real, empty, 100 * real / empty);
  for (std::size_t rule = 0; list_missing && rule < facts::rule_count; ++rule)
    if (start.rules.test(rule) && reached_by[rule] < seeds / 2) std::printf("  reached by %zu of %zu seeds: %s\n", reached_by[rule], seeds, facts::rules[rule].id.data());
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs("usage: mutation_benchmark ROOT [EXECUTIONS]; HURRAY_RULES=1 lists what fewer than half of the seeds reached\n", stderr);
    return 4;
  }
  const std::uint64_t executions = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 20000;
  const auto loaded = generators::load_matrix(arguments[1], generators::Breadth::standard);
  if (!loaded.errors.empty()) return 4;
  std::printf("%llu executions from an empty corpus, median of %zu seeds\n", static_cast<unsigned long long>(executions), seeds);
  for (const Surface surface : surfaces) measure(cases_on(loaded.matrix, surface), surface, executions, std::getenv("HURRAY_RULES") != nullptr);
  return 0;
}
