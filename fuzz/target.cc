#include "fuzz/target.h"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t allocated_bytes = 0;

void* counted(std::size_t size) {
  allocated_bytes += size;
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

void* operator new(std::size_t size) {
  if (void* memory = counted(size)) return memory;
  std::abort();
}
void* operator new[](std::size_t size) { return operator new(size); }
// libFuzzer allocates with these and frees with the plain ones: all must come from one place.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return counted(size); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace hurray::fuzz {
namespace {

std::array<std::uint64_t, facts::rule_count> reached{};

/// Engines end with exit(); whoever started one and wants to know names a file in HURRAY_RULE_REPORT.
void report_rules() {
  const char* path = std::getenv("HURRAY_RULE_REPORT");
  std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "w");
  if (file == nullptr) return;
  for (std::size_t rule = 0; rule < facts::rule_count; ++rule)
    if (reached[rule] > 0) std::fprintf(file, "%s %llu\n", facts::rules[rule].id.data(), static_cast<unsigned long long>(reached[rule]));
  std::fclose(file);
}


}  // namespace

void fail(const char* property, const char* format, ...) {
  std::fprintf(stderr, "property broken: %s: ", property);
  va_list values;
  va_start(values, format);
  std::vfprintf(stderr, format, values);
  va_end(values);
  std::fputc('\n', stderr);
  std::abort();
}

AllocationMeter::AllocationMeter() : before_(allocated_bytes) {}
std::uint64_t AllocationMeter::allocated() const { return allocated_bytes - before_; }

void count_verdict(const reference::Reading& reading) {
  static const bool reports = std::atexit(report_rules) == 0;
  static_cast<void>(reports);
  if (reading.violation) ++reached[static_cast<std::size_t>(reading.violation->rule)];
}

std::vector<bool> rules_reached() {
  std::vector<bool> rules;
  for (const std::uint64_t count : reached) rules.push_back(count > 0);
  return rules;
}

}  // namespace hurray::fuzz
