#include "generators/matrix/expand.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "generators/arrival.h"
#include "generators/build.h"
#include "generators/descriptor_writer.h"
#include "generators/matrix/names.h"
#include "generators/raw_base.h"
#include "generators/matrix/ask.h"

namespace hurray::generators {
namespace {

using facts::Surface;
using nlohmann::json;

// A hundred corrections beside one another are no hundred places for a fault.
constexpr std::size_t most_nodes = 8;
// Cutting everywhere is quadratic in the size of a base; beyond this, a base differs from a smaller one only in padding.
constexpr std::size_t most_cut_bytes = std::size_t{1} << 13;

std::vector<Surface> surfaces_from(const json& names) {
  std::vector<Surface> out;
  for (std::size_t i = 0; i < facts::surface_names.size(); ++i)
    if (std::find(names.begin(), names.end(), json(facts::surface_names[i])) != names.end())
      out.push_back(static_cast<Surface>(i));
  return out;
}

std::string family_of(const std::string& rule) { return rule.substr(0, rule.find('-')); }

void add_unique(std::vector<std::string>& list, std::string name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(std::move(name));
}

/// The first `left` bytes of an input. The exhaustive matrix has one field for all that precedes the last: it would have as
/// many labels as bytes otherwise.
std::vector<Segment> cut_segments(const std::vector<Segment>& whole, std::size_t left, Breadth breadth) {
  std::vector<Segment> out;
  for (const Segment& segment : whole) {
    if (segment.bytes.size() >= left) {
      out.push_back({segment.label, {segment.bytes.begin(), segment.bytes.begin() + static_cast<std::ptrdiff_t>(left)}, true});
      break;
    }
    left -= segment.bytes.size();
    if (breadth == Breadth::standard || out.empty())
      out.push_back(segment);
    else
      out[0].bytes.insert(out[0].bytes.end(), segment.bytes.begin(), segment.bytes.end());
  }
  return out;
}

/// What a base of bytes says of itself.
void take_requirements(const json& required, Case& out) {
  out.types = required.value("types", std::vector<std::string>{});
  out.layouts = required.value("layouts", std::vector<std::string>{});
  out.schemes = required.value("schemes", std::vector<std::string>{});
  out.devices = required.value("devices", std::vector<std::string>{});
}

class Expander {
 public:
  Expander(const MatrixData& data, Breadth breadth, std::vector<Case>& cases, std::vector<MatrixError>& errors)
      : data_(data), breadth_(breadth), cases_(cases), errors_(errors) {}

  void run() {
    for (const BoundBase& base : data_.bases) add_base(base);
    for (const SourcedEntry& rule : data_.rules) {
      const json faults = rule.entry.value("faults", json::array());
      for (std::size_t i = 0; i < faults.size(); ++i) add_fault(rule.entry, faults[i], rule.fault_sources[i]);
      if (rule.entry.contains("cuts")) add_cuts(rule, rule.entry.at("cuts"));
      const auto own = cases_of_.find(text_of(rule.entry, "id"));
      if (own != cases_of_.end())
        for (const SourcedEntry* entry : own->second) add_case(rule.entry, *entry);
    }
  }

  void index_cases() {
    for (const SourcedEntry& entry : data_.cases) {
      const std::string rule = text_of(entry.entry, "rule");
      if (data_.rule_at.count(rule) == 0) report(entry.source, "the rule '" + rule + "' is in no file of conformance/rules/");
      cases_of_[rule].push_back(&entry);
    }
  }

 private:
  void report(const std::string& source, const std::string& message) { errors_.push_back({source + ": " + message}); }

  /// Builds the bytes and appends the case; false where base or edit make no sense.
  bool add(Case made, const BoundBase& base, const json& entry) {
    Built built = build(base.entry, made.edit, made.surface);
    const std::string where = made.id + " on " + std::string(facts::surface_names[static_cast<std::size_t>(made.surface)]);
    if (!built.error.empty()) {
      report(made.source, where + ": " + built.error + "; correct the edit, or narrow `when` or `surfaces`");
      return false;
    }
    made.base = base.name;
    made.segments = std::move(built.segments);
    made.whole_composites = std::move(built.whole_composites);
    const bool claims = !entry.contains("view") || entry.at("view") != false;
    if (made.expect[0].verdict == Verdict::accept && claims && !is_raw(base.entry)) made.view = expected_view(built.model, made.surface);
    const bool claims_values = made.expect[0].verdict != Verdict::reject || made.expect[1].verdict == Verdict::accept;
    AskedQuestion asked = ask(entry, built.model, claims_values);
    if (!asked.error.empty()) {
      report(made.source, where + ": " + asked.error);
      return false;
    }
    made.question = std::move(asked.question);
    if (is_raw(base.entry)) take_requirements(base.entry.value("requires", json::object()), made);
    for (const Node& item : base.model.items) add_requirements(item, made);
    for (const Node& item : built.model.items) add_requirements(item, made);
    cases_.push_back(std::move(made));
    return true;
  }

