// The C door, end to end: through the stock host, as a third party's library would be judged.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace {

struct Finished {
  int code = -1;
  std::string text;
};

Finished run(const std::string& arguments) {
  Finished finished;
  FILE* pipe = popen((std::string(HURRAY_CONFORM) + " run --jobs 2 " + arguments + " 2>&1").c_str(), "r");
  std::array<char, 4096> chunk{};
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe)) finished.text.append(chunk.data(), count);
  const int status = pclose(pipe);
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return finished;
}

TEST(Library, TheReferenceBehindTheCDoorBreaksNoRule) {
  const Finished finished = run("--library " REFERENCE_LIBRARY);
  EXPECT_EQ(finished.code, 0) << finished.text;
  EXPECT_NE(finished.text.find("certificate level 2 (Full Reader): holds"), std::string::npos) << finished.text;
}

TEST(Library, AReaderOfHeadersIsJudgedOnHeaders) {
  const Finished finished = run("--library " HEADER_LIBRARY " --rule DESC-HDR-0[123]");
  EXPECT_EQ(finished.code, 0) << finished.text;
}

TEST(Library, WhatIsNoReaderIsSaidInOneLine) {
  const Finished missing = run("--library /nonexistent.so");
  EXPECT_EQ(missing.code, 3);
  EXPECT_NE(missing.text.find("/nonexistent.so: cannot open shared object file"), std::string::npos) << missing.text;
  const Finished other = run("--library " NO_READER_LIBRARY);
  EXPECT_EQ(other.code, 3);
  EXPECT_NE(other.text.find("exports no function `hurray_reader`"), std::string::npos) << other.text;
}

}  // namespace
