// The commands of hurray-conform, one file each. Each adds itself to the app and writes the exit code when it is chosen:
// 0 as expected, 1 the reader breaks a rule, 2 the expectations file is out of date, 3 the reader could not be run or broke the
// protocol, 4 the suite itself is at fault.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "generators/matrix.h"

namespace CLI {
class App;
}

namespace hurray::harness {

struct Globals {
  std::string data;  // the folder that holds conformance/, or that folder itself
  int exit_code = 0;
};

void add_run_command(CLI::App& app, Globals& globals);
void add_reader_command(CLI::App& app, Globals& globals);
void add_explain_command(CLI::App& app, Globals& globals);
void add_rules_command(CLI::App& app, Globals& globals);
void add_cases_command(CLI::App& app, Globals& globals);
void add_corpus_command(CLI::App& app, Globals& globals);
void add_selftest_command(CLI::App& app, Globals& globals);
void add_minimize_command(CLI::App& app, Globals& globals);

/// Loads the matrix; on bad data prints what is wrong, sets exit code 4 and returns nothing.
[[nodiscard]] std::optional<generators::Matrix> load(Globals& globals, generators::Breadth breadth);

/// The folder conformance/ itself.
[[nodiscard]] std::filesystem::path data_folder(const Globals& globals);

/// Prints one line to stderr and sets the exit code.
void fail(Globals& globals, int exit_code, const std::string& message);

}  // namespace hurray::harness
