// Any bytes as the key-value section and index of an otherwise valid file.
#include <algorithm>

#include "fuzz/file_sections.h"
#include "fuzz/raw.h"

namespace {

using namespace hurray;

/// Once: a wrapper that is wrong itself would make every input a rejected file, and prove nothing.
bool check_wrapper() {
  const reference::Reading reading = reference::read(fuzz::wrap_sections(fuzz::valid_sections()), facts::Surface::file, reference::Waivers::none());
  if (!reading.accepted()) fuzz::fail("the file around the sections is valid", "rejected with %s", facts::facts_of(reading.violation->rule).id.data());
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool checked = check_wrapper();
  static_cast<void>(checked);
  constexpr std::size_t largest_sections = 1u << 15;
  const std::vector<std::uint8_t> file = fuzz::wrap_sections({data, std::min(size, largest_sections)});
  fuzz::check_any_bytes(file, facts::Surface::file);
  return 0;
}
