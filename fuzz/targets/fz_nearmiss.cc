// A grown model with one fault of the register is rejected by that fault's rule. Bytes 0 and 1: the fault; byte 2: where.
#include "fuzz/near_miss.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hurray;
  constexpr std::size_t prefix = 3;
  if (size < prefix) return 0;
  generators::Decisions decisions(fuzz::Bytes(data, size).subspan(prefix));
  const std::size_t fault = (data[0] + 256u * data[1]) % fuzz::fault_count();
  const fuzz::NearMissOutcome outcome = fuzz::near_miss(fault, data[2], decisions);
  if (outcome.result == fuzz::NearMiss::broken) fuzz::fail("one fault shows as its rule", "%s", outcome.problem.c_str());
  return 0;
}
