#include "harness/tests/fixture.h"

#include <stdexcept>

namespace hurray::harness {

using facts::RuleClass;
using generators::Verdict;

generators::Case fixture_case(std::string id, std::string rule, std::string bytes, Verdict verdict) {
  generators::Case c;
  c.id = std::move(id);
  c.rule = std::move(rule);
  c.base = "plain";
  const generators::Expectation expectation{verdict, verdict == Verdict::either ? "AMB-11" : ""};
  c.expect = {expectation, expectation};
  c.segments.push_back({"head", {bytes.begin(), bytes.begin() + 1}, !c.rule.empty()});
  c.segments.push_back({"data[0]", {bytes.begin() + 1, bytes.end()}, false});
  c.edit = nlohmann::json::array();
  if (verdict == Verdict::accept)
    c.view = {{{"kind", "tensor"}, {"type", "float32"}, {"shape", {2, 3}}, {"layout", "row-major"}}};
  return c;
}

generators::Matrix fixture_matrix() {
  generators::Matrix matrix;
  const auto rule = [&](const char* id, RuleClass rule_class) {
    matrix.rules.push_back({id, "MUST", "page.md \u00a7 Part", "Says <something> & more.", rule_class, nlohmann::json::object()});
  };
  rule("FIX-01", RuleClass::reject);
  rule("FIX-02", RuleClass::reject_should);
  rule("FIX-03", RuleClass::either);
  rule("FIX-04", RuleClass::accept);
  rule("FIX-05", RuleClass::reject);
  matrix.cases.push_back(fixture_case("plain", "", "Aplain", Verdict::accept));
  matrix.cases.push_back(fixture_case("FIX-01/one@plain", "FIX-01", "Rone", Verdict::reject));
  matrix.cases.push_back(fixture_case("FIX-02/two@plain", "FIX-02", "Rtwo", Verdict::reject));
  matrix.cases.push_back(fixture_case("FIX-03/three@plain", "FIX-03", "Rthree", Verdict::either));
  matrix.cases.push_back(fixture_case("FIX-04/four", "FIX-04", "Afour", Verdict::accept));
  return matrix;
}

RunPlan fixture_plan(const generators::Matrix& matrix, std::vector<std::string> arguments) {
  RunPlan plan;
  plan.matrix = &matrix;
  for (std::uint32_t i = 0; i < matrix.cases.size(); ++i) plan.tasks.push_back({i, facts::Mode::strict});
  arguments.insert(arguments.begin(), SCRIPTED_READER);
  plan.program = find_program(std::move(arguments));
  plan.limits.per_case = std::chrono::milliseconds(2000);
  plan.limits.memory_bytes = 0;  // the tests also run under sanitizers, which reserve terabytes
  return plan;
}

const Result& result_of(const generators::Matrix& matrix, const RunOutcome& outcome, std::string_view id) {
  for (const Result& result : outcome.results)
    if (matrix.cases[result.task.case_index].id == id) return result;
  throw std::out_of_range("no such case in the outcome");
}

}  // namespace hurray::harness
