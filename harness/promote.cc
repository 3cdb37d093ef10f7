#include "harness/promote.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "generators/build.h"
#include "generators/corpus/isolate.h"
#include "generators/corpus/vectors.h"
#include "harness/hex.h"
#include "harness/label.h"
#include "reference/read.h"

namespace hurray::harness {
namespace {

using generators::Matrix;
using generators::Segment;
using nlohmann::json;

std::string_view surface_text(facts::Surface surface) { return facts::surface_names[static_cast<std::size_t>(surface)]; }

json fields_of(const std::vector<std::uint8_t>& bytes, facts::Surface surface) {
  json fields = json::array();
  for (const Segment& segment : label(bytes, surface)) fields.push_back({segment.label, generators::folded_hex(segment.bytes)});
  return fields;
}

template <typename Row>
void require(std::set<std::string>& names, const Row* known) {
  if (known != nullptr) names.emplace(known->name);
}

/// What stands in the twin: a reader that does not declare it is not asked.
json requirements(const std::vector<std::uint8_t>& bytes, facts::Surface surface) {
  std::set<std::string> types, layouts, schemes, devices;
  for (const reference::Tensor& tensor : reference::read(bytes, surface, reference::Waivers::none()).tensors) {
    const reference::Descriptor& d = tensor.descriptor;
    require(types, facts::element_type(d.type_tag));
    require(layouts, facts::layout(d.layout_tag));
    require(schemes, facts::scheme(d.quantization.scheme_tag));
    for (std::size_t k = 0; k < d.buffer_count; ++k) require(devices, facts::device(d.buffer(k).device_tag));
  }
  return {{"types", types}, {"layouts", layouts}, {"schemes", schemes}, {"devices", devices}};
}

json raw_edit(const std::string& label, std::span<const std::uint8_t> bytes) { return {{"raw", label}, {"bytes", hex_of(bytes, "")}}; }

/// The edits that make `input` of the twin: the fields that differ where both have the same ones, else everything between what
/// they have in common at both ends.
json edits_between(const std::vector<std::uint8_t>& twin, const std::vector<std::uint8_t>& input, facts::Surface surface) {
  const std::vector<Segment> from = label(twin, surface), to = label(input, surface);
  const bool alike = std::equal(from.begin(), from.end(), to.begin(), to.end(),
                                [](const Segment& a, const Segment& b) { return a.label == b.label && a.bytes.size() == b.bytes.size(); });
  json edits = json::array();
  if (alike) {
    for (std::size_t at = 0; at < from.size(); ++at)
      if (from[at].bytes != to[at].bytes) edits.push_back(raw_edit(to[at].label, to[at].bytes));
    return edits;
  }
  std::size_t head = 0, first = 0;  // bytes and fields that both begin with
  const auto same_at = [&](std::size_t start, const Segment& field) {
    return start + field.bytes.size() <= input.size() && std::equal(field.bytes.begin(), field.bytes.end(), input.begin() + static_cast<std::ptrdiff_t>(start));
  };
  while (first < from.size() && same_at(head, from[first])) head += from[first++].bytes.size();
  std::size_t tail = input.size(), last = from.size();
  while (last > first + 1 && tail >= head + from[last - 1].bytes.size() && same_at(tail - from[last - 1].bytes.size(), from[last - 1]))
    tail -= from[--last].bytes.size();
  if (first == from.size()) {
    edits.push_back({{"append_bytes", hex_of(std::span(input).subspan(head), "")}});
    return edits;
  }
  edits.push_back(raw_edit(from[first].label, std::span(input).subspan(head, tail - head)));
  for (std::size_t at = first + 1; at < last; ++at) edits.push_back(raw_edit(from[at].label, {}));
  return edits;
}

/// The smallest input of the surface that every reader must accept.
std::vector<std::uint8_t> smallest_base(const Matrix& matrix, facts::Surface surface) {
  std::vector<std::uint8_t> best;
  for (const generators::Case& one : matrix.cases) {
    if (!one.is_base() || one.surface != surface || one.expect[0].verdict != generators::Verdict::accept) continue;
    std::vector<std::uint8_t> bytes = one.bytes();
    if (best.empty() || bytes.size() < best.size()) best = std::move(bytes);
  }
  return best;
}

/// Rules that the input breaks besides `rule`.
std::vector<std::string> other_rules(const Finding& finding, facts::Rule rule) {
  std::vector<std::string> others;
  reference::Waivers waivers = reference::Waivers::none().waive(rule);
  for (int round = 0; round < 16; ++round) {
    const reference::Reading reading = reference::read(finding.bytes, finding.surface, waivers);
    if (reading.accepted() || waivers.has(reading.violation->rule)) break;
    others.emplace_back(facts::facts_of(reading.violation->rule).id);
    waivers.waive(reading.violation->rule);
  }
  return others;
}

std::string twin_words(const Twin& twin, std::size_t edits) {
  if (twin.bytes.empty())
    return "no valid input is near: the twin is the smallest of its surface, so a reader is scored on this case once it accepts that";
  if (twin.edits == 1) return edits == 1 ? "the twin is one edit away" : fmt::format("the twin is one edit away, with {} fields that follow from it", edits - 1);
  return fmt::format("no valid input is one edit away: the twin is {} edits away, so a reader that fails the case may do so for any of them", twin.edits);
}

void make_entries(const Finding& finding, const std::vector<std::uint8_t>& twin, std::size_t number, Promotion& out) {
  const std::string name = finding.name.empty() ? fmt::format("promoted-{:04}", number) : finding.name;
  const std::string base = fmt::format("promoted-{:04}-twin", number);
  out.base = {{"name", base},
              {"why", fmt::format("the valid twin of {}/{}", finding.rule, name)},
              {"raw", {{"surface", surface_text(finding.surface)}, {"fields", fields_of(twin, finding.surface)}}},
              {"requires", requirements(twin, finding.surface)}};
  out.entry = {{"id", finding.rule + "/" + name}, {"rule", finding.rule}, {"base", base},
               {"edit", edits_between(twin, finding.bytes, finding.surface)}, {"expect", {{"strict", "reject"}}},
               {"surfaces", {surface_text(finding.surface)}}, {"notes", finding.why}};
}

}  // namespace

std::string known_case(const Finding& finding, const Matrix& matrix) {
  for (const generators::Case& one : matrix.cases)
    if (one.surface == finding.surface && one.bytes() == finding.bytes) return one.id;
  return {};
}

Promotion promote(const Finding& finding, const Matrix& matrix, std::size_t number) {
  Promotion out;
  const auto rule = std::find_if(matrix.rules.begin(), matrix.rules.end(), [&](const auto& one) { return one.id == finding.rule; });
  if (rule == matrix.rules.end()) {
    out.error = fmt::format("there is no rule {}; hurray-conform rules lists them", finding.rule);
    return out;
  }
  const reference::Reading reading = reference::read(finding.bytes, finding.surface, reference::Waivers::none());
  if (reading.accepted()) {
    out.error = "the reference accepts it: a valid input that readers get wrong is described as a base or a case with a lookup or merge, whose values the oracle computes";
    return out;
  }
  const std::string first(facts::facts_of(reading.violation->rule).id);
  if (first != generators::checked_rule(matrix, finding.rule)) {
    out.error = fmt::format("the reference rejects it with {} (byte {}: {}), not with {}", first, reading.violation->at, reading.violation->message.text(), finding.rule);
    return out;
  }
  if (rule->rule_class > facts::RuleClass::reject_should) {
    out.error = fmt::format("{} does not ask readers to reject, so a rejected input cannot show it", finding.rule);
    return out;
  }
  const Twin twin = nearest_twin(finding.bytes, finding.surface);
  make_entries(finding, twin.bytes.empty() ? smallest_base(matrix, finding.surface) : twin.bytes, number, out);
  out.twin = twin_words(twin, out.entry["edit"].size());
  if (const std::vector<std::string> others = other_rules(finding, reading.violation->rule); !others.empty()) out.entry["forces"] = others;
  out.entry["notes"] = finding.why.empty() ? out.twin : finding.why + "; " + out.twin;
  const generators::Built built = generators::build(out.base, out.entry["edit"], finding.surface);
  std::vector<std::uint8_t> bytes;
  for (const Segment& segment : built.segments) bytes.insert(bytes.end(), segment.bytes.begin(), segment.bytes.end());
  if (!built.error.empty() || bytes != finding.bytes)
    out.error = "its fields are no edit of its twin's" + (built.error.empty() ? std::string{} : ": " + built.error);
  return out;
}

}  // namespace hurray::harness
