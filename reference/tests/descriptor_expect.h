// What a test of descriptors expects: acceptance, or one rule, which then is the only thing wrong.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "reference/descriptor.h"
#include "reference/tests/descriptor_bytes.h"

namespace hurray::reference::tests {

inline std::string described(const std::optional<Violation>& violation) {
  if (!violation) return "accepted";
  return std::string(facts::facts_of(violation->rule).id) + " at " + std::to_string(violation->at) + ": " +
         std::string(violation->message.text());
}

/// An outcome and the bytes that its views point into.
struct Read : DescriptorOutcome {
  std::vector<std::uint8_t> bytes;
};

inline Read read(const DescriptorBytes& descriptor, const Waivers& waivers = Waivers::none()) {
  Read result;
  result.bytes = descriptor.bytes();
  static_cast<DescriptorOutcome&>(result) = read_descriptor(result.bytes, 0, waivers);
  return result;
}

inline std::optional<Rule> first_broken(const DescriptorBytes& descriptor, const Waivers& waivers = Waivers::none()) {
  const std::optional<Violation> violation = read(descriptor, waivers).violation;
  return violation ? std::optional(violation->rule) : std::nullopt;
}

inline void expect_accepted(const DescriptorBytes& descriptor) {
  const Read outcome = read(descriptor);
  EXPECT_FALSE(outcome.violation) << described(outcome.violation);
  EXPECT_FALSE(outcome.descriptor.opaque);
  EXPECT_EQ(outcome.descriptor.at.end, descriptor.bytes().size());
}

/// Strict reading names `rule`, and with that one rule waived nothing else is wrong.
inline void expect_broken(const DescriptorBytes& descriptor, Rule rule) {
  SCOPED_TRACE(std::string(facts::facts_of(rule).id));
  const Read strict = read(descriptor);
  ASSERT_TRUE(strict.violation) << "accepted";
  EXPECT_EQ(strict.violation->rule, rule) << described(strict.violation);
  EXPECT_LE(strict.violation->at, descriptor.bytes().size());
  EXPECT_FALSE(strict.violation->message.text().empty());
  const Read waived = read(descriptor, Waivers::none().waive(rule));
  EXPECT_FALSE(waived.violation) << "waived: " << described(waived.violation);
}

}  // namespace hurray::reference::tests
