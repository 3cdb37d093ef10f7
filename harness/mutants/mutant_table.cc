#include "harness/mutants/mutant_table.h"

namespace hurray::mutants {

int active = 0;

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

int number_of(std::string_view name) {
  for (const Mutant& mutant : table)
    if (mutant.name == name) return mutant.number;
  return 0;
}

}  // namespace hurray::mutants
