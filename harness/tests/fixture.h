// A small matrix built in code: one base, an explicit duty, a SHOULD, an open question and a must-accept rule.
#pragma once

#include "harness/runner.h"

namespace hurray::harness {

/// A case whose input is `bytes`; it expects `verdict` in both modes.
generators::Case fixture_case(std::string id, std::string rule, std::string bytes, generators::Verdict verdict);

/// FIX-01 reject, FIX-02 reject-should, FIX-03 either, FIX-04 accept, FIX-05 without a case; all on surface bare.
generators::Matrix fixture_matrix();

/// All cases in strict mode by the scripted reader with `arguments`; short deadlines.
RunPlan fixture_plan(const generators::Matrix& matrix, std::vector<std::string> arguments);

/// The result of the case; fails the test where it is missing.
const Result& result_of(const generators::Matrix& matrix, const RunOutcome& outcome, std::string_view id);

}  // namespace hurray::harness
