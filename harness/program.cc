#include "harness/program.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace hurray::harness {
namespace {

bool is_executable(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

std::string search_path(const std::string& name) {
  const char* variable = std::getenv("PATH");
  std::string_view path = variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin";
  while (!path.empty()) {
    const std::size_t colon = path.find(':');
    const std::string_view folder = path.substr(0, colon);
    const std::string candidate = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
    if (is_executable(candidate)) return candidate;
    if (colon == std::string_view::npos) break;
    path.remove_prefix(colon + 1);
  }
  return {};
}

std::string why_not(const std::string& name) {
  if (name.find('=') != std::string::npos)
    return fmt::format("'{}' is no program: the command is not run by a shell; write  env {} CMD  or  sh -c 'CMD'", name, name);
  if (name.find('/') == std::string::npos)
    return fmt::format("'{}' was not found on PATH; for a file in this folder write ./{}", name, name);
  struct stat info {};
  if (stat(name.c_str(), &info) != 0) return fmt::format("there is no file '{}'", name);
  if (!S_ISREG(info.st_mode)) return fmt::format("'{}' is not a file", name);
  return fmt::format("'{}' is not executable; try  chmod +x {}", name, name);
}

}  // namespace

Words split_words(std::string_view command) {
  Words result;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t at = 0; at < command.size(); ++at) {
    const char c = command[at];
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      in_word = true;
    } else if (c == '\\' && quote != '\'' && at + 1 < command.size()) {
      word += command[++at];
      in_word = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (in_word) result.words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) result.words.push_back(std::move(word));
  if (quote != 0) result.error = fmt::format("the command has an unclosed {} : {}", quote, command);
  else if (result.words.empty()) result.error = "the command is empty";
  return result;
}

Program find_program(std::vector<std::string> words) {
  Program program;
  const std::string name = words.front();
  program.arguments = std::move(words);
  if (name.find('/') != std::string::npos) {
    if (is_executable(name)) program.path = name;
  } else {
    program.path = search_path(name);
  }
  if (program.path.empty()) program.error = why_not(name);
  return program;
}

Program parse_command(std::string_view command) {
  Words words = split_words(command);
  if (!words.error.empty()) return {{}, {}, std::move(words.error)};
  return find_program(std::move(words.words));
}

}  // namespace hurray::harness
