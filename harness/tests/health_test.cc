#include "harness/health.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace {

using namespace hurray::harness;
using State = HealthEntry::State;
namespace fs = std::filesystem;

class HealthPage : public testing::Test {
 protected:
  HealthPage() : folder_(fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "conformance");
  }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  std::vector<HealthEntry> health(const std::vector<Baseline>& baselines = {}) {
    return suite_health(folder_, folder_ / "conformance", hurray::generators::Matrix{}, baselines);
  }

  static const HealthEntry& about(const std::vector<HealthEntry>& health, const std::string& subject) {
    static const HealthEntry none{State::told, "none", "none", {}};
    const auto found = std::find_if(health.begin(), health.end(), [&](const HealthEntry& entry) { return entry.subject.find(subject) != std::string::npos; });
    return found == health.end() ? none : *found;
  }

  fs::path folder_;
};

constexpr const char* selftest = R"({"quick": false, "false_alarms": [],
  "rules": {"total": 3, "killed": 2, "unkillable": 1, "survivors": ["B-01"], "matrix": [
    {"rule": "A-01", "killed": true}, {"rule": "B-01", "killed": false, "unkillable": "why"}, {"rule": "C-01", "killed": true}]},
  "mutants": {"total": 2, "killed": 1, "unkillable": 0, "survivors": ["worse"], "matrix": [
    {"mutant": "bad", "killed": true}, {"mutant": "worse", "killed": false}]}})";

TEST_F(HealthPage, SaysThatWhatWasNotMeasuredIsMissingAndHowToMeasureIt) {
  const std::vector<HealthEntry> all = health();
  for (const char* subject : {"kill matrix", "coverage", "second opinions", "do not read", "interactions"}) {
    EXPECT_EQ(about(all, subject).state, State::missing) << subject;
    EXPECT_NE(about(all, subject).text.find("not "), std::string::npos) << subject;
  }
  EXPECT_NE(about(all, "coverage").text.find("./dev coverage"), std::string::npos);
  EXPECT_NE(render_health_markdown(all).find("| kill matrix | **missing** |"), std::string::npos);
  EXPECT_NE(render_health_html(all).find("<td class=\"bad\">missing"), std::string::npos);
}

TEST_F(HealthPage, ShowsSurvivorsButNotWhatCannotBeCaught) {
  write("selftest.json", selftest);
  const std::vector<HealthEntry> all = health();
  EXPECT_EQ(about(all, "without one rule").state, State::good);
  EXPECT_NE(about(all, "without one rule").text.find("2 of 3 (66.7 %) caught; 1 cannot be caught"), std::string::npos);
  EXPECT_EQ(about(all, "named mutants").state, State::bad);
  EXPECT_EQ(about(all, "named mutants").details, std::vector<std::string>{"worse"});
  EXPECT_EQ(about(all, "as it is").state, State::good);
}

TEST_F(HealthPage, TakesNoFileOfAnotherShapeForAPass) {
  write("selftest.json", R"({"rules": 7})");
  write("coverage.json", "no JSON");
  const std::vector<HealthEntry> all = health();
  EXPECT_EQ(about(all, "selftest.json").state, State::missing);
  EXPECT_EQ(about(all, "coverage").state, State::missing);
}

TEST_F(HealthPage, ShowsCoverageAndOpenDisagreements) {
  write("coverage.json", R"({"lines": {"covered": 99, "total": 100}, "branches": {"covered": 90, "total": 100},
    "files": [{"name": "cover.cc", "lines": {"covered": 1, "total": 1}, "branches": {"covered": 3, "total": 4}}]})");
  write("second-opinions.json", R"({"readers": {"one": 5}, "groups": 4, "open": 1, "stale": 0, "adjudications": 3})");
  const std::vector<HealthEntry> all = health();
  EXPECT_EQ(about(all, "coverage").state, State::bad) << "below 95 % of branches";
  EXPECT_NE(about(all, "coverage").details.front().find("cover.cc: branches 3 of 4"), std::string::npos);
  EXPECT_EQ(about(all, "second opinions").state, State::bad);
  EXPECT_NE(about(all, "second opinions").text.find("1 that nobody has looked at"), std::string::npos);
}

TEST_F(HealthPage, ProofsFromBeforeTheDataChangedAreNoGoodOnes) {
  write("second-opinions.json", R"({"readers": {"one": 5}, "groups": 0, "open": 0, "stale": 0, "adjudications": 0})");
  EXPECT_EQ(about(health(), "second opinions").state, State::good);
  write("conformance/rules.json", "[]");
  fs::last_write_time(folder_ / "conformance/rules.json", fs::last_write_time(folder_ / "second-opinions.json") + std::chrono::seconds(5));
  EXPECT_EQ(about(health(), "second opinions").state, State::bad);
}

TEST_F(HealthPage, AReaderThatDoesNotReadMustPassNoRule) {
  Baseline honest, lucky;
  honest.name = "reject-all";
  lucky.name = "accept-all";
  lucky.passed_rules = 1;
  EXPECT_EQ(about(health({honest}), "do not read").state, State::good);
  EXPECT_EQ(about(health({honest, lucky}), "do not read").state, State::bad);
}

}  // namespace
