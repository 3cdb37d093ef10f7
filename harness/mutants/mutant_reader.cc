// The bundled reader with one named mutant of the reference switched on: hurray-mutant-reader --mutant NAME.
#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "harness/reference_reader.h"

namespace hurray::mutants {

extern int active;
int active = 0;  // none

namespace {

struct Mutant {
  int number;
  std::string_view name;
};

constexpr Mutant table[] = {
#define MUTANT(number, name) {number, name},
#include "mutants.inc"
#undef MUTANT
};

}  // namespace
}  // namespace hurray::mutants

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--mutant")
    for (const auto& mutant : hurray::mutants::table)
      if (mutant.name == argv[2]) hurray::mutants::active = mutant.number;
  if (hurray::mutants::active == 0) {
    fmt::print(stderr, "usage: hurray-mutant-reader --mutant NAME, a name of harness/mutants/mutants.json\n");
    return 4;
  }
  return hurray::harness::serve_reference(hurray::reference::Waivers::none());
}
