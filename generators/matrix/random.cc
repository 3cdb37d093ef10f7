#include "generators/matrix/random.h"

#include <algorithm>
#include <string>

#include "generators/build.h"
#include "generators/grow.h"
#include "generators/matrix/expand.h"

namespace hurray::generators {
namespace {

using facts::Surface;
using nlohmann::json;

/// Bytes from a number: the same on every machine.
class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t number) : state_(seed * 0x9E3779B97F4A7C15u + number + 1) {}
  std::uint8_t byte() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint8_t>(state_ >> 56);
  }
  std::size_t below(std::size_t count) { return (byte() + 256u * byte()) % count; }

 private:
  std::uint64_t state_;
};

struct Fault {
  const json* rule;
  const json* entry;
  std::string root;
};

std::vector<Fault> certain_faults(const Matrix& matrix) {
  std::vector<Fault> faults;
  for (const RuleEntry& rule : matrix.rules) {
    if (rule.rule_class > facts::RuleClass::reject_should || rule.entry.contains("disputed_by") || !rule.entry.contains("faults")) continue;
    for (const json& fault : rule.entry.at("faults"))
      if (!fault.contains("expect")) faults.push_back({&rule.entry, &fault, root_of(fault).root});
  }
  return faults;
}

/// Whether the fault is shown on the surface. A grown model may hold several items, so never on a lone descriptor.
bool shows_on(const Fault& fault, Surface surface) {
  const std::string name(facts::surface_names[static_cast<std::size_t>(surface)]), id = fault.rule->at("id").get<std::string>();
  for (const json* entry : {fault.entry, fault.rule})
    if (entry->contains("surfaces")) return std::find(entry->at("surfaces").begin(), entry->at("surfaces").end(), json(name)) != entry->at("surfaces").end();
  const std::string family = id.substr(0, id.find('-'));
  if (family == "CMP") return true;
  if (family == "STRM" || family == "FRAME") return surface == Surface::framed;
  return surface == Surface::file || (surface == Surface::bare && family != "FILE");
}

/// A composite that is short of members is torn only where nothing follows that would be bound in their place.
bool needs_to_be_last(const Fault& fault) { return fault.rule->at("id").get<std::string>().compare(0, 8, "CMP-TORN") == 0; }

/// The nodes where the fault applies; BoundNode::none stands for the model as a whole.
std::vector<std::size_t> places(const Fault& fault, const BoundBase& base) {
  std::vector<std::size_t> found;
  std::string error;
  if (fault.root.empty() && applies(*fault.entry, fault.root, base, BoundNode::none, error)) found.push_back(BoundNode::none);
  for (std::size_t node = 0; !fault.root.empty() && node < base.nodes.size(); ++node)
    if (applies(*fault.entry, fault.root, base, node, error)) found.push_back(node);
  return found;
}

ValueQuestion question_for(const Model& model) {
  constexpr std::uint64_t most = 4096;
  ValueQuestion question;
  std::optional<std::vector<AdmissibleElement>> elements = oracle_view(model.items.front(), most);
  if (!elements) return question;
  question.kind = ValueQuestion::Kind::merge;
  question.type = view_type(model.items.front());
  question.elements = std::move(*elements);
  return question;
}

class RandomCases {
 public:
  RandomCases(Matrix& matrix, std::uint64_t seed) : matrix_(matrix), seed_(seed), faults_(certain_faults(matrix)) {
    for (const Reading& reading : matrix.readings) readings_.insert(reading.id);
  }

  void add(std::size_t number) {
    Dice dice(seed_, number);
    std::vector<std::uint8_t> bytes(16 + dice.byte());
    std::generate(bytes.begin(), bytes.end(), [&dice] { return dice.byte(); });
    Decisions decisions(bytes);
    GrowthLimits limits;
    limits.elements = 128;
    BoundBase base;
    base.model = grow(decisions, limits);
    base.name = "random-" + std::to_string(seed_) + "-" + std::to_string(number);
    base.entry = print_model(base.model);
    base.bind();
    const auto surface = static_cast<Surface>(1 + number % 3);
    const Case twin = legal(base, surface);
    if (twin.segments.empty()) return;
    matrix_.cases.push_back(twin);
    broken(base, twin, dice);
    Case asked = twin;  // the same input once more, for its values
    asked.question = question_for(base.model);
    asked.id += "/merged";
    if (!asked.question.elements.empty()) matrix_.cases.push_back(std::move(asked));
  }

 private:
  static Case legal(const BoundBase& base, Surface surface) {
    Case made;
    made.id = made.base = base.name;
    made.surface = surface;
    made.source = made.notes = "grown at random";
    made.edit = json::array();
    Built built = build(base.entry, made.edit, surface);
    if (!built.error.empty()) return made;
    made.segments = std::move(built.segments);
    made.view = expected_view(built.model, surface);
    for (const Node& item : base.model.items) add_requirements(item, made);
    return made;
  }

  void broken(const BoundBase& base, const Case& twin, Dice& dice) {
    constexpr int tries = 64;
    for (int round = 0; round < tries; ++round) {
      const Fault& fault = faults_[dice.below(faults_.size())];
      if (!shows_on(fault, twin.surface) || (needs_to_be_last(fault) && base.model.items.size() > 1)) continue;
      const std::vector<std::size_t> nodes = places(fault, base);
      if (nodes.empty()) continue;
      const std::size_t node = nodes[dice.below(nodes.size())];
      Case made = twin;
      made.view = nullptr;
      made.rule = fault.rule->at("id").get<std::string>();
      made.id = made.rule + "/" + fault.entry->at("name").get<std::string>() + "@" + base.name;
      made.expect = expectations(json(), *fault.rule, true, readings_).by_mode;
      made.expect[1] = {Verdict::either, "PERM-01"};  // what else a fault breaks in a grown model, permissive mode may let pass
      made.forces = fault.entry->value("forces", std::vector<std::string>{});
      made.edit = node == BoundNode::none ? fault.entry->at("edit") : bind_edit(fault.entry->at("edit"), fault.root, base, node);
      Built built = build(base.entry, made.edit, made.surface);
      if (!built.error.empty()) continue;  // the edit speaks of a field that this model has not got
      made.segments = std::move(built.segments);
      if (made.bytes() == twin.bytes()) continue;  // the model already said what the edit sets
      for (const Node& item : built.model.items) add_requirements(item, made);
      return matrix_.cases.push_back(std::move(made));
    }
  }

  Matrix& matrix_;
  std::uint64_t seed_;
  std::vector<Fault> faults_;
  std::set<std::string> readings_;
};

}  // namespace

void add_random_cases(Matrix& matrix, std::size_t count, std::uint64_t seed) {
  RandomCases random(matrix, seed);
  for (std::size_t number = 0; number < count; ++number) random.add(number);
}

}  // namespace hurray::generators
