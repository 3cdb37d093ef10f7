// What was accepted on any carrier and is carried on as a bare stream is accepted again, with the same tree, buffers and
// values; a bare stream comes back byte for byte. Byte 0: the carrier. Descriptors are carried as they are: that their
// fields survive a decode and an encode is fz_tree's property, not this one's.
#include <algorithm>

#include "fuzz/raw.h"
#include "reference/merge.h"

namespace {

using namespace hurray;
using reference::Reading;

constexpr const char* property = "what was accepted is accepted again when carried on";
constexpr std::uint64_t largest_view = 1u << 14;

std::vector<std::uint8_t> carry_bare(fuzz::Bytes input, const Reading& reading) {
  std::vector<std::uint8_t> out;
  for (const reference::Tensor& tensor : reading.tensors) {
    const fuzz::Bytes descriptor = input.subspan(static_cast<std::size_t>(tensor.descriptor.at.start), tensor.descriptor.length);
    out.insert(out.end(), descriptor.begin(), descriptor.end());
    for (std::size_t k = 0; k < tensor.descriptor.buffer_count; ++k) {
      const fuzz::Bytes buffer = reading.buffers[tensor.first_buffer + k];
      out.insert(out.end(), buffer.begin(), buffer.end());
    }
  }
  return out;
}

std::vector<std::uint8_t> values(const Reading& reading, std::uint32_t number) {
  const std::optional<std::uint64_t> size = reference::merged_size(reading, number);
  if (!size || *size > largest_view) return {};
  std::vector<std::uint8_t> merged(static_cast<std::size_t>(*size));
  if (reference::merge(reading, number, merged) != reference::ValueStatus::ok) fuzz::fail(property, "tensor %u does not merge", number);
  return merged;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr facts::Surface carriers[] = {facts::Surface::bare, facts::Surface::framed, facts::Surface::file};
  const facts::Surface surface = carriers[data[0] % 3];
  const fuzz::Bytes input = fuzz::Bytes(data, std::min(size, fuzz::largest_input)).subspan(1);
  const Reading first = reference::read(input, surface, reference::Waivers::none());
  fuzz::count_verdict(first);
  if (!first.accepted()) return 0;
  const std::vector<std::uint8_t> carried = carry_bare(input, first);
  if (surface == facts::Surface::bare && !std::equal(input.begin(), input.end(), carried.begin(), carried.end()))
    fuzz::fail(property, "a bare stream of %zu bytes comes back as %zu others", input.size(), carried.size());
  const Reading second = reference::read(carried, facts::Surface::bare, reference::Waivers::none());
  if (!second.accepted())
    fuzz::fail(property, "from surface %u, now rejected with %s", static_cast<unsigned>(surface),
               facts::facts_of(second.violation->rule).id.data());
  if (second.tensors.size() != first.tensors.size()) fuzz::fail(property, "%zu tensors became %zu", first.tensors.size(), second.tensors.size());
  for (std::size_t at = 0; at < first.tensors.size(); ++at)
    if (first.tensors[at].enclosing != second.tensors[at].enclosing) fuzz::fail(property, "tensor %zu has another head", at);
  for (const std::uint32_t number : fuzz::top_level(first))
    if (values(first, number) != values(second, number)) fuzz::fail(property, "tensor %u has other values", number);
  return 0;
}
