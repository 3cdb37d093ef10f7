// A plain main for a fuzz target: runs it on files and folders, so that seeds and regressions are tests everywhere.
//   fz_NAME [--rules] [--fewest N] PATH ...
// With --fewest 0 a folder may be missing: a target has regressions once something was found.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/target.h"

extern "C" [[gnu::weak]] int LLVMFuzzerInitialize(int* count, char*** arguments);

namespace {

namespace fs = std::filesystem;

bool run_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    return false;
  }
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(input.data(), input.size());
  return true;
}

std::vector<fs::path> files_below(const fs::path& path) {
  std::vector<fs::path> files;
  if (!fs::is_directory(path)) return {path};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void print_rules() {
  const std::vector<bool> reached = hurray::fuzz::rules_reached();
  for (std::size_t rule = 0; rule < reached.size(); ++rule)
    if (reached[rule]) std::printf("%s\n", std::string(hurray::facts::rules[rule].id).c_str());
}

}  // namespace

int main(int count, char** arguments) {
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&count, &arguments);
  bool rules = false;
  std::size_t fewest = 1, ran = 0;
  for (int at = 1; at < count; ++at) {
    if (std::strcmp(arguments[at], "--rules") == 0) {
      rules = true;
    } else if (std::strcmp(arguments[at], "--fewest") == 0 && at + 1 < count) {
      fewest = std::stoul(arguments[++at]);
    } else if (fewest > 0 || fs::exists(arguments[at])) {
      for (const fs::path& file : files_below(arguments[at])) {
        if (!run_file(file)) return 1;
        ++ran;
      }
    }
  }
  if (rules) print_rules();
  std::fprintf(stderr, "%zu inputs replayed\n", ran);
  if (ran >= fewest) return 0;
  std::fprintf(stderr, "at least %zu were expected: are the seeds where the test looks for them?\n", fewest);
  return 1;
}
