#include "generators/matrix.h"

#include <algorithm>
#include <optional>

#include "generators/build.h"
#include "generators/matrix/data.h"
#include "generators/matrix/expand.h"

namespace hurray::generators {
namespace {

using nlohmann::json;

constexpr std::pair<std::string_view, facts::RuleClass> class_names[] = {
    {"reject", facts::RuleClass::reject},       {"reject-implied", facts::RuleClass::reject_implied},
    {"reject-should", facts::RuleClass::reject_should}, {"either", facts::RuleClass::either},
    {"accept", facts::RuleClass::accept},       {"behaviour", facts::RuleClass::behaviour},
    {"untestable", facts::RuleClass::untestable}};

std::optional<facts::RuleClass> class_of(std::string_view name) {
  for (const auto& [spelled, value] : class_names)
    if (spelled == name) return value;
  return std::nullopt;
}

/// The files of bases, the plainest first: a fault shows on the first base that it applies to, and that one should ask
/// of a reader no device, layout or scheme that the rule has nothing to do with.
std::vector<std::filesystem::path> base_files(const std::filesystem::path& root) {
  constexpr std::string_view plainest[] = {"tensor", "partition", "overlay", "group", "nested", "stream"};
  const auto place = [&](const std::filesystem::path& file) {
    return std::find(std::begin(plainest), std::end(plainest), file.stem().string()) - std::begin(plainest);
  };
  std::vector<std::filesystem::path> files = data_files(root, "conformance/bases");
  std::stable_sort(files.begin(), files.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  return files;
}

bool is_compiled_in(std::string_view id) {
  return std::any_of(std::begin(facts::rules), std::end(facts::rules), [&](const auto& rule) { return rule.id == id; });
}

class Loader {
 public:
  Loader(const std::filesystem::path& root, LoadedMatrix& out) : root_(root), out_(out) {}

  MatrixData load() {
    load_readings();
    for (const auto& path : data_files(root_, "conformance/rules")) load_rules(read_data(root_, path, out_.errors));
    for (const auto& path : base_files(root_)) load_bases(read_data(root_, path, out_.errors));
    for (const auto& path : data_files(root_, "conformance/cases")) load_cases(read_data(root_, path, out_.errors));
    for (BoundBase& base : data_.bases) base.bind();
    check_references();
    return std::move(data_);
  }

 private:
  void report(const std::string& source, const std::string& message) { out_.errors.push_back({source + ": " + message}); }

  void load_readings() {
    const DataFile file = read_data(root_, "conformance/readings.json", out_.errors);
    for (const json& entry : file.entries) {
      const std::string id = text_of(entry, "id");
      if (!data_.readings.insert(id).second) report(file.place("id", id), "the reading " + id + " stands twice");
      out_.matrix.readings.push_back({id, text_of(entry, "question"), text_of(entry, "expect"), text_of(entry, "why")});
    }
  }

  void load_rules(const DataFile& file) {
    for (const json& entry : file.entries) {
      const std::string id = text_of(entry, "id");
      SourcedEntry sourced{entry, file.place("id", id), {}};
      const std::size_t start = file.find("id", id);
      for (const json& fault : entry.value("faults", json::array()))
        sourced.fault_sources.push_back(file.place("name", text_of(fault, "name"), start));
      const std::optional<facts::RuleClass> rule_class = class_of(text_of(entry, "class"));
      if (!rule_class) report(sourced.source, "rule " + id + ": no such class '" + text_of(entry, "class") + "'");
      if (!is_compiled_in(id)) report(sourced.source, "rule " + id + " is not compiled in; build again");
      if (!data_.rule_at.emplace(id, data_.rules.size()).second) report(sourced.source, "the rule " + id + " stands twice");
      out_.matrix.rules.push_back({id, text_of(entry, "level"), text_of(entry, "section"), text_of(entry, "says"),
                                   rule_class.value_or(facts::RuleClass::untestable), entry});
      data_.rules.push_back(std::move(sourced));
    }
  }

  void load_bases(const DataFile& file) {
    for (const json& entry : file.entries) {
      const std::string name = text_of(entry, "name");
      BoundBase base{entry, name, file.place("name", name), {}, {}};
      ParsedModel parsed = parse_model(entry);
      if (!parsed.error.empty()) {
        report(base.source, "base " + name + ": " + parsed.error);
        continue;
      }
      base.model = std::move(parsed.model);
      if (!data_.base_at.emplace(name, data_.bases.size()).second)
        report(base.source, "the base " + name + " stands twice; rename one");
      data_.bases.push_back(std::move(base));
    }
  }

  void load_cases(const DataFile& file) {
    for (const json& entry : file.entries) data_.cases.push_back({entry, file.place("id", text_of(entry, "id")), {}});
  }

  void check_references() {
    for (const SourcedEntry& rule : data_.rules) {
      const std::string other = text_of(rule.entry, "same_as");
      if (!other.empty() && data_.rule_at.count(other) == 0)
        report(rule.source, "`same_as` names the rule " + other + ", which does not exist");
    }
  }

  const std::filesystem::path& root_;
  LoadedMatrix& out_;
  MatrixData data_;
};

void check_unique(const std::vector<Case>& cases, std::vector<MatrixError>& errors) {
  std::map<std::pair<std::string, facts::Surface>, const Case*> seen;
  for (const Case& one : cases) {
    const auto [at, fresh] = seen.emplace(std::make_pair(one.id, one.surface), &one);
    if (!fresh)
      errors.push_back({one.source + ": the case " + one.id + " is already defined at " + at->second->source + "; rename one"});
  }
}

}  // namespace

std::vector<std::uint8_t> Case::bytes() const {
  std::vector<std::uint8_t> all;
  std::size_t size = 0;
  for (const Segment& segment : segments) size += segment.bytes.size();
  all.reserve(size);
  for (const Segment& segment : segments) all.insert(all.end(), segment.bytes.begin(), segment.bytes.end());
  return all;
}

LoadedMatrix load_matrix(const std::filesystem::path& root, Breadth breadth) {
  LoadedMatrix out;
  try {
    const MatrixData data = Loader(root, out).load();
    expand(data, breadth, out.matrix.cases, out.errors);
  } catch (const json::exception& error) {
    // The schemas refuse entries of a wrong shape with a better message; this is for those who did not run them.
    out.errors.push_back({"conformance: an entry has the wrong shape (" + std::string(error.what()) +
                          "); run conformance/tests/validate_schemas.py"});
  }
  check_unique(out.matrix.cases, out.errors);
  if (!out.errors.empty()) out.matrix = {};
  return out;
}

}  // namespace hurray::generators
