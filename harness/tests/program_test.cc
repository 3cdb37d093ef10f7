#include "harness/program.h"

#include <gtest/gtest.h>

namespace hurray::harness {
namespace {

TEST(Command, IsSplitAtBlanksOutsideQuotes) {
  EXPECT_EQ(split_words(" a  'b c' \"d e\"f \\ g ''").words, (std::vector<std::string>{"a", "b c", "d ef", " g", ""}));
}

TEST(Command, WithAnUnclosedQuoteOrNothingIsRefused) {
  EXPECT_NE(split_words("a 'b").error, "");
  EXPECT_NE(split_words("  ").error, "");
}

TEST(Command, IsFoundOnThePathOrAtItsOwn) {
  EXPECT_EQ(parse_command("sh -c true").error, "");
  EXPECT_EQ(parse_command("sh -c true").path.front(), '/');
  EXPECT_EQ(parse_command(SCRIPTED_READER).path, SCRIPTED_READER);
}

TEST(Command, ThatIsNoneSaysWhatToDo) {
  EXPECT_NE(parse_command("no-such-reader-anywhere").error.find("./no-such-reader-anywhere"), std::string::npos);
  EXPECT_NE(parse_command("A=1 ./reader").error.find("env"), std::string::npos);
  EXPECT_NE(parse_command("/etc/passwd").error.find("chmod"), std::string::npos);
  EXPECT_NE(parse_command("./no/such/file").error.find("no file"), std::string::npos);
}

}  // namespace
}  // namespace hurray::harness
