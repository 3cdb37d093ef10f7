// A stream that arrives in pieces reads as the whole buffer does. Byte 0: the carrier; bytes 1 to 4: where it is cut.
#include <algorithm>

#include "fuzz/raw.h"
#include "reference/stream_reader.h"

namespace {

using namespace hurray;

constexpr std::size_t prefix = 5;

/// Pieces of 1 to 64 bytes, now and then one of up to 4 KiB, or one that is empty.
class Cuts {
 public:
  explicit Cuts(fuzz::Bytes seed) {
    for (const std::uint8_t byte : seed) state_ = state_ * 257 + byte;
  }
  std::size_t next(std::size_t left) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    const std::uint64_t draw = state_ >> 33;
    if (draw % 16 == 0) return 0;
    const std::size_t widest = draw % 16 == 1 ? 4096 : 64;
    return std::min(left, static_cast<std::size_t>(1 + (draw >> 4) % widest));
  }

 private:
  std::uint64_t state_ = 1;
};

bool same_buffers(const reference::Reading& left, const reference::Reading& right) {
  return std::equal(left.buffers.begin(), left.buffers.end(), right.buffers.begin(), right.buffers.end(),
                    [](fuzz::Bytes a, fuzz::Bytes b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < prefix) return 0;
  const fuzz::Bytes all(data, std::min(size, fuzz::largest_input)), stream = all.subspan(prefix);
  const facts::Surface surface = data[0] % 2 == 0 ? facts::Surface::bare : facts::Surface::framed;
  const reference::Reading whole = reference::read(stream, surface, reference::Waivers::none());
  fuzz::count_verdict(whole);
  reference::StreamReader reader(surface, reference::Waivers::none());
  Cuts cuts(all.subspan(1, prefix - 1));
  std::size_t at = 0;
  while (at < stream.size()) {
    const std::size_t length = cuts.next(stream.size() - at);
    if (!reader.feed(stream.subspan(at, length))) break;
    at += length;
  }
  const reference::Reading pieces = reader.finish();
  if (!fuzz::same_outcome(whole, pieces))
    fuzz::fail("pieces read as the whole", "%zu bytes, accepted %d and %d", stream.size(), whole.accepted(), pieces.accepted());
  if (whole.accepted() && !same_buffers(whole, pieces)) fuzz::fail("pieces read as the whole", "the buffers differ");
  return 0;
}
