// hurray-conform: wires the commands to the command line.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "harness/commands.h"
#include "harness/interrupt.h"
#include "harness/report.h"

namespace {

/// A pipe that got number 0, 1 or 2 because the caller closed those would be taken for a standard stream by a child.
void open_standard_streams() {
  int fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= 2) fd = open("/dev/null", O_RDWR);
  if (fd > 2) close(fd);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace hurray::harness;
  open_standard_streams();
  Interrupt::install();
  CLI::App app{"Judges any program that reads Hurray composite tensors."};
  app.name("hurray-conform");
  app.set_version_flag("--version", std::string("hurray-conform ") + std::string(suite_version) + ", " + std::string(specification));
  app.require_subcommand(1);
  app.fallthrough();
  Globals globals;
  globals.data = HURRAY_CONFORMANCE_SOURCE;
  app.add_option("--data", globals.data, "the folder that holds conformance/ with rules, bases and cases")
      ->envname("HURRAY_CONFORMANCE_DATA")
      ->type_name("DIR");
  add_run_command(app, globals);
  add_explain_command(app, globals);
  add_rules_command(app, globals);
  add_cases_command(app, globals);
  add_reader_command(app, globals);
  add_corpus_command(app, globals);
  add_selftest_command(app, globals);
  add_minimize_command(app, globals);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    return app.exit(asked_for_help);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return 4;
  }
  return globals.exit_code;
}
