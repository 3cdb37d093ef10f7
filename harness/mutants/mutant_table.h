// The named mutants that instrument.py compiled into this copy of the reference, and the one that is switched on.
#pragma once

#include <string_view>

namespace hurray::mutants {

/// The number of the mutant whose expressions are in force; 0: none. What instrument.py writes tests it.
extern int active;

/// The number of a mutant of mutants.json; 0 where there is none of that name.
[[nodiscard]] int number_of(std::string_view name);

}  // namespace hurray::mutants
