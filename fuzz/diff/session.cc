#include "fuzz/diff/session.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "harness/library/library_reader.h"

namespace hurray::fuzz {
namespace {

constexpr const char* beside_the_executable = "fz_diff_reader.so";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string reader_path() {
  std::string path = environment("HURRAY_DIFF_READER");
  if (!path.empty()) return path.find('/') == std::string::npos ? "./" + path : path;  // this folder's, not the system's
  char self[4096];
  const ssize_t size = readlink("/proc/self/exe", self, sizeof self);
  if (size <= 0) return {};
  const std::filesystem::path beside = std::filesystem::path(std::string(self, static_cast<std::size_t>(size))).parent_path() / beside_the_executable;
  std::error_code ignored;  // what cannot be looked at is not there
  return std::filesystem::exists(beside, ignored) ? beside.string() : "";
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[11];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

void keep(const std::string& path, Bytes input) {
  std::FILE* file = path.empty() ? nullptr : std::fopen(path.c_str(), "wb");
  if (file == nullptr) return;
  std::fwrite(input.data(), 1, input.size(), file);
  std::fclose(file);
}

}  // namespace

Session::Session() {
  const std::string path = reader_path();
  if (path.empty()) {
    std::fprintf(stderr, "fz_diff: no --reader and no %s beside the executable; the reference reads against itself\n", beside_the_executable);
    reader_.emplace(*hurray_reader());
  } else {
    const harness::ReaderTable loaded = harness::load_table(path);
    if (loaded.table == nullptr) fail("the reader can be loaded", "%s", loaded.error.c_str());
    reader_.emplace(*loaded.table);
    std::fprintf(stderr, "fz_diff: %s %s from %s\n", reader_->declares().name.c_str(), reader_->declares().version.c_str(), path.c_str());
  }
  const std::string ledger = environment("HURRAY_DIFF_LEDGER");
  has_ledger_ = !ledger.empty();
  if (!has_ledger_) return;
  if (const std::string wrong = ledger_.load(ledger, reader_->declares().name, today()); !wrong.empty()) fail("the ledger can be read", "%s", wrong.c_str());
}

void Session::report(const Difference& difference, Bytes input) {
  if (ledger_.settles(difference)) return;
  keep(environment("HURRAY_DIFF_INPUT"), input);
  fail("reader and reference agree", "%s", difference.line().c_str());
}

std::size_t Session::list_stale() const {
  const std::vector<const Adjudication*> unused = ledger_.unused();
  for (const Adjudication* one : unused) std::fprintf(stderr, "stale adjudication: %s: settled nothing in this run\n", one->title().c_str());
  for (const Adjudication& one : ledger_.expired())
    std::fprintf(stderr, "stale adjudication: %s: expired on %s\n", one.title().c_str(), one.expires.c_str());
  return unused.size() + ledger_.expired().size();
}

void take_options(int* count, char*** arguments) {
  constexpr std::pair<std::string_view, const char*> options[] = {
      {"--reader=", "HURRAY_DIFF_READER"}, {"--ledger=", "HURRAY_DIFF_LEDGER"}, {"--write-input=", "HURRAY_DIFF_INPUT"}};
  int kept = 0;
  for (int at = 0; at < *count; ++at) {
    const std::string_view word = (*arguments)[at];
    const char* variable = nullptr;
    for (const auto& [option, name] : options)
      if (word.compare(0, option.size(), option) == 0) {
        variable = name;
        setenv(name, std::string(word.substr(option.size())).c_str(), 1);
      }
    if (variable == nullptr) (*arguments)[kept++] = (*arguments)[at];
  }
  *count = kept;
}

}  // namespace hurray::fuzz
