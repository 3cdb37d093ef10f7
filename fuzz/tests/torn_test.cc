// Every base, cut at every byte that matters on each stream surface: a strict reader rejects what is left, and no mode
// shows it as a complete composite.
#include <gtest/gtest.h>

#include "generators/arrival.h"
#include "generators/build.h"
#include "generators/matrix.h"
#include "reference/read.h"

namespace hurray {
namespace {

using facts::Surface;
using generators::Case;

bool claims_completeness(const reference::Reading& reading) {
  const reference::Tensor* last = nullptr;
  for (const reference::Tensor& tensor : reading.tensors)
    if (tensor.enclosing == reference::Tensor::none) last = &tensor;
  return last != nullptr && last->descriptor.is_head() && last->complete && last->members_seen < last->descriptor.layout.member_count;
}

TEST(Torn, EveryCutOfTheExhaustiveMatrixIsRejectedAndNeverShownAsComplete) {
  const generators::LoadedMatrix loaded = generators::load_matrix(HURRAY_SOURCE_DIR, generators::Breadth::exhaustive);
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors.front().message;
  std::size_t tried = 0;
  for (const Case& one : loaded.matrix.cases) {
    if (!one.swept) continue;
    const std::vector<std::uint8_t> bytes = one.bytes();
    ++tried;
    EXPECT_FALSE(reference::read(bytes, one.surface, reference::Waivers::none()).accepted())
        << one.id << " on " << facts::surface_names[static_cast<std::size_t>(one.surface)];
    EXPECT_FALSE(claims_completeness(reference::read(bytes, one.surface, reference::Waivers::of(facts::Mode::permissive)))) << one.id;
  }
  EXPECT_GT(tried, 100000u);
}

}  // namespace
}  // namespace hurray
