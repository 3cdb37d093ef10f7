#include "harness/expectations.h"

#include <gtest/gtest.h>

#include <fstream>

#include "harness/tests/fixture.h"

namespace hurray::harness {
namespace {

class ExpectationsFile : public testing::Test {
 protected:
  Expectations read(const std::string& text) {
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) /
        (std::string("expectations-") + testing::UnitTest::GetInstance()->current_test_info()->name() + ".json");
    std::ofstream(path) << text;
    Expectations read = read_expectations(path);
    std::filesystem::remove(path);
    return read;
  }

  /// Everything passes but FIX-02, which accepts.
  std::vector<Result> results() {
    std::vector<Result> all;
    for (std::uint32_t i = 0; i < matrix_.cases.size(); ++i)
      for (const facts::Mode mode : {facts::Mode::strict, facts::Mode::permissive}) {
        Result result;
        result.task = {i, mode};
        result.ran = true;
        result.judgement = matrix_.cases[i].rule == "FIX-02" ? Judgement::false_accept : Judgement::pass;
        all.push_back(result);
      }
    return all;
  }

  generators::Matrix matrix_ = fixture_matrix();
};

TEST_F(ExpectationsFile, TurnsAKnownFailureIntoAnExpectedOne) {
  std::vector<Result> all = results();
  const auto stale = apply_expectations(read(R"([{"rule":"FIX-02","why":"ticket 7"}])"), matrix_, all);
  EXPECT_TRUE(stale.empty());
  for (const Result& result : all) EXPECT_FALSE(is_failure(result.judgement));
}

TEST_F(ExpectationsFile, IsOutOfDateWhereAnEntryPassesOrMatchesNothing) {
  std::vector<Result> all = results();
  const auto stale = apply_expectations(
      read(R"([{"case":"FIX-01/one@plain","surface":"bare","why":"x"},{"rule":"FIX-02","surface":"file","why":"y"}])"), matrix_, all);
  EXPECT_EQ(stale, (std::vector<std::string>{"case FIX-01/one@plain on bare passes now; remove the entry",
                                             "rule FIX-02 on file matches nothing in the matrix; remove the entry"}));
  EXPECT_EQ(all[2].judgement, Judgement::unexpected_pass);
}

TEST_F(ExpectationsFile, IsNotOutOfDateForWhatThisRunDidNotAsk) {
  std::vector<Result> all = results();
  all.erase(all.begin() + 2);
  EXPECT_TRUE(apply_expectations(read(R"([{"rule":"FIX-01","why":"x"}])"), matrix_, all).empty());
}

TEST_F(ExpectationsFile, ThatMakesNoSenseNamesTheEntry) {
  EXPECT_NE(read("{").error, "");
  EXPECT_NE(read("{}").error, "");
  EXPECT_NE(read(R"([{"rule":"A","why":"x"},{"rule":"B"}])").error.find("entry 2"), std::string::npos);
  EXPECT_NE(read(R"([{"rule":"A","case":"B","why":"x"}])").error, "");
  EXPECT_NE(read(R"([{"rules":"A","why":"x"}])").error.find("unknown key"), std::string::npos);
  EXPECT_NE(read_expectations("/no/such/file").error.find("cannot be read"), std::string::npos);
}

}  // namespace
}  // namespace hurray::harness
