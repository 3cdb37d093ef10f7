// The commands of hurray-conform, one file each. Each adds itself to the app and writes the exit code when it is chosen:
// 0 as expected, 1 the reader breaks a rule, 2 the expectations file is out of date, 3 the reader could not be run or broke the
// protocol, 4 the suite itself is at fault.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace hurray::harness {

struct Globals {
  std::string data;  // the folder conformance/
  int exit_code = 0;
};

void add_reader_command(CLI::App& app, Globals& globals);

}  // namespace hurray::harness