  void add_base(const BoundBase& base) {
    ExpectedVerdicts expected;
    if (base.entry.contains("expect")) expected = expectations(base.entry.at("expect"), json::object(), false, data_.readings);
    if (!expected.error.empty()) return report(base.source, "base " + base.name + ": " + expected.error);
    json wanted = base.entry.contains("surfaces") ? base.entry.at("surfaces") : json(facts::surface_names);
    if (is_raw(base.entry)) wanted = json::array({base.entry.at("raw").at("surface")});
    for (const Surface surface : surfaces_from(wanted)) {
      Case made;
      made.id = base.name;
      made.source = base.source;
      made.surface = surface;
      made.notes = text_of(base.entry, "why");
      made.expect = expected.by_mode;
      made.edit = json::array();
      add(std::move(made), base, json::object());
    }
  }

  /// Where a fault of this rule is shown unless it says otherwise. A descriptor stands alone only for the first item,
  /// whose twin is the base's own descriptor, and carries no data.
  std::vector<Surface> surfaces_of(const json& rule, const json& entry, const BoundBase& base, const json& edit) const {
    std::vector<Surface> wanted;
    const std::string family = family_of(text_of(rule, "id"));
    if (entry.contains("surfaces")) {
      wanted = surfaces_from(entry.at("surfaces"));
    } else if (rule.contains("surfaces")) {
      wanted = surfaces_from(rule.at("surfaces"));
    } else if (family == "CMP") {
      wanted = {Surface::bare, Surface::framed, Surface::file};
    } else if (family == "STRM" || family == "FRAME") {
      wanted = {Surface::framed};
    } else if (family == "FILE") {
      wanted = {Surface::file};
    } else {
      wanted = {Surface::descriptor, Surface::bare, Surface::file};
      if (!descriptor_alone(base, edit)) wanted.erase(wanted.begin());
    }
    const std::vector<Surface> offered =
        base.entry.contains("surfaces") ? surfaces_from(base.entry.at("surfaces")) : wanted;
    std::vector<Surface> both;
    for (const Surface surface : wanted)
      if (std::find(offered.begin(), offered.end(), surface) != offered.end()) both.push_back(surface);
    return both;
  }

  static bool descriptor_alone(const BoundBase& base, const json& edit) {
    const std::string& first = base.nodes.front().path;
    for (const std::string& path : paths_of(edit)) {
      if (path.find("data[") != std::string::npos) return false;
      if (path.compare(0, first.size(), first) != 0 || (path.size() > first.size() && path[first.size()] != '.')) return false;
    }
    return true;
  }

  void add_fault(const json& rule, const json& fault, const std::string& source) {
    const std::string id = text_of(rule, "id") + "/" + text_of(fault, "name");
    const FaultRoot root = root_of(fault);
    const ExpectedVerdicts expected =
        expectations(fault.value("expect", json()), rule, true, data_.readings);
    for (const std::string& error : {root.error, expected.error, unknown_rules(fault)})
      if (!error.empty()) return report(source, "fault " + id + ": " + error);
    Case made;
    made.rule = text_of(rule, "id");
    made.source = source;
    made.expect = expected.by_mode;
    made.notes = text_of(fault, "notes");
    made.forces = fault.value("forces", std::vector<std::string>{});
    std::size_t applied = 0;
    for (const BoundBase& base : data_.bases) {
      if (is_raw(base.entry)) continue;
      const std::size_t nodes = root.root.empty() ? 1 : base.nodes.size();
      std::size_t here = 0;
      for (std::size_t node = 0; node < nodes && here < most_nodes; ++node) {
        std::string error;
        if (!applies(fault, root.root, base, root.root.empty() ? BoundNode::none : node, error)) {
          if (!error.empty()) return report(source, "fault " + id + ": " + error);
          continue;
        }
        made.edit = bind_edit(fault.at("edit"), root.root, base, node);
        made.id = id + "@" + base.name + (here++ == 0 ? "" : "#" + base.nodes[node].path);
        const std::vector<Surface> surfaces = surfaces_of(rule, fault, base, made.edit);
        for (const Surface surface : surfaces) {
          made.surface = surface;
          if (!add(made, base, fault)) return;
        }
        applied += surfaces.size();
        if (applied > 0 && breadth_ == Breadth::standard) return;
      }
    }
    if (applied == 0)
      report(source, "fault " + id + " applies to no base; widen `when`, or add a base to conformance/bases/");
  }

  /// A rule's `cuts`: the bases that it names at the coarse places; every base at every place in the exhaustive matrix.
  void add_cuts(const SourcedEntry& rule, const json& cuts_entry) {
    const auto torn = std::find(std::begin(torn_names), std::end(torn_names), text_of(cuts_entry, "inside"));
    if (torn == std::end(torn_names)) return report(rule.source, "`cuts` are inside '" + text_of(cuts_entry, "inside") + "', which is no part of an input");
    const ExpectedVerdicts expected = expectations(cuts_entry.value("expect", json()), rule.entry, true, data_.readings);
    for (const std::string& error : {expected.error, unknown_rules(cuts_entry)})
      if (!error.empty()) return report(rule.source, "the cuts of " + text_of(rule.entry, "id") + ": " + error);
    const json wanted = cuts_entry.at("bases");
    for (const json& name : wanted)
      if (data_.base_at.count(name.get<std::string>()) == 0)
        return report(rule.source, "`cuts` name the base " + name.dump() + ", which is in no file of conformance/bases/");
    for (const BoundBase& base : data_.bases) {
      const bool named = std::find(wanted.begin(), wanted.end(), json(base.name)) != wanted.end();
      if (is_raw(base.entry) || (breadth_ == Breadth::standard ? !named : base.entry.contains("expect"))) continue;
      for (const Surface surface : surfaces_of(rule.entry, cuts_entry, base, json::array()))
        add_cuts_of(rule, cuts_entry, base, surface, static_cast<Torn>(torn - std::begin(torn_names)), expected);
    }
  }

