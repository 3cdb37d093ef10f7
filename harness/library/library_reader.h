// A shared library that exports `hurray_reader` (harness/include/hurray_reader.h) as a reader of the framed protocol.
#pragma once

#include <memory>
#include <string>

#include "harness/include/hurray_reader.h"
#include "harness/serve.h"

namespace hurray::harness {

/// A loaded library, or the one line that says why it is none.
struct LoadedLibrary {
  std::unique_ptr<Served> reader;
  std::string error;
};

/// Loads `path`. What a reader allocates through the request's allocator beyond `memory_bytes` is refused; 0: no ceiling.
[[nodiscard]] LoadedLibrary load_library(const std::string& path, std::uint64_t memory_bytes);

}  // namespace hurray::harness
