// The adapter alone, for mutate.py: it links one mutated object before the library of the reference.
#include "harness/reference_reader.h"

int main() { return hurray::harness::serve_reference({}); }
