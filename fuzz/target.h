// What all fuzz targets share: the entry point's type, a failure that names its property, and counted memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference/read.h"

namespace hurray::fuzz {

using Bytes = std::span<const std::uint8_t>;

/// Inputs beyond this are cut: the limit is the target's own, so that every engine and a replay see the same bytes.
inline constexpr std::size_t largest_input = 1u << 16;

/// Prints the property, what broke it and the values, and aborts: the engine keeps the input.
[[noreturn, gnu::format(printf, 2, 3)]] void fail(const char* property, const char* format, ...);

/// Bytes allocated by this thread since construction; freed memory is not given back.
class AllocationMeter {
 public:
  AllocationMeter();
  std::uint64_t allocated() const;

 private:
  std::uint64_t before_;
};

/// Counts an execution and the rule whose rejection it reached. At the end of the process HURRAY_RULES=1 prints the rules
/// with the execution that reached each first, and HURRAY_RULE_REPORT names a file for the same: rule, times, first.
void count_verdict(const reference::Reading& reading);

/// Rules reached so far in this process, one bit a rule.
std::vector<bool> rules_reached();

}  // namespace hurray::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
