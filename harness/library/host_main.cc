// The stock host: loads a library and answers the framed protocol for it, so that a crash or a hang of the library is a
// child's like any other reader's.
#include <cstdio>
#include <cstdlib>

#include "harness/library/library_reader.h"

int main(int count, char** arguments) {
  if (count < 2 || count > 3) {
    std::fprintf(stderr, "usage: hurray-reader-host LIBRARY.so [MEMORY_MB]\nAnswers the reader protocol on stdin and stdout.\n");
    return 4;
  }
  const std::uint64_t ceiling = count == 3 ? std::strtoull(arguments[2], nullptr, 10) << 20 : 0;
  const hurray::harness::LoadedLibrary library = hurray::harness::load_library(arguments[1], ceiling);
  if (!library.reader) {
    std::fprintf(stderr, "hurray-reader-host: %s\n", library.error.c_str());
    return 3;
  }
  return hurray::harness::serve(*library.reader);
}
