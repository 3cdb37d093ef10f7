#include <CLI/CLI.hpp>

#include "harness/commands.h"
#include "harness/null_reader.h"

namespace hurray::harness {

void add_reader_command(CLI::App& app, Globals& globals) {
  CLI::App* command = app.add_subcommand("reader", "A reader as a framed child on stdin and stdout");
  auto null_name = std::make_shared<std::string>();
  command->add_option("--null", *null_name, "a reader that does not read: accept-all, reject-all, crash, hang, echo, random")
      ->type_name("NAME")->required();
  command->callback([&globals, null_name] {
    globals.exit_code = serve_null(*null_name);
  });
}

}  // namespace hurray::harness
