#include "fuzz/near_miss.h"

#include <algorithm>
#include <optional>

#include "fuzz/growth_limits.h"
#include "generators/build.h"
#include "generators/matrix/when.h"

namespace hurray::fuzz {
namespace {

using facts::Rule;
using facts::Surface;
using generators::BoundBase;
using generators::BoundNode;
using nlohmann::json;
using reference::Reading;
using reference::Waivers;

constexpr const char* fault_texts[] = {
#define FAULT(text) text,
#include "faults.inc"
#undef FAULT
};

Rule rule_named(std::string_view id) {
  for (std::size_t at = 0; at < facts::rule_count; ++at)
    if (facts::rules[at].id == id) return static_cast<Rule>(at);
  fail("every fault names a rule", "%.*s", static_cast<int>(id.size()), id.data());
}

struct Fault {
  json entry;
  std::string id, root;
  Rule rule = Rule{};  // the one that is checked: where the entry's own restates another, that other
  std::vector<Rule> forces;
  std::vector<Surface> surfaces;
};

/// Where a fault of the rule shows (the default of generators/matrix), less the bare descriptor: a grown model has more
/// items than one.
std::vector<Surface> surfaces_of(const json& entry) {
  const json& named = entry.at("surfaces");
  const std::string family = entry.at("rule").get<std::string>();
  std::vector<Surface> surfaces;
  if (named.is_null()) {
    if (family.rfind("CMP", 0) == 0) return {Surface::bare, Surface::framed, Surface::file};
    if (family.rfind("STRM", 0) == 0 || family.rfind("FRAME", 0) == 0) return {Surface::framed};
    if (family.rfind("FILE", 0) == 0) return {Surface::file};
    return {Surface::bare, Surface::file};
  }
  for (const Surface surface : {Surface::bare, Surface::framed, Surface::file})
    if (std::find(named.begin(), named.end(), json(facts::surface_names[static_cast<std::size_t>(surface)])) != named.end())
      surfaces.push_back(surface);
  return surfaces;
}

std::vector<Fault> load() {
  std::vector<Fault> faults;
  for (const char* text : fault_texts) {
    Fault fault;
    fault.entry = json::parse(text);
    fault.id = fault.entry.at("rule").get<std::string>() + "/" + fault.entry.at("name").get<std::string>();
    fault.root = generators::root_of(fault.entry).root;
    fault.rule = rule_named(fault.entry.at("checked").get<std::string>());
    for (const json& forced : fault.entry.value("forces", json::array())) fault.forces.push_back(rule_named(forced.get<std::string>()));
    fault.surfaces = surfaces_of(fault.entry);
    if (!fault.surfaces.empty()) faults.push_back(std::move(fault));
  }
  return faults;
}

const std::vector<Fault>& faults() {
  static const std::vector<Fault> all = load();
  return all;
}

/// The nodes where the fault applies; BoundNode::none stands for the model as a whole.
std::vector<std::size_t> places(const Fault& fault, const BoundBase& base) {
  std::vector<std::size_t> found;
  std::string error;
  if (fault.root.empty()) {
    if (generators::applies(fault.entry, fault.root, base, BoundNode::none, error)) found.push_back(BoundNode::none);
    return found;
  }
  for (std::size_t node = 0; node < base.nodes.size(); ++node)
    if (generators::applies(fault.entry, fault.root, base, node, error)) found.push_back(node);
  return found;
}

std::string verdict(const Reading& reading) {
  if (reading.accepted()) return "accepted";
  return std::string(facts::facts_of(reading.violation->rule).id) + " at " + std::to_string(reading.violation->at) + ": " +
         std::string(reading.violation->message.text());
}

std::string problem_with(const Fault& fault, const std::vector<std::uint8_t>& bytes, Surface surface) {
  const auto admitted = [&](Rule rule) { return rule == fault.rule || std::find(fault.forces.begin(), fault.forces.end(), rule) != fault.forces.end(); };
  const std::string where = " on " + std::string(facts::surface_names[static_cast<std::size_t>(surface)]) + ": ";
  const Reading strict = reference::read(bytes, surface, Waivers::none());
  count_verdict(strict);
  if (strict.accepted() || !admitted(strict.violation->rule)) return fault.id + where + verdict(strict);
  const Reading waived = reference::read(bytes, surface, Waivers::none().waive(fault.rule));
  const bool passes = waived.accepted() || (waived.violation->rule != fault.rule && admitted(waived.violation->rule));
  return passes ? "" : fault.id + where + "without that rule " + verdict(waived);
}

std::vector<std::uint8_t> joined(const std::vector<generators::Segment>& segments) {
  std::vector<std::uint8_t> bytes;
  for (const generators::Segment& segment : segments) bytes.insert(bytes.end(), segment.bytes.begin(), segment.bytes.end());
  return bytes;
}

void add_key_values(generators::Model& model) {
  model.file.kv.push_back({"text", 0x01, {{'a', 'b'}}, 0});
  model.file.kv.push_back({"number", 0x02, {{1, 0, 0, 0, 0, 0, 0, 0}}, 0});
  model.file.kv.push_back({"list", 0x07, {{'x'}, {'y', 'z'}}, 0x01});
}

}  // namespace

std::size_t fault_count() { return faults().size(); }

std::optional<BrokenInput> break_model(std::size_t fault, std::uint8_t choice, generators::Decisions& decisions) {
  constexpr std::size_t tries = 24;
  BoundBase base;
  base.model = generators::grow(decisions, near_miss_limits());
  if (choice % 2 == 0) add_key_values(base.model);
  base.entry = generators::print_model(base.model);
  base.bind();
  for (std::size_t step = 0; step < tries; ++step) {
    const Fault& one = faults()[(fault + step) % faults().size()];
    const std::vector<std::size_t> nodes = places(one, base);
    if (nodes.empty()) continue;
    const std::size_t node = nodes[(choice / 2u) % nodes.size()];
    const json edit = node == BoundNode::none ? one.entry.at("edit") : generators::bind_edit(one.entry.at("edit"), one.root, base, node);
    const Surface surface = one.surfaces[(choice / 8u) % one.surfaces.size()];
    const generators::Built built = generators::build(base.entry, edit, surface);
    if (!built.error.empty()) continue;  // the edit speaks of a field that this model has not got
    BrokenInput broken{(fault + step) % faults().size(), one.id, surface, joined(built.segments)};
    if (broken.bytes == generators::write(base.model, surface)) continue;  // the model already said what the edit sets
    return broken;
  }
  return std::nullopt;
}

NearMissOutcome near_miss(std::size_t fault, std::uint8_t choice, generators::Decisions& decisions) {
  const std::optional<BrokenInput> broken = break_model(fault, choice, decisions);
  if (!broken) return {};
  std::string problem = problem_with(faults()[broken->fault], broken->bytes, broken->surface);
  const NearMiss result = problem.empty() ? NearMiss::held : NearMiss::broken;
  return {result, broken->name, std::move(problem)};
}

}  // namespace hurray::fuzz
