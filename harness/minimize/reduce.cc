#include "harness/minimize/reduce.h"

#include <algorithm>

namespace hurray::harness {
namespace {

std::size_t set_bytes(const std::vector<std::uint8_t>& bytes) {
  return bytes.size() - static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), std::uint8_t{0}));
}

bool is_better(const std::vector<std::uint8_t>& candidate, const std::vector<std::uint8_t>& best) {
  if (candidate.size() != best.size()) return candidate.size() < best.size();
  return set_bytes(candidate) < set_bytes(best);
}

/// Asks, and takes the candidate over where it is better and does the same.
bool take(std::vector<std::uint8_t> candidate, const ReductionPlan& plan, Reduction& reduction) {
  if (reduction.tries >= plan.most_tries || !is_better(candidate, reduction.bytes)) return false;
  ++reduction.tries;
  const bool kept = plan.keeps(candidate);
  if (kept) reduction.bytes = std::move(candidate);
  if (plan.progress) plan.progress(reduction.tries, reduction.bytes.size());
  return kept;
}

}  // namespace

bool Reducer::attempt(Tree candidate) {
  if (!take(candidate.bytes(), plan_, reduction_)) return false;
  tree_ = std::move(candidate);
  return true;
}

void reduce_bytes(const ReductionPlan& plan, Reduction& reduction) {
  for (std::size_t run = std::max<std::size_t>(reduction.bytes.size() / 2, 1); run > 0; run /= 2)
    for (std::size_t at = 0; at < reduction.bytes.size() && reduction.tries < plan.most_tries;) {
      std::vector<std::uint8_t> candidate = reduction.bytes;
      const auto begin = candidate.begin() + static_cast<std::ptrdiff_t>(at);
      candidate.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(run, candidate.size() - at)));
      if (!take(std::move(candidate), plan, reduction)) at += run;
    }
  for (std::size_t run = 64; run > 0; run /= 4)
    for (std::size_t at = 0; at < reduction.bytes.size() && reduction.tries < plan.most_tries; at += run) {
      std::vector<std::uint8_t> candidate = reduction.bytes;
      const auto begin = candidate.begin() + static_cast<std::ptrdiff_t>(at);
      std::fill(begin, begin + static_cast<std::ptrdiff_t>(std::min(run, candidate.size() - at)), std::uint8_t{0});
      take(std::move(candidate), plan, reduction);
    }
}

Reduction reduce(std::span<const std::uint8_t> input, const ReductionPlan& plan) {
  Reduction reduction;
  reduction.bytes.assign(input.begin(), input.end());
  // What zeros have made of some fields shows only when the bytes are taken apart anew.
  constexpr int most_rounds = 4;
  for (int round = 0; round < most_rounds; ++round) {
    const std::vector<std::uint8_t> before = reduction.bytes;
    std::optional<Tree> tree = Tree::parse(reduction.bytes, plan.surface);
    if (round == 0) reduction.parsed = tree.has_value();
    if (!tree) break;
    Reducer reducer(std::move(*tree), plan, reduction);
    for (bool further = true; further && !reducer.exhausted();) {
      further = false;
      for (const auto pass : {reduce_items, reduce_members, reduce_carrier, reduce_nodes, reduce_axes}) further = pass(reducer) || further;
    }
    reduce_fields(reducer);
    if (reduction.bytes == before) break;
  }
  constexpr std::size_t small_enough = 4096;  // beyond it single bytes are not worth their tries
  if (!reduction.parsed || reduction.bytes.size() <= small_enough) reduce_bytes(plan, reduction);
  return reduction;
}

}  // namespace hurray::harness
