#include "fuzz/target.h"

#include <algorithm>
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

struct Reached {
  std::uint64_t times = 0, first = 0;  // the execution, from 1, that reached it first
};

std::array<Reached, facts::rule_count> reached{};
std::uint64_t executions = 0;

/// Rules in the order in which they were reached: what HURRAY_RULES=1 prints.
void print_rules() {
  std::array<std::size_t, facts::rule_count> order{};
  std::size_t count = 0;
  for (std::size_t rule = 0; rule < facts::rule_count; ++rule)
    if (reached[rule].times > 0) order[count++] = rule;
  std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), [](std::size_t a, std::size_t b) { return reached[a].first < reached[b].first; });
  for (std::size_t k = 0; k < count; ++k)
    std::fprintf(stderr, "%s first at %llu, %llu times\n", facts::rules[order[k]].id.data(), static_cast<unsigned long long>(reached[order[k]].first),
                 static_cast<unsigned long long>(reached[order[k]].times));
  std::fprintf(stderr, "rejections of %zu rules reached in %llu executions\n", count, static_cast<unsigned long long>(executions));
}

/// Engines end with exit(); whoever started one and wants to know names a file in HURRAY_RULE_REPORT.
void report_rules() {
  if (const char* wanted = std::getenv("HURRAY_RULES"); wanted != nullptr && wanted[0] == '1') print_rules();
  const char* path = std::getenv("HURRAY_RULE_REPORT");
  std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "w");
  if (file == nullptr) return;
  for (std::size_t rule = 0; rule < facts::rule_count; ++rule)
    if (reached[rule].times > 0)
      std::fprintf(file, "%s %llu %llu\n", facts::rules[rule].id.data(), static_cast<unsigned long long>(reached[rule].times), static_cast<unsigned long long>(reached[rule].first));
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
  ++executions;
  if (!reading.violation) return;
  Reached& rule = reached[static_cast<std::size_t>(reading.violation->rule)];
  if (rule.times++ == 0) rule.first = executions;
}

std::vector<bool> rules_reached() {
  std::vector<bool> rules;
  for (const Reached& rule : reached) rules.push_back(rule.times > 0);
  return rules;
}

}  // namespace hurray::fuzz
