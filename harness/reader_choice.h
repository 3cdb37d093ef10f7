// The reader that a command line names: one of four doors.
#pragma once

#include <string>

#include "harness/door.h"

namespace CLI {
class App;
}

namespace hurray::harness {

struct ReaderChoice {
  bool builtin = false;
  std::string reader, exec, library;
};

/// --builtin, --reader, --exec and --library, of which one must be given.
void add_reader_options(CLI::App& command, ReaderChoice& choice);

/// Sets program and door. Empty string, or why the reader cannot be run.
[[nodiscard]] std::string choose_reader(const ReaderChoice& choice, Program& program, DoorFactory& door);

/// The choice as it would be typed.
[[nodiscard]] std::string reader_options(const ReaderChoice& choice);

/// The path of this program.
[[nodiscard]] std::string own_program();

}  // namespace hurray::harness
