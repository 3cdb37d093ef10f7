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

Finished command(const std::string& words) {
  Finished finished;
  FILE* pipe = popen((words + " 2>&1").c_str(), "r");
  std::array<char, 4096> chunk{};
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), pipe)) finished.text.append(chunk.data(), count);
  const int status = pclose(pipe);
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return finished;
}

Finished run(const std::string& arguments) { return command(HURRAY_CONFORM " run --jobs 2 " + arguments); }

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

TEST(Minimize, KeepsWhatALibraryDoesWithAnInputAndSaysWhatThatIs) {
  const std::string folder = testing::TempDir() + "minimize";
  command(HURRAY_CONFORM " corpus export " + folder);
  const std::string input = folder + "/bare/CMP-OP-01_add@halves-int8-4.bin", small = folder + "/small";
  const std::string words = HURRAY_CONFORM " minimize " + input + " --surface bare --library " REFERENCE_LIBRARY " -o " + small;
  const Finished accepted = command("HURRAY_WAIVE=CMP-OP-01 " + words);
  EXPECT_EQ(accepted.code, 0) << accepted.text;
  EXPECT_NE(accepted.text.find("accept, where the reference rejects with CMP-OP-01"), std::string::npos) << accepted.text;
  const Finished explained = command(HURRAY_CONFORM " explain " + small + " --surface bare --mode strict");
  EXPECT_NE(explained.text.find("reject: CMP-OP-01"), std::string::npos) << explained.text;
  const Finished rejected = command(words);
  EXPECT_NE(rejected.text.find("reject naming CMP-OP-01"), std::string::npos) << rejected.text;
}

TEST(Minimize, SaysInOneLineWhatIsMissing) {
  const Finished missing = command(HURRAY_CONFORM " minimize /nonexistent --surface bare --builtin");
  EXPECT_EQ(missing.code, 4);
  EXPECT_NE(missing.text.find("/nonexistent: cannot be read"), std::string::npos) << missing.text;
}

TEST(Promote, MakesAFindingACaseOnceAndSaysHowFarItsTwinIs) {
  const std::string data = testing::TempDir() + "promote";
  command("rm -rf " + data + " && mkdir -p " + data + " && cp -r " HURRAY_SOURCE_DIR "/conformance " + data);
  const std::string folder = testing::TempDir() + "promote-inputs", conform = "HURRAY_CONFORMANCE_DATA=" + data + " " HURRAY_CONFORM;
  command(HURRAY_CONFORM " corpus export " + folder);
  const std::string known = folder + "/bare/CMP-OP-01_add@halves-int8-4.bin", fresh = folder + "/fresh";
  command("sed 's/\\x40\\x00\\x00\\x00/\\x80\\x00\\x00\\x00/' " + known + " > " + fresh);  // another alignment: no case has these bytes
  const std::string promote = " corpus promote " + fresh + " --surface bare --rule ";
  const Finished same = command(conform + " corpus promote " + known + " --surface bare --rule CMP-OP-01");
  EXPECT_NE(same.text.find("nothing to do: these bytes are the case CMP-OP-01/add@halves-int8-4"), std::string::npos) << same.text;
  const Finished wrong = command(conform + promote + "CMP-OP-02");
  EXPECT_EQ(wrong.code, 4);
  EXPECT_NE(wrong.text.find("rejects it with CMP-OP-01"), std::string::npos) << wrong.text;
  const Finished added = command(conform + promote + "CMP-OP-01");
  EXPECT_EQ(added.code, 0) << added.text;
  EXPECT_NE(added.text.find("CMP-OP-01/promoted-0001"), std::string::npos) << added.text;
  EXPECT_NE(added.text.find("the twin is one edit away"), std::string::npos) << added.text;
  const Finished again = command(conform + promote + "CMP-OP-01");
  EXPECT_NE(again.text.find("nothing to do"), std::string::npos) << again.text;
  const Finished judged = command(conform + " run --builtin --quiet --json - --all --case CMP-OP-01/promoted-0001");
  EXPECT_EQ(judged.code, 0) << judged.text;
  EXPECT_NE(judged.text.find("promoted-0001-twin"), std::string::npos) << judged.text;
}

}  // namespace
