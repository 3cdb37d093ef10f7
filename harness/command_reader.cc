#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "harness/commands.h"
#include "harness/null_reader.h"
#include "harness/reference_reader.h"

namespace hurray::harness {
namespace {

struct Options {
  std::string null_name;
  std::vector<std::string> waived;
};

void serve_chosen(Globals& globals, const Options& o) {
  if (!o.null_name.empty()) {
    globals.exit_code = serve_null(o.null_name);
    return;
  }
  reference::Waivers waivers;
  for (const std::string& id : o.waived) {
    const auto* rule = std::find_if(std::begin(facts::rules), std::end(facts::rules), [&](const auto& r) { return r.id == id; });
    if (rule == std::end(facts::rules)) return fail(globals, 4, fmt::format("--waive {}: there is no such rule", id));
    waivers.waive(static_cast<facts::Rule>(rule - std::begin(facts::rules)));
  }
  globals.exit_code = serve_reference(waivers);
}

}  // namespace

void add_reader_command(CLI::App& app, Globals& globals) {
  CLI::App* command = app.add_subcommand("reader", "The bundled reference reader as a framed child on stdin and stdout");
  auto options = std::make_shared<Options>();
  command->add_option("--null", options->null_name,
                      "instead a reader that does not read: accept-all, reject-all, crash, hang, echo, random")->type_name("NAME");
  command->add_option("--waive", options->waived, "a rule that it shall not enforce")->type_name("RULE");
  command->callback([&globals, options] { serve_chosen(globals, *options); });
}

}  // namespace hurray::harness
