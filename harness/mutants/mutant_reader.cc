// The bundled reader with one named mutant of the reference switched on: hurray-mutant-reader --mutant NAME.
#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "harness/mutants/mutant_table.h"
#include "harness/reference_reader.h"

int main(int argc, char** argv) {
  using hurray::mutants::active;
  if (argc == 3 && std::string_view(argv[1]) == "--mutant") active = hurray::mutants::number_of(argv[2]);
  if (active == 0) {
    fmt::print(stderr, "usage: hurray-mutant-reader --mutant NAME, a name of harness/mutants/mutants.json\n");
    return 4;
  }
  return hurray::harness::serve_reference(hurray::reference::Waivers::none());
}
