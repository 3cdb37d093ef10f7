// What the runner sees of children that misbehave, through the framed door.
#include <gtest/gtest.h>
#include <signal.h>

#include "harness/door.h"
#include "harness/tests/fixture.h"

namespace hurray::harness {
namespace {

class Misdeed : public testing::Test {
 protected:
  std::unique_ptr<Door> door(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), SCRIPTED_READER);
    return make_framed_door(find_program(std::move(arguments)), limits_);
  }

  Observation ask(std::vector<std::string> arguments) {
    const auto opened = door(std::move(arguments));
    return opened->ask({1, facts::Surface::bare, facts::Mode::strict, nullptr, input_});
  }

  std::string greeting_error(std::vector<std::string> arguments) {
    Declaration declaration;
    std::string error;
    EXPECT_FALSE(door(std::move(arguments))->open(declaration, error));
    return error;
  }

  Misdeed() {
    limits_.per_case = std::chrono::milliseconds(200);
    limits_.memory_bytes = 0;
  }

  ChildLimits limits_;
  std::vector<std::uint8_t> input_{'M', '!'};
};

TEST_F(Misdeed, CrashIsSeenWithItsSignal) {
  limits_.per_case = std::chrono::seconds(20);  // a sanitizer takes its time to report
  const Observation seen = ask({"crash"});
  // Sanitizers turn the signal into an exit code of their own.
  EXPECT_TRUE(seen.kind == Observed::crash || seen.kind == Observed::exit) << seen.text();
  if (seen.kind == Observed::crash) { EXPECT_EQ(seen.text(), "crash(11)"); }
}

TEST_F(Misdeed, ExitIsSeenWithItsCode) {
  EXPECT_EQ(ask({"exit", "3"}).text(), "exit(3)");
  EXPECT_EQ(ask({"exit", "0"}).text(), "exit(0)");
}

TEST_F(Misdeed, HangEndsAtTheDeadline) {
  const auto start = Clock::now();
  EXPECT_EQ(ask({"hang"}).kind, Observed::hang);
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(5));
}

TEST_F(Misdeed, FloodOfOutputIsABreachOfTheProtocol) { EXPECT_EQ(ask({"flood"}).kind, Observed::protocol); }

TEST_F(Misdeed, GarbageInAFrameIsABreachOfTheProtocol) {
  const Observation seen = ask({"garbage"});
  EXPECT_EQ(seen.kind, Observed::protocol);
  EXPECT_NE(seen.detail.find("not a JSON object"), std::string::npos) << seen.detail;
}

TEST_F(Misdeed, HalfAFrameIsAHangThatSaysSo) {
  const Observation seen = ask({"half-frame"});
  EXPECT_EQ(seen.kind, Observed::hang);
  EXPECT_NE(seen.detail.find("unfinished frame"), std::string::npos);
}

TEST_F(Misdeed, ClosedOutputIsABreachOfTheProtocol) { EXPECT_EQ(ask({"close-output"}).kind, Observed::protocol); }

TEST_F(Misdeed, AnswersToOtherQuestionsAreABreachOfTheProtocol) {
  EXPECT_NE(ask({"wrong-id"}).detail.find("answered id 999999"), std::string::npos);
  const Observation twice = door({"twice"})->ask_alone({1, facts::Surface::bare, facts::Mode::strict, nullptr, input_});
  EXPECT_NE(twice.detail.find("more than one answer"), std::string::npos);
  EXPECT_NE(ask({"odd-verdict"}).detail.find("'maybe'"), std::string::npos);
  EXPECT_EQ(ask({"string-id"}).kind, Observed::reject);
}

TEST_F(Misdeed, MemoryHogMeetsTheCeiling) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer reserves more address space than any ceiling";
#endif
  limits_.memory_bytes = std::uint64_t{512} << 20;
  limits_.per_case = std::chrono::seconds(20);
  EXPECT_EQ(ask({"memory"}).kind, Observed::oom);
}

TEST_F(Misdeed, StderrIsKept) { EXPECT_NE(ask({"stderr"}).errors.find("a diagnosis"), std::string::npos); }

TEST_F(Misdeed, LeavesTheNextQuestionToAFreshChild) {
  const auto opened = door({"exit", "3"});
  EXPECT_EQ(opened->ask({1, facts::Surface::bare, facts::Mode::strict, nullptr, input_}).kind, Observed::exit);
  const std::vector<std::uint8_t> good{'R'};
  const Observation seen = opened->ask({2, facts::Surface::bare, facts::Mode::strict, nullptr, good});
  EXPECT_EQ(seen.kind, Observed::reject);
  EXPECT_EQ(seen.rule, "FIX-01");
  EXPECT_EQ(seen.at, 12u);
}

TEST_F(Misdeed, InputsLargerThanAnyPipeGoThrough) {
  input_.assign(std::size_t{9} << 20, 'R');
  limits_.per_case = std::chrono::seconds(20);
  EXPECT_EQ(ask({}).kind, Observed::reject);
}

TEST_F(Misdeed, AtHelloIsToldWithWhatTheReaderWrote) {
  EXPECT_NE(greeting_error({"die-at-hello"}).find("no licence found"), std::string::npos);
  EXPECT_NE(greeting_error({"print-at-hello"}).find("Hello, I am"), std::string::npos);
  EXPECT_NE(greeting_error({"wrong-protocol"}).find("\"protocol\":1"), std::string::npos);
}

TEST_F(Misdeed, SlowHelloHasADeadlineOfItsOwn) {
  Declaration declaration;
  std::string error;
  EXPECT_TRUE(door({"slow-hello", "400"})->open(declaration, error)) << error;
  EXPECT_EQ(declaration.name, "scripted");
  limits_.startup = std::chrono::milliseconds(100);
  EXPECT_NE(greeting_error({"slow-hello", "3000"}).find("within 100 ms"), std::string::npos);
}

TEST_F(Misdeed, OfTheExecDoorIsToldApartByCode) {
  const auto verdict = [&](const char* command) {
    const auto opened = make_exec_door(parse_command(command), limits_);
    Declaration declaration;
    std::string error;
    EXPECT_TRUE(opened->open(declaration, error)) << error;
    return opened->ask({1, facts::Surface::bare, facts::Mode::strict, nullptr, input_}).text();
  };
  EXPECT_EQ(verdict("sh -c 'grep -q M! {file}'"), "accept");
  EXPECT_EQ(verdict("sh -c 'grep -q other {file}'"), "reject");
  EXPECT_EQ(verdict("sh -c 'test {surface}-{mode} = bare-strict && exit 3' {file}"), "unsupported");
  EXPECT_EQ(verdict("sh -c 'exit 2' {file}"), "exit(2)");
  EXPECT_EQ(verdict("sh -c 'kill -9 $$' {file}"), "oom") << "nobody of ours sent it";
  EXPECT_EQ(verdict("sh -c 'kill -11 $$' {file}"), "crash(11)");
  EXPECT_EQ(verdict("sh -c 'sleep 30' {file}"), "hang");
}

TEST_F(Misdeed, OfLeavingOutTheFileIsRefused) {
  Declaration declaration;
  std::string error;
  EXPECT_FALSE(make_exec_door(parse_command("true"), limits_)->open(declaration, error));
  EXPECT_NE(error.find("{file}"), std::string::npos);
}

}  // namespace
}  // namespace hurray::harness
