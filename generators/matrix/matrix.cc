#include "generators/matrix.h"

#include <algorithm>
#include <optional>

#include "generators/build.h"
#include "generators/matrix/data.h"
#include "generators/matrix/expand.h"
#include "generators/raw_base.h"

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
  constexpr std::string_view crowded = "interactions";  // comes last
  const auto place = [&](const std::filesystem::path& file) -> std::ptrdiff_t {
    if (file.stem() == crowded) return std::ssize(plainest) + 1;
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

  /// A file that is no JSON is all that is reported then: what it would have defined is missing everywhere else.
  MatrixData load() {
    const DataFile readings = read_data(root_, "conformance/readings.json", out_.errors);
    const std::vector<DataFile> rules = read_all(data_files(root_, "conformance/rules"));
    const std::vector<DataFile> bases = read_all(base_files(root_));
    const std::vector<DataFile> cases = read_all(data_files(root_, "conformance/cases"));
    if (!out_.errors.empty()) return {};
    load_readings(readings);
    for (const DataFile& file : rules) load_rules(file);
    for (const DataFile& file : bases) load_bases(file);
    for (const DataFile& file : cases) load_cases(file);
    for (BoundBase& base : data_.bases) base.bind();
    check_references();
    return std::move(data_);
  }

 private:
  void report(const std::string& source, const std::string& message) { out_.errors.push_back({source + ": " + message}); }

  std::vector<DataFile> read_all(const std::vector<std::filesystem::path>& paths) {
    std::vector<DataFile> files;
    for (const std::filesystem::path& path : paths) files.push_back(read_data(root_, path, out_.errors));
    return files;
  }

  void load_readings(const DataFile& file) {
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
      ParsedModel parsed = is_raw(entry) ? ParsedModel{{}, read_raw(entry).error} : parse_model(entry);
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
