// The must-check result of a run of rule checks: it keeps the first violation and lets a waived rule pass.
#pragma once

#include <concepts>

#include "reference/verdict.h"

namespace hurray::reference {

/// A number as a message spells it: signed types with their sign, everything else in decimal, hex() in hexadecimal.
struct Value {
  enum class Spelling : std::uint8_t { decimal, negative, hexadecimal };

  template <std::integral T>
  constexpr Value(T number)  // NOLINT(google-explicit-constructor): call sites read as a sentence
      : bits(number < T{0} ? std::uint64_t{0} - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number)),
        spelling(number < T{0} ? Spelling::negative : Spelling::decimal) {}
  constexpr Value(std::uint64_t number, Spelling as) : bits(number), spelling(as) {}

  std::uint64_t bits;  // the magnitude
  Spelling spelling;
};

constexpr Value hex(std::uint64_t number) { return {number, Value::Spelling::hexadecimal}; }

/// One check per rule, stated positively. After the first violation nothing more is recorded, so a caller may go on
/// as long as going on is safe; where it is not, it returns when that() is false.
class [[nodiscard]] Checks {
 public:
  explicit Checks(const Waivers& waived) : waived_(waived) {}

  /// False when `rule` is broken at byte `at` and not waived. The message is "what", "what 7" or "what 7 joint 9";
  /// it is built only for a violation.
  bool that(bool holds, Rule rule, std::uint64_t at, const char* what) {
    return holds || broken(rule) || (record(rule, at, Message::of("%s", what)), false);
  }
  bool that(bool holds, Rule rule, std::uint64_t at, const char* what, Value value) {
    return holds || broken(rule) || (record(rule, at, sentence(what, value)), false);
  }
  bool that(bool holds, Rule rule, std::uint64_t at, const char* what, Value value, const char* joint, Value other) {
    return holds || broken(rule) || (record(rule, at, sentence(what, value, joint, other)), false);
  }

  /// Whether a rule was broken that is not waived; nothing after it means anything.
  bool failed() const { return first_.has_value(); }
  /// Whether no rule was broken, waived or not.
  bool lawful() const { return lawful_; }
  bool waives(Rule rule) const { return waived_.has(rule); }
  const std::optional<Violation>& first() const { return first_; }

 private:
  /// Whether the rule, which does not hold, may be broken.
  bool broken(Rule rule) {
    lawful_ = false;
    return waives(rule);
  }
  void record(Rule rule, std::uint64_t at, const Message& message);
  static Message sentence(const char* what, Value value);
  static Message sentence(const char* what, Value value, const char* joint, Value other);

  const Waivers& waived_;
  std::optional<Violation> first_;
  bool lawful_ = true;
};

}  // namespace hurray::reference
