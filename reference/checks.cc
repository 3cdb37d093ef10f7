#include "reference/checks.h"

#include <cinttypes>
#include <cstdio>

namespace hurray::reference {
namespace {

struct Digits {
  std::array<char, 24> text{};
};

Digits spell(Value value) {
  Digits digits;
  switch (value.spelling) {
    case Value::Spelling::decimal:
      std::snprintf(digits.text.data(), digits.text.size(), "%" PRIu64, value.bits);
      break;
    case Value::Spelling::negative:
      std::snprintf(digits.text.data(), digits.text.size(), "-%" PRIu64, value.bits);
      break;
    case Value::Spelling::hexadecimal:
      std::snprintf(digits.text.data(), digits.text.size(), "0x%02" PRIx64, value.bits);
      break;
  }
  return digits;
}

}  // namespace

Message Checks::sentence(const char* what, Value value) { return Message::of("%s %s", what, spell(value).text.data()); }

Message Checks::sentence(const char* what, Value value, const char* joint, Value other) {
  return Message::of("%s %s %s %s", what, spell(value).text.data(), joint, spell(other).text.data());
}

void Checks::record(Rule rule, std::uint64_t at, const Message& message) {
  if (!first_) first_.emplace(Violation{rule, at, message});
}

}  // namespace hurray::reference
