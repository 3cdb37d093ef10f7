// Bases and edits with random values in random places: an error or an input, never a crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>

#include "generators/build.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;

std::vector<Json> entries(const char* folder) {
  std::vector<Json> out;
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(std::string(HURRAY_SOURCE_DIR "/conformance/") + folder))
    files.push_back(file.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream in(file);
    const Json all = Json::parse(in);
    out.insert(out.end(), all.begin(), all.end());
  }
  return out;
}

void collect(Json& value, std::vector<Json*>& out) {
  out.push_back(&value);
  if (!value.is_structured()) return;
  for (Json& each : value) collect(each, out);
}

class Mangler {
 public:
  std::size_t below(std::size_t count) { return random_() % count; }

  void mangle(Json& value) {
    static const std::array<Json, 16> extremes{
        0, -1, 1, 7, 65, 4294967296, "18446744073709551615", "9223372036854775808", 3.7e300, "nan", nullptr, Json::array(),
        Json::object(), true, "0xff", "iota"};
    std::vector<Json*> places;
    collect(value, places);
    *places[below(places.size())] = extremes[below(extremes.size())];
  }

 private:
  std::mt19937_64 random_{20};
};

TEST(Build, MangledBasesAndEditsGiveAnErrorOrAnInput) {
  const std::vector<Json> bases = entries("bases");
  std::vector<Json> steps;
  for (const Json& entry : entries("cases"))
    if (entry.contains("edit")) steps.insert(steps.end(), entry["edit"].begin(), entry["edit"].end());
  ASSERT_FALSE(bases.empty() || steps.empty());
  Mangler mangler;
  std::size_t built = 0;
  for (int k = 0; k < 3000; ++k) {
    Json base = bases[mangler.below(bases.size())], edits = Json::array();
    for (std::size_t n = mangler.below(3); n > 0; --n) mangler.mangle(base);
    for (std::size_t n = mangler.below(4); n > 0; --n) {
      edits.push_back(steps[mangler.below(steps.size())]);
      if (mangler.below(3) == 0) mangler.mangle(edits.back());
    }
    const auto surface = static_cast<facts::Surface>(mangler.below(4));
    const Built out = build(base, edits, surface);
    if (!out.error.empty()) continue;
    ++built;
    const Json view = expected_view(out.model, surface);
    EXPECT_TRUE(view.is_array());
  }
  EXPECT_GT(built, 100u);
}

}  // namespace
}  // namespace hurray::generators
