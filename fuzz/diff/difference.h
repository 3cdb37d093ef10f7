// Reference against reader on one input: verdict, then view, then values; and which rule a difference concerns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/diff/reader.h"
#include "generators/model.h"

namespace hurray::fuzz {

enum class DifferenceKind : std::uint8_t { false_accept, false_reject, wrong_view, wrong_value, broken_answer };
inline constexpr std::array<std::string_view, 5> difference_names{"false-accept", "false-reject", "wrong-view", "wrong-value", "broken-answer"};
constexpr std::string_view name_of(DifferenceKind kind) { return difference_names[static_cast<std::size_t>(kind)]; }

struct Difference {
  DifferenceKind kind = DifferenceKind::false_accept;
  /// False accept: the rule that the reference enforces. False reject: the one that the reader names. Else the rule that
  /// says what is to be understood. Empty: none can be named.
  std::string rule;
  std::vector<std::string> more;  // rules that the input breaks besides, or that may be meant as well
  facts::Surface surface = facts::Surface::bare;
  facts::Mode mode = facts::Mode::strict;
  std::string detail;

  /// One line: kind, rule, surface, mode, detail.
  std::string line() const;
};

/// One input as it is put to both. `model` where it was written from one: values are then the oracle's, else those that
/// only one reading of the text gives.
struct DiffInput {
  Bytes bytes;
  facts::Surface surface = facts::Surface::bare;
  facts::Mode mode = facts::Mode::strict;
  const generators::Model* model = nullptr;
};

/// The first difference that no reading excuses; nothing where the input is outside what the reader declares.
[[nodiscard]] std::optional<Difference> compare(const DiffReader& reader, const DiffInput& input);

/// The parts of compare() for an input that both accept: reference values against the reader's (values.cc), and the rule
/// that a view's key or a wrong element concerns (attribution.cc).
[[nodiscard]] std::optional<Difference> compare_values(const DiffReader& reader, const DiffInput& input, const reference::Reading& reading);
[[nodiscard]] std::string rule_of_view(const std::string& path);
void attribute_value(const DiffReader& reader, const DiffInput& input, const reference::Reading& reading, std::uint32_t item, Difference& difference);

}  // namespace hurray::fuzz
