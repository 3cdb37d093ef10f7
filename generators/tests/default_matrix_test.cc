#include <gtest/gtest.h>

#include <set>

#include "generators/matrix.h"

namespace {

using namespace hurray::generators;
using hurray::facts::Surface;

/// The matrix of this checkout.
class DefaultMatrix : public testing::Test {
 protected:
  static void SetUpTestSuite() { loaded = new LoadedMatrix(load_matrix(HURRAY_SOURCE_DIR, Breadth::standard)); }
  static void TearDownTestSuite() {
    delete loaded;
    loaded = nullptr;
  }
  static LoadedMatrix* loaded;
};
LoadedMatrix* DefaultMatrix::loaded = nullptr;

TEST_F(DefaultMatrix, Loads) {
  for (const MatrixError& error : loaded->errors) ADD_FAILURE() << error.message;
  EXPECT_FALSE(loaded->matrix.cases.empty());
}

TEST_F(DefaultMatrix, EveryFaultAndCaseHasItsTwinOnTheSameSurface) {
  std::set<std::pair<std::string, Surface>> bases;
  for (const Case& one : loaded->matrix.cases)
    if (one.is_base()) bases.emplace(one.id, one.surface);
  for (const Case& one : loaded->matrix.cases) {
    const bool alone = one.is_base() || one.expect[0].verdict != Verdict::reject;
    EXPECT_TRUE(alone || bases.count({one.base, one.surface}) == 1) << one.id << " at " << one.source;
  }
}

}  // namespace
