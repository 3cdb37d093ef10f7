// A shared library that exports `hurray_reader` (harness/include/hurray_reader.h) as a reader of the framed protocol.
#pragma once

#include <memory>
#include <string>

#include "harness/include/hurray_reader.h"
#include "harness/serve.h"

namespace hurray::harness {

/// The table that a library exports, or the one line that says why it exports none.
struct ReaderTable {
  const hurray_reader_v1* table = nullptr;
  std::string error;
};

/// Loads `path`; the library stays loaded.
[[nodiscard]] ReaderTable load_table(const std::string& path);

/// A loaded library, or the one line that says why it is none.
struct LoadedLibrary {
  std::unique_ptr<Served> reader;
  std::string error;
};

/// Loads `path`. What a reader allocates through the request's allocator beyond `memory_bytes` is refused; 0: no ceiling.
[[nodiscard]] LoadedLibrary load_library(const std::string& path, std::uint64_t memory_bytes);

}  // namespace hurray::harness
