// The matrix: every rule's faults applied to the bases, and every hand-written case, each with its bytes, its
// expectation and its valid twin. Loaded from conformance/; harness, corpus and fuzz read it from here.
#pragma once

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "conformance/facts/facts.h"
#include "conformance/facts/rules.h"
#include "generators/oracle.h"

namespace hurray::generators {

/// A labelled run of bytes; `edited` marks the field that the case's edit touched.
struct Segment {
  std::string label;
  std::vector<std::uint8_t> bytes;
  bool edited = false;
};

enum class Verdict : std::uint8_t { accept, reject, either };

struct Expectation {
  Verdict verdict = Verdict::accept;
  std::string reading;  // AMB-… or DER-…; never empty where the verdict is `either`
};

/// A value question put to the reader about item `item`. Each element of the answer is judged by itself: most have one
/// admissible pattern, some have several or are open, and then say by which reading.
struct ValueQuestion {
  enum class Kind : std::uint8_t { none, merge, lookup } kind = Kind::none;
  std::uint64_t item = 0;
  Index index;                              // lookup
  std::uint8_t type = 0;                    // element type of the answer
  std::vector<AdmissibleElement> elements;  // of the dense row-major view, or the one looked up
  /// False where no reader has to accept: one that does is asked to see that it survives, and whatever it answers is right.
  bool claims = true;

  /// The answer of a reader that takes every preferred pattern: packed as `type` packs, a looked-up element in its own
  /// whole bytes.
  std::vector<std::uint8_t> expected() const;
  /// Position of the first element that the answer gets wrong; nothing where all are admissible. An answer of the wrong
  /// size is wrong at the first element that is missing, or past the last.
  std::optional<std::uint64_t> first_wrong(const std::vector<std::uint8_t>& answer) const;
};

struct Case {
  std::string id;         // RULE/name@base for a fault, RULE/name for a hand-written case, the base's name for a base
  std::string rule;       // empty for a base
  facts::Surface surface = facts::Surface::bare;
  std::array<Expectation, 2> expect;  // by Mode
  std::string base;       // the base; its own case on the same surface is the valid twin
  std::string source;     // file:line of the entry, for error messages
  std::string notes;
  std::vector<Segment> segments;
  nlohmann::json edit;    // of the fault or case, its paths made concrete for the base
  std::vector<std::string> forces;  // rules that these bytes break as well, by necessity
  nlohmann::json view;    // what an accepting reader has understood (protocol.md); null where nothing is claimed
  /// Where a composite is torn: the only ones that may be shown as complete, each {"rule", "shape", "members"}; else null.
  nlohmann::json whole_composites;
  ValueQuestion question;
  /// What a reader must support for the case to apply to it (names as in protocol.md).
  std::vector<std::string> types, layouts, schemes, devices;

  std::vector<std::uint8_t> bytes() const;
  bool swept = false;     // one of a rule's cuts: other rules may miss what the cut took away, whichever is waived
  bool is_base() const { return rule.empty(); }
};

struct Reading {
  std::string id, question, expect, why;
};

struct RuleEntry {
  std::string id, level, section, says;
  facts::RuleClass rule_class = facts::RuleClass::untestable;
  nlohmann::json entry;  // the whole entry
};

enum class Breadth : std::uint8_t { standard, exhaustive };

struct Matrix {
  std::vector<RuleEntry> rules;
  std::vector<Reading> readings;
  std::vector<Case> cases;  // bases first, then in rule order; stable
};

/// What is wrong with the data, as file:line: message with a remedy.
struct MatrixError {
  std::string message;
};

/// Loads `conformance/` from `root`. On a fault in the data returns the errors and an empty matrix.
struct LoadedMatrix {
  Matrix matrix;
  std::vector<MatrixError> errors;
};
[[nodiscard]] LoadedMatrix load_matrix(const std::filesystem::path& root, Breadth breadth);

}  // namespace hurray::generators
