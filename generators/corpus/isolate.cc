#include "generators/corpus/isolate.h"

#include <algorithm>

#include "generators/corpus/reading_view.h"
#include "reference/merge.h"

namespace hurray::generators {
namespace {

using facts::Mode;
using nlohmann::json;
using reference::Reading;
using reference::Waivers;

std::optional<facts::Rule> rule_named(std::string_view id) {
  for (std::size_t i = 0; i < facts::rule_count; ++i)
    if (facts::rules[i].id == id) return static_cast<facts::Rule>(i);
  return std::nullopt;
}

std::string id_of(const Reading& reading) { return std::string(facts::facts_of(reading.violation->rule).id); }

std::string verdict_of(const Reading& reading) {
  if (reading.accepted()) return reading.partial ? "accept (partial)" : "accept";
  return id_of(reading) + " at " + std::to_string(reading.violation->at) + ": " + std::string(reading.violation->message.text());
}

std::string bare_text(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// The first place where a view lacks or contradicts what is expected; empty where it says all of it.
std::string difference(const json& expected, const json& shown, const std::string& path) {
  if (expected.is_object()) {
    for (const auto& field : expected.items()) {
      const std::string at = path + "." + field.key();
      if (!shown.is_object() || !shown.contains(field.key())) return at + " is missing";
      if (std::string found = difference(field.value(), shown.at(field.key()), at); !found.empty()) return found;
    }
    return "";
  }
  if (expected.is_array()) {
    if (!shown.is_array() || shown.size() != expected.size()) return path + " has another size";
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::string at = path + "[" + std::to_string(i) + "]";
      if (std::string found = difference(expected[i], shown[i], at); !found.empty()) return found;
    }
    return "";
  }
  return bare_text(expected) == bare_text(shown) ? "" : path + " is " + bare_text(shown) + ", expected " + bare_text(expected);
}

class Judge {
 public:
  Judge(const Matrix& matrix, const Case& one) : matrix_(matrix), case_(one), bytes_(one.bytes()) {}

  Isolation run() {
    for (const Mode mode : {Mode::strict, Mode::permissive}) {
      const Reading reading = reference::read(bytes_, case_.surface, Waivers::of(mode));
      switch (case_.expect[static_cast<std::size_t>(mode)].verdict) {
        case Verdict::accept: check_accepted(reading, mode); break;
        case Verdict::reject: check_rejected(reading, mode); break;
        case Verdict::either: break;
      }
    }
    return std::move(out_);
  }

 private:
  void problem(Mode mode, const std::string& wanted, const std::string& got) {
    out_.problems.push_back(case_.id + " [" + std::string(facts::surface_names[static_cast<std::size_t>(case_.surface)]) + " " +
                            std::string(facts::mode_names[static_cast<std::size_t>(mode)]) + "] expected " + wanted + ", got " + got);
  }

  void check_accepted(const Reading& reading, Mode mode) {
    if (!reading.accepted()) return problem(mode, "accept", verdict_of(reading));
    if (!case_.view.is_null()) {
      const std::string differs = difference(case_.view, view_of(reading, case_.surface), "view");
      if (!differs.empty()) problem(mode, "the case's view", differs);
    }
    check_values(reading, mode);
  }

  void check_values(const Reading& reading, Mode mode) {
    if (case_.question.kind == ValueQuestion::Kind::none) return;
    std::uint32_t tensor = 0;
    for (std::uint64_t item = 0; item < case_.question.item && tensor < reading.tensors.size(); ++item)
      tensor += reading.tensors[tensor].skip;
    std::vector<std::uint8_t> answer;
    reference::ValueStatus status = reference::ValueStatus::no_values;
    if (case_.question.kind == ValueQuestion::Kind::lookup) {
      std::size_t size = 0;
      answer.resize(16);
      status = reference::lookup(reading, tensor, case_.question.index, answer, size);
      answer.resize(std::min(size, answer.size()));
    } else if (const auto size = reference::merged_size(reading, tensor)) {
      answer.resize(*size);
      status = reference::merge(reading, tensor, answer);
    }
    if (status != reference::ValueStatus::ok) return problem(mode, "a value", "none");
    if (const auto wrong = case_.question.first_wrong(answer))
      problem(mode, "the oracle's values", "another at element " + std::to_string(*wrong));
  }

  bool is_forced(const std::string& rule) const {
    return std::any_of(case_.forces.begin(), case_.forces.end(),
                       [&](const std::string& forced) { return checked_rule(matrix_, forced) == rule; });
  }

  void check_rejected(const Reading& reading, Mode mode) {
    const std::string rule = checked_rule(matrix_, case_.rule);
    const auto known = rule_named(rule);
    if (reading.accepted()) return problem(mode, known ? "reject by " + rule : "reject", verdict_of(reading));
    // Only rules with a duty to reject have a check of their own; a reject case of another rule rests on any of them.
    const bool own = known && facts::facts_of(*known).rule_class <= facts::RuleClass::reject_should;
    if (mode == Mode::permissive || !own) return;
    const std::string first = id_of(reading);
    if (first != rule && !is_forced(first)) return problem(mode, rule, verdict_of(reading));
    // A rule that restates others (`same_as`) is shown by whichever of them the case is about.
    const bool restated = rule != case_.rule;
    if (first != rule && !restated) check_behind_forced(rule);
    const Reading without = reference::read(bytes_, case_.surface, Waivers::none().waive(restated ? reading.violation->rule : *known));
    out_.isolates = without.accepted();
    if (without.accepted()) return;
    out_.also = id_of(without);
    if (!case_.swept && !is_forced(out_.also)) problem(mode, "accept without " + (restated ? first : rule), verdict_of(without));
  }

  /// A forced rule was checked first: without all of them the case's own rule must show.
  void check_behind_forced(const std::string& rule) {
    Waivers waivers = Waivers::none();
    for (const std::string& forced : case_.forces)
      if (const auto known = rule_named(checked_rule(matrix_, forced))) waivers.waive(*known);
    const Reading behind = reference::read(bytes_, case_.surface, waivers);
    if (behind.accepted() || id_of(behind) != rule) problem(Mode::strict, rule + " behind the rules it forces", verdict_of(behind));
  }

  const Matrix& matrix_;
  const Case& case_;
  const std::vector<std::uint8_t> bytes_;
  Isolation out_;
};

}  // namespace

std::string checked_rule(const Matrix& matrix, const std::string& rule) {
  std::string at = rule;
  for (std::size_t hops = 0; hops < matrix.rules.size(); ++hops) {
    const auto found = std::find_if(matrix.rules.begin(), matrix.rules.end(), [&](const RuleEntry& one) { return one.id == at; });
    if (found == matrix.rules.end() || !found->entry.contains("same_as")) break;
    at = found->entry.at("same_as").get<std::string>();
  }
  return at;
}

Isolation isolate(const Matrix& matrix, const Case& one) { return Judge(matrix, one).run(); }

}  // namespace hurray::generators
