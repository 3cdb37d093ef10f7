#include "fuzz/raw.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace hurray::fuzz {
namespace {

constexpr std::uint64_t fixed_allowance = 64u << 10, allowance_per_byte = 32;

using reference::Reading;
using reference::Waivers;

/// A mapping whose last page cannot be touched; input bytes are placed right before it.
class GuardedCopy {
 public:
  GuardedCopy() {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    usable_ = largest_input;
    void* memory = mmap(nullptr, usable_ + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("guard page", "mmap failed");
    start_ = static_cast<std::uint8_t*>(memory);
    if (mprotect(start_ + usable_, page, PROT_NONE) != 0) fail("guard page", "mprotect failed");
  }
  Bytes place(Bytes input) {
    std::uint8_t* at = start_ + (usable_ - input.size());
    if (!input.empty()) std::memcpy(at, input.data(), input.size());
    return {at, input.size()};
  }

 private:
  std::uint8_t* start_ = nullptr;
  std::size_t usable_ = 0;
};

void expect_same(const Reading& first, Bytes copy, facts::Surface surface, const char* property) {
  const Reading second = reference::read(copy, surface, Waivers::none());
  if (!same_outcome(first, second)) fail(property, "%zu bytes on surface %u", copy.size(), static_cast<unsigned>(surface));
}

}  // namespace

bool same_outcome(const Reading& left, const Reading& right) {
  if (left.accepted() != right.accepted() || left.partial != right.partial) return false;
  if (!left.accepted() && (left.violation->rule != right.violation->rule || left.violation->at != right.violation->at)) return false;
  if (left.tensors.size() != right.tensors.size()) return false;
  for (std::size_t at = 0; at < left.tensors.size(); ++at) {
    const reference::Tensor& a = left.tensors[at];
    const reference::Tensor& b = right.tensors[at];
    if (a.enclosing != b.enclosing || a.complete != b.complete || a.descriptor.length != b.descriptor.length) return false;
  }
  return true;
}

std::vector<std::uint32_t> top_level(const Reading& reading) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t at = 0; at < reading.tensors.size(); at += std::max<std::uint32_t>(reading.tensors[at].skip, 1)) numbers.push_back(at);
  return numbers;
}

void check_any_bytes(Bytes input, facts::Surface surface) {
  input = input.first(std::min(input.size(), largest_input));
  const AllocationMeter meter;
  const Reading reading = reference::read(input, surface, Waivers::none());
  const std::uint64_t used = meter.allocated();
  if (used > fixed_allowance + allowance_per_byte * input.size())
    fail("memory ceiling", "%llu bytes allocated for %zu bytes of input", static_cast<unsigned long long>(used), input.size());
  count_verdict(reading);
  const bool sampled = !input.empty() && input[input.size() / 2] % 8 == 0;
  if (!sampled) return;
  expect_same(reading, input, surface, "the second read gives the same outcome");
  std::vector<std::uint8_t> shifted(input.size() + 1);
  std::memcpy(shifted.data() + 1, input.data(), input.size());
  expect_same(reading, Bytes(shifted).subspan(1), surface, "a misaligned copy gives the same outcome");
  static GuardedCopy guarded;
  expect_same(reading, guarded.place(input), surface, "a copy at a guard page gives the same outcome");
}

}  // namespace hurray::fuzz
