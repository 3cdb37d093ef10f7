// Turns a command as a person types it into a program and its arguments. No shell is involved.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hurray::harness {

/// A program that can be started: `path` is what execve takes, `arguments[0]` what the person wrote.
struct Program {
  std::string path;
  std::vector<std::string> arguments;
  std::string error;  // not empty: why it cannot be started, and what to do about it
};

/// Splits at blanks; '…' and "…" keep blanks, a backslash takes the next character. Empty `error` where it is well formed.
struct Words {
  std::vector<std::string> words;
  std::string error;
};
[[nodiscard]] Words split_words(std::string_view command);

/// Finds the program on PATH unless its name has a slash.
[[nodiscard]] Program find_program(std::vector<std::string> words);

/// split_words, then find_program.
[[nodiscard]] Program parse_command(std::string_view command);

}  // namespace hurray::harness
