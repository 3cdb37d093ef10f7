// Every base, cut at every byte that matters on each stream surface: a strict reader rejects what is left, and no mode
// shows it as a complete composite. Only a cut before a top-level item leaves a shorter stream that is whole.
#include <gtest/gtest.h>

#include <set>

#include "generators/matrix.h"
#include "reference/read.h"

namespace hurray {
namespace {

using facts::Surface;
using generators::Case;

/// A field that starts a top-level item: its path has no members, and it is the first of its item.
bool starts_item(const std::string& label) {
  const bool first = label.size() > 6 && (label.ends_with(".magic") || label.ends_with(".message.type"));
  return first && label.find("members") == std::string::npos;
}

struct Cuts {
  std::set<std::size_t> torn, whole;
};

/// Each field's start, one byte to either side, and its middle.
Cuts cuts_of(const Case& base) {
  Cuts cuts;
  std::size_t at = 0;
  const std::size_t end = base.bytes().size();
  bool framed_item = false;
  for (const generators::Segment& segment : base.segments) {
    const bool opens = starts_item(segment.label) && !(framed_item && segment.label.ends_with(".magic"));
    framed_item = segment.label.find(".message.") != std::string::npos;
    if (opens) cuts.whole.insert(at);
    for (const std::size_t place : {at, at + 1, at - (at > 0 ? 1 : 0), at + segment.bytes.size() / 2})
      if (place < end) cuts.torn.insert(place);
    at += segment.bytes.size();
  }
  for (const std::size_t place : cuts.whole) cuts.torn.erase(place);
  cuts.torn.erase(0);
  return cuts;
}

bool claims_completeness(const reference::Reading& reading) {
  const reference::Tensor* last = nullptr;
  for (const reference::Tensor& tensor : reading.tensors)
    if (tensor.enclosing == reference::Tensor::none) last = &tensor;
  return last != nullptr && last->descriptor.is_head() && last->complete && last->members_seen < last->descriptor.layout.member_count;
}

TEST(Torn, EveryBaseCutAnywhereOnAStreamIsRejectedAndNeverShownAsComplete) {
  const generators::LoadedMatrix loaded = generators::load_matrix(HURRAY_SOURCE_DIR, generators::Breadth::standard);
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors.front().message;
  std::size_t tried = 0;
  for (const Case& base : loaded.matrix.cases) {
    const bool stream = base.surface == Surface::bare || base.surface == Surface::framed;
    if (!base.is_base() || !stream || base.expect[0].verdict != generators::Verdict::accept) continue;
    const std::vector<std::uint8_t> bytes = base.bytes();
    if (bytes.size() > (1u << 16)) continue;
    for (const std::size_t cut : cuts_of(base).torn) {
      const std::span<const std::uint8_t> left(bytes.data(), cut);
      ++tried;
      EXPECT_FALSE(reference::read(left, base.surface, reference::Waivers::none()).accepted())
          << base.id << " on " << facts::surface_names[static_cast<std::size_t>(base.surface)] << " cut at byte " << cut << " of " << bytes.size();
      EXPECT_FALSE(claims_completeness(reference::read(left, base.surface, reference::Waivers::of(facts::Mode::permissive))))
          << base.id << " cut at byte " << cut;
    }
  }
  EXPECT_GT(tried, 10000u);
}

}  // namespace
}  // namespace hurray
