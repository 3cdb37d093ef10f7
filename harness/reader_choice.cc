#include "harness/reader_choice.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>

namespace hurray::harness {
namespace {

/// The stock host stands beside this program; a library named without a slash is one of this folder, not of the system.
Program library_host(const std::string& library) {
  const std::string host = (std::filesystem::path(own_program()).parent_path() / "hurray-reader-host").string();
  return find_program({host, library.find('/') == std::string::npos ? "./" + library : library});
}

}  // namespace

void add_reader_options(CLI::App& command, ReaderChoice& choice) {
  auto* reader = command.add_option_group("reader", "the reader to judge (one of)");
  reader->add_flag("--builtin", choice.builtin, "the bundled reference reader");
  reader->add_option("--reader", choice.reader, "a program that speaks the framed protocol")->type_name("CMD");
  reader->add_option("--exec", choice.exec, "a command with {file} {surface} {mode}; exit code 0 accept, 1 reject, 3 unsupported")
      ->type_name("CMD");
  reader->add_option("--library", choice.library, "a shared library that exports hurray_reader (harness/include/hurray_reader.h)")
      ->type_name("SO");
  reader->require_option(1);
}

std::string own_program() {
  std::string path(4096, '\0');
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
  return path;
}

std::string choose_reader(const ReaderChoice& choice, Program& program, DoorFactory& door) {
  if (choice.builtin) program = find_program({own_program(), "reader"});
  else if (!choice.library.empty()) program = library_host(choice.library);
  else program = parse_command(choice.exec.empty() ? choice.reader : choice.exec);
  door = choice.exec.empty() ? make_framed_door : make_exec_door;
  return program.error;
}

std::string reader_options(const ReaderChoice& o) {
  if (o.builtin) return "--builtin";
  if (!o.library.empty()) return fmt::format("--library '{}'", o.library);
  return o.exec.empty() ? fmt::format("--reader '{}'", o.reader) : fmt::format("--exec '{}'", o.exec);
}

}  // namespace hurray::harness
