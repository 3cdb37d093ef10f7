// The reference behind the C door with the mutant switched on that HURRAY_MUTANT names: what differential fuzzing is proven
// on besides waived rules. An unknown name leaves the reference as it is, and says so in its own name.
#include <cstdlib>

#include "harness/include/hurray_reader.h"
#include "harness/mutants/mutant_table.h"

extern "C" const hurray_reader_v1* hurray_reference_table(void);

namespace {

void select_mutant() {
  const char* name = std::getenv("HURRAY_MUTANT");
  hurray::mutants::active = name == nullptr ? 0 : hurray::mutants::number_of(name);
}

void describe(const hurray_sink* sink) {
  select_mutant();
  hurray_reference_table()->describe(sink);
  sink->field(sink->context, "name", hurray::mutants::active == 0 ? "\"hurray-reference\"" : "\"hurray-mutant\"");
}

int read_input(const hurray_request* request, const hurray_sink* sink) { return hurray_reference_table()->read(request, sink); }

}  // namespace

extern "C" const hurray_reader_v1* hurray_reader(void) {
  select_mutant();
  static const hurray_reader_v1 table{sizeof table, describe, read_input};
  return &table;
}
