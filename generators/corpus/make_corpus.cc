// make_corpus: keeps corpus/vectors/ in step with conformance/, and proves with the reference that each case isolates
// its rule. The only writer of those files.
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "generators/corpus/isolate.h"
#include "generators/matrix.h"
#include "generators/corpus/vectors.h"

namespace {

using namespace hurray::generators;
namespace fs = std::filesystem;

constexpr const char* usage_text =
    "usage: make_corpus --check | --update | --list-problems [--exhaustive] [--root DIR]\n"
    "  --check          fails where corpus/vectors/ is out of date or the reference disagrees with a case\n"
    "  --update         writes corpus/vectors/\n"
    "  --list-problems  prints each disagreement: case, what it expects, what the reference says\n"
    "  --exhaustive     with --list-problems: every fault on every base that it applies to\n"
    "  --root DIR       the checkout; the one that this was built from where left out\n";

struct Options {
  enum class Task { none, check, update, list } task = Task::none;
  Breadth breadth = Breadth::standard;
  fs::path root = HURRAY_SOURCE_DIR;
};

struct Corpus {
  std::map<std::string, std::string> files;  // by name: the text of each
  std::vector<std::string> problems;
  std::size_t cases = 0, isolated = 0, reject = 0;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--check") options.task = Options::Task::check;
    else if (word == "--update") options.task = Options::Task::update;
    else if (word == "--list-problems") options.task = Options::Task::list;
    else if (word == "--exhaustive") options.breadth = Breadth::exhaustive;
    else if (word == "--root" && i + 1 < argc) options.root = argv[++i];
    else return {};
  }
  return options;
}

Corpus make(const Matrix& matrix) {
  Corpus corpus;
  for (const Case& one : matrix.cases) {
    const Isolation isolation = isolate(matrix, one);
    ++corpus.cases;
    corpus.reject += one.expect[0].verdict == Verdict::reject;
    corpus.isolated += isolation.isolates.value_or(false);
    corpus.problems.insert(corpus.problems.end(), isolation.problems.begin(), isolation.problems.end());
    std::string& text = corpus.files[vector_file(one)];
    text += (text.empty() ? "[\n" : ",\n") + vector_text(one, isolation);
  }
  for (auto& [name, text] : corpus.files) text += "\n]\n";
  return corpus;
}

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return std::move(all).str();
}

/// Names of vector files on disk.
std::vector<std::string> present(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing))
    if (entry.path().extension() == ".json") names.push_back(entry.path().filename().string());
  return names;
}

int check(const Corpus& corpus, const fs::path& folder) {
  int stale = 0;
  for (const auto& [name, text] : corpus.files)
    if (content(folder / name) != text) {
      std::printf("%s is out of date; run make_corpus --update\n", (folder / name).c_str());
      ++stale;
    }
  for (const std::string& name : present(folder))
    if (corpus.files.count(name) == 0) {
      std::printf("%s belongs to no family; run make_corpus --update\n", (folder / name).c_str());
      ++stale;
    }
  return stale != 0 || !corpus.problems.empty() ? 1 : 0;
}

/// Writes beside the target and renames, so that an interrupted run leaves whole files.
int update(const Corpus& corpus, const fs::path& folder) {
  fs::create_directories(folder);
  for (const auto& [name, text] : corpus.files) {
    if (content(folder / name) == text) continue;
    const fs::path temporary = folder / (name + ".new");
    std::ofstream out(temporary, std::ios::binary);
    out << text;
    out.close();
    if (!out) {
      std::fprintf(stderr, "%s cannot be written\n", temporary.c_str());
      return 4;
    }
    fs::rename(temporary, folder / name);
    std::printf("wrote %s\n", (folder / name).c_str());
  }
  for (const std::string& name : present(folder))
    if (corpus.files.count(name) == 0) fs::remove(folder / name);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  if (options.task == Options::Task::none) {
    std::fputs(usage_text, stderr);
    return 4;
  }
  const LoadedMatrix loaded = load_matrix(options.root, options.breadth);
  for (const MatrixError& error : loaded.errors) std::fprintf(stderr, "%s\n", error.message.c_str());
  if (!loaded.errors.empty()) return 4;
  const Corpus corpus = make(loaded.matrix);
  for (const std::string& problem : corpus.problems) std::printf("%s\n", problem.c_str());
  std::fprintf(stderr, "%zu cases, %zu to reject, %zu isolated, %zu disagreements\n", corpus.cases, corpus.reject,
               corpus.isolated, corpus.problems.size());
  const fs::path folder = options.root / "corpus" / "vectors";
  switch (options.task) {
    case Options::Task::check: return check(corpus, folder);
    case Options::Task::update: return update(corpus, folder);
    case Options::Task::list: return corpus.problems.empty() ? 0 : 1;
    case Options::Task::none: break;
  }
  return 4;
}
