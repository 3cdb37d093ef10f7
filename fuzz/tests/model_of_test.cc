// Any valid input becomes a model, and the model decisions that grow it, or the nearest that growth has.
#include "fuzz/model_of.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "generators/build.h"
#include "generators/grow.h"
#include "generators/matrix.h"

namespace hurray::fuzz {
namespace {

using facts::Surface;
using generators::Model;
using Input = std::vector<std::uint8_t>;

Input random_bytes(std::uint32_t& state, std::size_t size) {
  Input bytes;
  for (std::size_t at = 0; at < size; ++at) {
    state = state * 1664525 + 1013904223;
    bytes.push_back(static_cast<std::uint8_t>(state >> 24));
  }
  return bytes;
}

TEST(ModelOf, ReadsBackWhatWasGrownAndWritten) {
  std::uint32_t state = 5;
  for (std::size_t number = 0; number < 600; ++number) {
    const Input bytes = random_bytes(state, 8 + number);
    generators::Decisions decisions(bytes);
    const Model model = generators::grow(decisions);
    for (const Surface surface : {Surface::bare, Surface::framed, Surface::file}) {
      const Input input = generators::write(model, surface);
      const std::optional<Model> read = model_of(input, surface);
      ASSERT_TRUE(read.has_value());
      EXPECT_EQ(generators::write(*read, surface), input) << number << ' ' << generators::print_model(model) << '\n' << generators::print_model(*read);
    }
  }
}

/// How many of the accepted cases come back from their decisions: byte for byte, or with the same view.
struct Reproduced {
  std::size_t cases = 0, modelled = 0, exact = 0, same_view = 0;
};

Reproduced reproduce(const generators::Matrix& matrix, Surface surface) {
  Reproduced out;
  for (const generators::Case& one : matrix.cases) {
    if (one.surface != surface) continue;
    const Input input = one.bytes();
    const std::optional<Model> model = model_of(input, surface);
    if (!model) continue;
    ++out.cases;
    out.modelled += generators::write(*model, surface) == input ? 1 : 0;
    const generators::Regrown regrown = generators::decisions_of(*model);
    generators::Decisions decisions(regrown.decisions);
    const Model grown = generators::grow(decisions);
    EXPECT_EQ(grown.items, regrown.model.items) << one.id;
    const Input again = generators::write(grown, surface);
    const reference::Reading reading = reference::read(again, surface, reference::Waivers::none());
    EXPECT_TRUE(reading.accepted()) << one.id << ": " << facts::facts_of(reading.violation->rule).id;
    const bool same = generators::expected_view(grown, Surface::bare) == generators::expected_view(*model, Surface::bare);
    out.exact += again == input ? 1 : 0;
    out.same_view += same ? 1 : 0;
  }
  return out;
}

/// Measured, in per cent of the accepted cases. A head that stands alone on the surface `descriptor` has no members there,
/// and what grows has.
struct Floor {
  Surface surface;
  std::size_t modelled, exact, same_view;
};
constexpr Floor floors[] = {{Surface::descriptor, 7, 35, 49}, {Surface::bare, 97, 81, 92}, {Surface::framed, 96, 77, 87}, {Surface::file, 90, 68, 87}};

TEST(ModelOf, DecisionsOfEveryAcceptedCaseGrowAModelThatIsAccepted) {
  const auto loaded = generators::load_matrix(HURRAY_SOURCE_DIR, generators::Breadth::standard);
  ASSERT_TRUE(loaded.errors.empty());
  for (const auto& [surface, modelled, exact, same_view] : floors) {
    const Reproduced got = reproduce(loaded.matrix, surface);
    std::printf("%-10s %zu accepted cases, %zu written again byte for byte from their model; grown from their decisions: %zu byte for byte, %zu with the same view\n",
                facts::surface_names[static_cast<std::size_t>(surface)].data(), got.cases, got.modelled, got.exact, got.same_view);
    EXPECT_GE(got.modelled * 100, got.cases * modelled);
    EXPECT_GE(got.exact * 100, got.cases * exact);
    EXPECT_GE(got.same_view * 100, got.cases * same_view);
  }
}

}  // namespace
}  // namespace hurray::fuzz
