#include "harness/report.h"

#include <gtest/gtest.h>

#include "harness/escape.h"
#include "harness/tests/fixture.h"

namespace hurray::harness {
namespace {

/// A run in which FIX-01 has a case that the reader accepts.
class Rendering : public testing::Test {
 protected:
  Rendering() {
    matrix_.cases.push_back(fixture_case("FIX-01/bad@plain", "FIX-01", "A<bad>", generators::Verdict::reject));
    outcome_ = run(fixture_plan(matrix_, {}));
    scorer_.emplace(matrix_, outcome_.results);
    certificate_ = certify(matrix_, outcome_, {});
    baselines_.push_back({"accept-all", 6, 6, 2, 0, false, {}});
  }

  Report report() const {
    return {matrix_, outcome_, *scorer_, certificate_, baselines_, "--reader './mine'", {}, {}};
  }

  generators::Matrix matrix_ = fixture_matrix();
  RunOutcome outcome_;
  std::optional<Scorer> scorer_;
  Certificate certificate_;
  std::vector<Baseline> baselines_;
};

TEST_F(Rendering, AsJsonHasTheKeysThatOthersParse) {
  const auto root = nlohmann::json::parse(render_json(report(), false));
  EXPECT_TRUE(root["suite"].contains("version") && root["suite"].contains("spec"));
  EXPECT_EQ(root["reader"]["name"], "scripted");
  EXPECT_EQ(root["reader"]["surfaces"].size(), 4u);
  EXPECT_EQ(root["totals"]["cases"], 6);
  EXPECT_EQ(root["totals"]["fail"], 1);
  EXPECT_EQ(root["totals"]["pass"], 4);
  EXPECT_EQ(root["rules"].size(), 5u);
  EXPECT_EQ(root["rules"][0]["judgement"], "fail");
  EXPECT_EQ(root["rules"][0]["failed"], nlohmann::json({"FIX-01/bad@plain"}));
  EXPECT_EQ(root["rules"][4]["judgement"], "not-scored");
  ASSERT_EQ(root["cases"].size(), 1u);
  EXPECT_EQ(root["cases"][0]["judgement"], "false-accept");
  EXPECT_EQ(root["cases"][0]["observed"], "accept");
  EXPECT_EQ(root["baselines"]["accept-all"]["rules"], 0);
  EXPECT_EQ(root["certificate"]["holds"], false);
  EXPECT_EQ(root["certificate"]["level"], 1);
  EXPECT_FALSE(root["certificate"]["missing"].empty());
  EXPECT_EQ(nlohmann::json::parse(render_json(report(), true))["cases"].size(), 6u);
}

TEST_F(Rendering, AsHtmlShowsInputTwinRuleAndCommand) {
  const std::string page = render_html(report());
  EXPECT_NE(page.find("<mark>"), std::string::npos);
  EXPECT_NE(page.find("Valid twin <code>plain</code>"), std::string::npos);
  EXPECT_NE(page.find("Says &lt;something&gt; &amp; more."), std::string::npos);
  EXPECT_NE(page.find("hurray-conform run --reader './mine' --case 'FIX-01/bad@plain' --surface bare --mode strict"), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos) << "the page needs nothing from elsewhere";
}

TEST_F(Rendering, AsJunitCountsFailures) {
  const std::string xml = render_junit(report());
  EXPECT_NE(xml.find("tests=\"6\" failures=\"1\""), std::string::npos) << xml;
  EXPECT_NE(xml.find("<failure type=\"false-accept\""), std::string::npos);
}

TEST_F(Rendering, AsMarkdownAndForTerminalsNamesTheFailure) {
  EXPECT_NE(render_markdown(report()).find("### FIX-01/bad@plain (bare, strict)"), std::string::npos);
  const std::string plain = render_terminal(report(), false), coloured = render_terminal(report(), true);
  EXPECT_NE(plain.find("FIX-01/bad@plain [bare, strict]"), std::string::npos);
  EXPECT_EQ(plain.find('\033'), std::string::npos);
  EXPECT_NE(coloured.find('\033'), std::string::npos);
  EXPECT_NE(plain.find("certificate level 1 (Strict Reader): does not hold"), std::string::npos);
}

TEST(Escaping, LeavesNothingThatBreaksAPage) {
  EXPECT_EQ(escaped("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
  EXPECT_EQ(escaped("caf\xc3\xa9 \xff \x01"), "caf\xc3\xa9 ? ?");
  EXPECT_EQ(escaped("\xc3"), "?");
}

}  // namespace
}  // namespace hurray::harness
