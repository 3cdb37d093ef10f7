#include "fuzz/laws.h"

#include <algorithm>
#include <string>

#include "fuzz/growth_limits.h"
#include "fuzz/raw.h"
#include "generators/build.h"
#include "generators/oracle.h"
#include "reference/merge.h"

namespace hurray::fuzz {
namespace {

using facts::Surface;
using generators::Decisions;
using generators::Model;
using generators::Node;
using reference::Reading;
using reference::Waivers;

std::array<std::uint64_t, law_names.size()> firings{};

Reading read_back(const std::vector<std::uint8_t>& bytes, Surface surface = Surface::bare) {
  return reference::read(bytes, surface, Waivers::none());
}

const char* name(Law law) { return law_names[static_cast<std::size_t>(law)].data(); }

/// The merged bytes of every top-level item that has values and is small enough; an empty vector elsewhere.
std::vector<std::vector<std::uint8_t>> values(const Reading& reading) {
  constexpr std::uint64_t largest = 1u << 14;
  std::vector<std::vector<std::uint8_t>> all;
  for (const std::uint32_t number : top_level(reading)) {
    const std::optional<std::uint64_t> size = reference::merged_size(reading, number);
    std::vector<std::uint8_t> merged(size && *size <= largest ? static_cast<std::size_t>(*size) : 0);
    if (size && *size <= largest && reference::merge(reading, number, merged) != reference::ValueStatus::ok) merged.clear();
    all.push_back(std::move(merged));
  }
  return all;
}

Node* first_partition(std::vector<Node>& nodes, std::size_t least_members) {
  for (Node& node : nodes) {
    if (node.head && node.head->rule == facts::composition_rule::partition && node.members.size() >= least_members) return &node;
    if (Node* inner = first_partition(node.members, least_members)) return inner;
  }
  return nullptr;
}

void expect_same_values(Law law, const std::vector<std::uint8_t>& before, const std::vector<std::uint8_t>& after) {
  const Reading old_reading = read_back(before);
  const Reading new_reading = read_back(after);
  if (old_reading.accepted() != new_reading.accepted()) fail(name(law), "the verdict changed");
  if (values(old_reading) != values(new_reading)) fail(name(law), "the values changed");
}

bool permuted_members(Model model, Decisions& decisions) {
  const std::vector<std::uint8_t> before = generators::write(model, Surface::bare);
  Node* head = first_partition(model.items, 2);
  if (head == nullptr) return false;
  std::rotate(head->members.begin(), head->members.begin() + static_cast<std::ptrdiff_t>(1 + decisions.below(head->members.size() - 1)), head->members.end());
  expect_same_values(Law::permuted_members, before, generators::write(model, Surface::bare));
  return true;
}

/// Only a row-major, unquantized member: its halves along the first axis are runs of its elements.
bool can_split(const Node& member) {
  return !member.head && std::holds_alternative<generators::RowMajor>(member.layout) && member.scheme.index() == 0 && !member.shape.empty() &&
         member.shape[0] >= 2 && !member.statistics && !member.elements.empty();
}

bool split_member(Model model, Decisions& decisions) {
  const std::vector<std::uint8_t> before = generators::write(model, Surface::bare);
  Node* head = first_partition(model.items, 1);
  if (head == nullptr) return false;
  const auto found = std::find_if(head->members.begin(), head->members.end(), can_split);
  if (found == head->members.end()) return false;
  Node upper = *found, lower = *found;
  upper.shape[0] = 1 + decisions.below(found->shape[0] - 1);
  lower.shape[0] -= upper.shape[0];
  lower.shard->offset[0] += upper.shape[0];
  const auto cut = static_cast<std::ptrdiff_t>(found->elements.size() / found->shape[0] * upper.shape[0]);
  upper.elements.assign(found->elements.begin(), found->elements.begin() + cut);
  lower.elements.assign(found->elements.begin() + cut, found->elements.end());
  *found = std::move(upper);
  head->members.push_back(std::move(lower));
  expect_same_values(Law::split_member, before, generators::write(model, Surface::bare));
  return true;
}

bool same_on_carriers(const Model& model) {
  const std::vector<std::uint8_t> bare = generators::write(model, Surface::bare);
  const std::vector<std::uint8_t> framed = generators::write(model, Surface::framed);
  const std::vector<std::uint8_t> file = generators::write(model, Surface::file);
  const Reading by_bare = read_back(bare), by_framed = read_back(framed, Surface::framed), by_file = read_back(file, Surface::file);
  if (!by_bare.accepted() || !by_framed.accepted() || !by_file.accepted()) fail(name(Law::same_on_carriers), "a carrier rejects");
  const auto expected = values(by_bare);
  if (values(by_framed) != expected || values(by_file) != expected) fail(name(Law::same_on_carriers), "the values differ");
  return true;
}

/// Flips one byte, then waives a rule that is not the one broken, and the one that is.
bool waivers(Law law, const Model& model, Decisions& decisions) {
  std::vector<std::uint8_t> bytes = generators::write(model, Surface::bare);
  if (bytes.empty()) return false;
  bytes[decisions.below(bytes.size())] ^= static_cast<std::uint8_t>(1u << decisions.below(8));
  const Reading strict = read_back(bytes);
  if (law == Law::narrowed_violation) {
    if (strict.accepted()) return false;
    const Reading waived = reference::read(bytes, Surface::bare, Waivers::none().waive(strict.violation->rule));
    if (!waived.accepted() && waived.violation->rule == strict.violation->rule) fail(name(law), "the waived rule is still reported");
    return true;
  }
  const auto rule = static_cast<facts::Rule>(decisions.below(facts::rule_count));
  if (!strict.accepted() && strict.violation->rule == rule) return false;
  // descriptor_length bounds the sections: what breaks it may first show as a section's own length, which fits without it.
  if (!strict.accepted() && rule == facts::Rule::DESC_HDR_05) return false;
  const Reading waived = reference::read(bytes, Surface::bare, Waivers::none().waive(rule));
  if (strict.accepted() != waived.accepted()) fail(name(law), "waiving %s changed the verdict", std::string(facts::facts_of(rule).id).c_str());
  return true;
}

}  // namespace

bool check_law(Law law, Decisions& decisions) {
  const std::uint64_t seed = decisions.bits(16);
  const Model model = generators::grow(decisions, tree_limits());
  std::uint8_t choices[2] = {static_cast<std::uint8_t>(seed), static_cast<std::uint8_t>(seed >> 8)};
  std::uint8_t widened[8];
  for (std::size_t at = 0; at < 8; ++at) widened[at] = static_cast<std::uint8_t>(choices[at % 2] * (2 * at + 1));
  Decisions more{std::span<const std::uint8_t>(widened)};
  bool fired = false;
  switch (law) {
    case Law::permuted_members: fired = permuted_members(model, more); break;
    case Law::split_member: fired = split_member(model, more); break;
    case Law::same_on_carriers: fired = same_on_carriers(model); break;
    case Law::untriggered_waiver:
    case Law::narrowed_violation: fired = waivers(law, model, more); break;
  }
  if (fired) ++firings[static_cast<std::size_t>(law)];
  return fired;
}

const std::array<std::uint64_t, law_names.size()>& law_firings() { return firings; }

}  // namespace hurray::fuzz
