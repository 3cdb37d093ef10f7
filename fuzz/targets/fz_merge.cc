// The reference computes the values that the oracle finds from the model: every element of every item that has values.
#include "fuzz/growth_limits.h"
#include "fuzz/raw.h"
#include "fuzz/same_view.h"
#include "generators/build.h"
#include "generators/oracle.h"
#include "reference/merge.h"

namespace {

using namespace hurray;

constexpr std::uint64_t largest_view = 4096;
constexpr const char* property = "merge gives what the oracle admits";

void check_item(const generators::Node& item, const reference::Reading& reading, std::uint32_t number) {
  const std::optional<std::vector<generators::AdmissibleElement>> oracle = generators::oracle_view(item, largest_view);
  if (!oracle) return;
  const std::optional<std::uint64_t> size = reference::merged_size(reading, number);
  if (!size) fuzz::fail(property, "tensor %u has values, the reference says that it has none", number);
  std::vector<std::uint8_t> merged(static_cast<std::size_t>(*size));
  if (reference::merge(reading, number, merged) != reference::ValueStatus::ok) fuzz::fail(property, "tensor %u does not merge", number);
  const std::uint8_t type = generators::view_type(item);
  const std::vector<generators::Bits> elements = generators::unpack(type, merged, oracle->size());
  if (elements.size() != oracle->size()) fuzz::fail(property, "tensor %u merges to %zu bytes", number, merged.size());
  for (std::size_t at = 0; at < elements.size(); ++at)
    if (!(*oracle)[at].admits(type, elements[at]))
      fuzz::fail(property, "tensor %u element %zu is %llx:%llx", number, at, static_cast<unsigned long long>(elements[at].high),
                 static_cast<unsigned long long>(elements[at].low));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  generators::Decisions decisions(fuzz::Bytes(data, size));
  const generators::Model model = generators::grow(decisions, fuzz::values_limits());
  const std::vector<std::uint8_t> bytes = generators::write(model, facts::Surface::bare);
  const reference::Reading reading = reference::read(bytes, facts::Surface::bare, reference::Waivers::none());
  fuzz::expect_view(model, reading, "what the writer writes, the reader accepts and understands");
  const std::vector<std::uint32_t> numbers = fuzz::top_level(reading);
  for (std::size_t at = 0; at < model.items.size(); ++at) check_item(model.items[at], reading, numbers[at]);
  return 0;
}
