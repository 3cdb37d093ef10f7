// From the loaded data to cases: bases as they are, faults bound to the bases that they apply to, hand-written cases.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "generators/matrix/data.h"
#include "generators/matrix.h"
#include "generators/matrix/when.h"

namespace hurray::generators {

/// An entry of rules/ or cases/ with its place.
struct SourcedEntry {
  nlohmann::json entry;
  std::string source;
  std::vector<std::string> fault_sources;  // of a rule's faults, in their order
};

struct MatrixData {
  std::vector<SourcedEntry> rules, cases;  // in file and array order
  std::vector<BoundBase> bases;            // in file and array order, bound
  std::set<std::string> readings;
  std::map<std::string, std::size_t> rule_at, base_at;
};

/// The expectation of both modes. `verdicts` is the `expect` of a fault or case, null where it has none.
struct ExpectedVerdicts {
  std::array<Expectation, 2> by_mode;
  std::string error;
};
[[nodiscard]] ExpectedVerdicts expectations(const nlohmann::json& verdicts, const nlohmann::json& rule, bool fault,
                                            const std::set<std::string>& readings);

/// Adds what a reader must support for a case with this node to apply to it. Only what a table knows is asked of a reader: an
/// unknown or private tag in a case is there to be judged.
void add_requirements(const Node& node, Case& out);

/// Appends the cases in their final order; everything wrong goes to `errors`.
void expand(const MatrixData& data, Breadth breadth, std::vector<Case>& cases, std::vector<MatrixError>& errors);

}  // namespace hurray::generators
