#include "fuzz/near_miss.h"

#include <gtest/gtest.h>

#include <set>

namespace hurray::fuzz {
namespace {

TEST(NearMiss, ManyFaultsOfTheRegisterApplyToGrownModelsAndShowAsTheirRule) {
  std::set<std::string> held;
  std::set<std::string> broken;
  std::uint32_t state = 1;
  for (std::size_t number = 0; number < 1200; ++number) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t at = 0; at < 16 + number % 96; ++at) {
      state = state * 1664525 + 1013904223;
      bytes.push_back(static_cast<std::uint8_t>(state >> 24));
    }
    generators::Decisions decisions(bytes);
    const NearMissOutcome outcome = near_miss(number, bytes[0], decisions);
    if (outcome.result == NearMiss::held) held.insert(outcome.fault);
    if (outcome.result == NearMiss::broken) broken.insert(outcome.problem);
  }
  for (const std::string& problem : broken) ADD_FAILURE() << problem;
  RecordProperty("faults_held", static_cast<int>(held.size()));
  EXPECT_GE(held.size(), 100u) << "the embedded faults hardly ever apply: the property proves little";
}

}  // namespace
}  // namespace hurray::fuzz