  void add_cuts_of(const SourcedEntry& rule, const json& cuts_entry, const BoundBase& base, Surface surface, Torn torn,
                   const ExpectedVerdicts& expected) {
    if (breadth_ == Breadth::exhaustive && write(base.model, surface).size() > most_cut_bytes) return;
    const std::vector<Cut> places = cuts(base.model, surface);
    if (breadth_ == Breadth::exhaustive && !is_new_structure(rule.entry, surface, places)) return;
    const std::vector<Segment> whole = build(base.entry, json::array(), surface).segments;
    for (const Cut& cut : places) {
      if (cut.torn != torn || (breadth_ == Breadth::standard && !cut.coarse)) continue;
      Case made;
      made.rule = text_of(rule.entry, "id");
      made.source = rule.source;
      made.surface = surface;
      made.expect = expected.by_mode;
      made.swept = true;
      made.forces = cuts_entry.value("forces", std::vector<std::string>{});
      made.id = made.rule + "/cut@" + base.name + "#" + cut.field + (cut.plus == 0 ? "" : "+" + std::to_string(cut.plus));
      made.edit = json::array({cut.plus == 0 ? json{{"cut_at", cut.field}} : json{{"cut_at", cut.field}, {"plus", cut.plus}}});
      made.base = base.name;
      made.whole_composites = cut.whole_composites;
      made.segments = cut_segments(whole, cut.left, breadth_);
      for (const Node& item : base.model.items) add_requirements(item, made);
      cases_.push_back(std::move(made));
    }
  }

  /// Bases that differ in nothing but values and names of types are cut once.
  bool is_new_structure(const json& rule, Surface surface, const std::vector<Cut>& places) {
    std::string structure = text_of(rule, "id") + std::string(facts::surface_names[static_cast<std::size_t>(surface)]);
    for (const Cut& cut : places) structure += " " + cut.field + "+" + std::to_string(cut.plus);
    return cut_structures_.insert(std::move(structure)).second;
  }

  void add_case(const json& rule, const SourcedEntry& sourced) {
    const json& entry = sourced.entry;
    const auto at = data_.base_at.find(text_of(entry, "base"));
    if (at == data_.base_at.end())
      return report(sourced.source, "the base '" + text_of(entry, "base") + "' is in no file of conformance/bases/");
    const ExpectedVerdicts expected = expectations(entry.value("expect", json()), rule, false, data_.readings);
    for (const std::string& error : {expected.error, unknown_rules(entry)})
      if (!error.empty()) return report(sourced.source, "case " + text_of(entry, "id") + ": " + error);
    Case made;
    made.id = text_of(entry, "id");
    made.rule = text_of(entry, "rule");
    made.source = sourced.source;
    made.expect = expected.by_mode;
    made.notes = text_of(entry, "notes");
    made.edit = entry.value("edit", json::array());
    made.forces = entry.value("forces", std::vector<std::string>{});
    for (const Surface surface : surfaces_from(entry.value("surfaces", json::array({"bare"})))) {
      made.surface = surface;
      if (!add(made, data_.bases[at->second], entry)) return;
    }
  }

  std::string unknown_rules(const json& entry) const {
    for (const std::string& rule : entry.value("forces", std::vector<std::string>{}))
      if (data_.rule_at.count(rule) == 0) return "`forces` names the rule " + rule + ", which does not exist";
    return "";
  }

  const MatrixData& data_;
  const Breadth breadth_;
  std::vector<Case>& cases_;
  std::vector<MatrixError>& errors_;
  std::map<std::string, std::vector<const SourcedEntry*>> cases_of_;
  std::set<std::string> cut_structures_;
};

}  // namespace

void add_requirements(const Node& node, Case& out) {
  if (facts::element_type(node.type) != nullptr) add_unique(out.types, type_name(node.type));
  if (facts::layout(layout_tag_of(node)) != nullptr) add_unique(out.layouts, layout_name(node));
  if (scheme_name(node) != "none") add_unique(out.schemes, scheme_name(node));
  if (!node.head && facts::device(node.device) != nullptr) add_unique(out.devices, device_name(node.device));
  for (const Node& member : node.members) add_requirements(member, out);
}

void expand(const MatrixData& data, Breadth breadth, std::vector<Case>& cases, std::vector<MatrixError>& errors) {
  Expander expander(data, breadth, cases, errors);
  expander.index_cases();
  expander.run();
}

}  // namespace hurray::generators
