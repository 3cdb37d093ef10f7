// The whole program on the small matrix of tests/data.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace hurray::harness {
namespace {

namespace fs = std::filesystem;

struct Ran {
  int code = -1;
  std::string output;  // stdout and stderr
};

class EndToEnd : public testing::Test {
 protected:
  EndToEnd() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / ("hurray-" + std::string(test->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~EndToEnd() override { fs::remove_all(folder_); }

  /// `arguments` go through a shell; % stands for the test's own folder.
  Ran run(std::string arguments, std::string data = HARNESS_TEST_DATA) {
    arguments = "--data " + data + " " + arguments;
    for (std::size_t at = arguments.find('%'); at != std::string::npos; at = arguments.find('%', at))
      arguments.replace(at, 1, folder_.string());
    const std::string command = std::string(HURRAY_CONFORM) + " " + arguments + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    Ran ran;
    char chunk[4096];
    while (const std::size_t count = fread(chunk, 1, sizeof chunk, pipe)) ran.output.append(chunk, count);
    ran.code = WEXITSTATUS(pclose(pipe));
    return ran;
  }

  void write(const char* name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::string read(const char* name) {
    std::ifstream in(folder_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
};

TEST_F(EndToEnd, BundledReaderIsCertified) {
  const Ran ran = run("run --builtin --memory-mb 0 --json %/r.json --junit %/r.xml --markdown %/r.md --html %/html");
  EXPECT_EQ(ran.code, 0) << ran.output;
  const auto report = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(report["reader"]["name"], "hurray-reference");
  EXPECT_EQ(report["totals"]["fail"], 0);
  EXPECT_EQ(report["totals"]["rules"]["pass"], 2);
  EXPECT_EQ(report["certificate"]["holds"], true) << report["certificate"].dump(1);
  for (const char* name : {"accept-all", "reject-all", "crash", "hang", "echo", "random"})
    EXPECT_EQ(report["baselines"][name]["rules"], 0) << name;
  EXPECT_NE(read("r.xml"), "");
  EXPECT_NE(read("r.md"), "");
  EXPECT_NE(read("html/index.html"), "");
}

TEST_F(EndToEnd, ReaderThatDoesNotEnforceARuleFailsThatRule) {
  const std::string reader = std::string("--reader '") + HURRAY_CONFORM + " reader --waive CMP-OP-01'";
  const Ran ran = run("run " + reader + " --memory-mb 0 --json %/r.json");
  EXPECT_EQ(ran.code, 1) << ran.output;
  const auto report = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(report["rules"][0]["judgement"], "fail");
  EXPECT_EQ(report["rules"][1]["judgement"], "not-scored") << "nothing was told from its twin";
  write("known.json", R"([{"rule":"CMP-OP-01","why":"being repaired"}])");
  EXPECT_EQ(run("run " + reader + " --memory-mb 0 --expectations %/known.json").code, 0);
}

TEST_F(EndToEnd, ExpectationsThatAreOutOfDateAreTold) {
  write("known.json", R"([{"rule":"CMP-OP-01","why":"was repaired"}])");
  const Ran ran = run("run --builtin --memory-mb 0 --expectations %/known.json");
  EXPECT_EQ(ran.code, 2) << ran.output;
  EXPECT_NE(ran.output.find("rule CMP-OP-01 passes now"), std::string::npos);
}

TEST_F(EndToEnd, ReaderThatCannotBeRunIsNotJudged) {
  EXPECT_EQ(run("run --reader no-such-reader-anywhere").code, 3);
  EXPECT_EQ(run("run --reader true --memory-mb 0").code, 3);
  EXPECT_EQ(run("run --reader 'echo hello' --memory-mb 0").code, 3);
  EXPECT_EQ(run(std::string("run --memory-mb 0 --reader '") + HURRAY_CONFORM + " reader --null echo'").code, 3);
}

TEST_F(EndToEnd, InterruptedRunStillWritesItsReport) {
  const std::string reader = std::string("--reader '") + HURRAY_CONFORM + " reader --null hang'";
  const Ran ran = run("run " + reader + " --memory-mb 0 --timeout-ms 600000 --json %/r.json & p=$!; sleep 2; kill -TERM $p; wait $p");
  EXPECT_EQ(ran.code, 4) << ran.output;
  const auto report = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(report["interrupted"], true);
  EXPECT_EQ(report["totals"]["not-run"], report["totals"]["cases"]);
}

TEST_F(EndToEnd, MisuseAndBadDataAreTheSuitesOwnFault) {
  EXPECT_EQ(run("").code, 4);
  EXPECT_EQ(run("run").code, 4);
  EXPECT_EQ(run("run --builtin --reader x").code, 4);
  EXPECT_EQ(run("run --builtin --case NO/SUCH").code, 4);
  EXPECT_EQ(run("run --builtin --shard 3/2").code, 4);
  EXPECT_EQ(run("run --builtin --expectations %/missing.json").code, 4);
  EXPECT_EQ(run("run --builtin", "%").code, 4);
  fs::copy(fs::path(HARNESS_TEST_DATA) / "conformance", folder_ / "conformance", fs::copy_options::recursive);
  write("conformance/cases/mini.json", "[{\"id\": \n]");
  const Ran ran = run("run --builtin", "%");
  EXPECT_EQ(ran.code, 4);
  EXPECT_NE(ran.output.find("conformance/cases/mini.json"), std::string::npos) << ran.output;
}

TEST_F(EndToEnd, ExecDoorGivesAFirstAnswerButNoCertificate) {
  const Ran ran = run("run --exec 'sh -c \"exit 1\" {file}' --memory-mb 0 --json %/r.json");
  EXPECT_EQ(ran.code, 1) << ran.output;
  const auto report = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(report["totals"]["rules"]["pass"], 0);
  EXPECT_EQ(report["certificate"]["holds"], false);
}

TEST_F(EndToEnd, ShardsAndSelectionsSayThatTheyAreParts) {
  const Ran ran = run("run --builtin --memory-mb 0 --shard 1/2 --json %/r.json");
  EXPECT_EQ(ran.code, 0) << ran.output;
  const auto report = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(report["narrowed"], "--shard");
  EXPECT_EQ(report["certificate"]["holds"], false);
}

TEST_F(EndToEnd, ExplainTellsWhatBytesSay) {
  const Ran of_case = run("explain CMP-OP-01/replace@two-columns --surface bare");
  EXPECT_EQ(of_case.code, 0) << of_case.output;
  for (const char* part : {"With rule partition, combine_op is 0.", "reject: CMP-OP-01", "head.combine_op = 1", "{\"set\":"})
    EXPECT_NE(of_case.output.find(part), std::string::npos) << part << " is not in\n" << of_case.output;
  ASSERT_EQ(run("corpus export %/corpus").code, 0);
  const Ran of_file = run("explain %/corpus/file/two-columns.bin --surface file");
  EXPECT_NE(of_file.output.find("tensor float32 [2, 2] row-major at [0, 2] of [2, 4]"), std::string::npos) << of_file.output;
  const auto json = nlohmann::json::parse(run("explain two-columns --surface bare --mode strict --json").output);
  EXPECT_EQ(json["read"]["strict"]["verdict"], "accept");
  EXPECT_EQ(json["bytes"][0]["hex"], "48525259");
  EXPECT_EQ(run("explain %/corpus/index.json").code, 4) << "needs a surface";
  EXPECT_EQ(run("explain NO/SUCH").code, 4);
}

TEST_F(EndToEnd, ListingsAndExportHoldTheWholeMatrix) {
  const auto rules = nlohmann::json::parse(run("rules --json").output);
  EXPECT_EQ(rules.size(), 3u);
  const auto cases = nlohmann::json::parse(run("cases --json").output);
  EXPECT_GE(cases.size(), 9u);
  const Ran ran = run("corpus export %/corpus");
  EXPECT_EQ(ran.code, 0) << ran.output;
  const auto index = nlohmann::json::parse(read("corpus/index.json"));
  EXPECT_EQ(index.size(), cases.size());
  for (const auto& entry : index) EXPECT_TRUE(fs::exists(folder_ / "corpus" / entry["file"].get<std::string>()));
}

}  // namespace
}  // namespace hurray::harness
