// A reader behind the C door (harness/include/hurray_reader.h), asked in-process.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/target.h"
#include "harness/declaration.h"
#include "harness/include/hurray_reader.h"

namespace hurray::fuzz {

/// What was put to the reader.
struct Ask {
  facts::Surface surface = facts::Surface::bare;
  facts::Mode mode = facts::Mode::strict;
  int want = HURRAY_WANT_VIEW;
  std::uint64_t item = 0;
  std::span<const std::uint64_t> index;
};

struct DiffAnswer {
  int verdict = HURRAY_UNSUPPORTED;
  nlohmann::json view;              // null where it showed none
  std::string rule, message;        // what it says of a rejection
  std::vector<std::uint8_t> body;
  std::string broken;               // not empty: what is wrong with the answer itself
  bool accepted() const { return verdict == HURRAY_ACCEPT; }
};

class DiffReader {
 public:
  /// `table` must outlive the reader. Aborts with a line where its description makes no sense.
  explicit DiffReader(const hurray_reader_v1& table);

  const harness::Declaration& declares() const { return declaration_; }
  [[nodiscard]] DiffAnswer ask(const Ask& ask, Bytes input) const;

 private:
  const hurray_reader_v1& table_;
  harness::Declaration declaration_;
};

}  // namespace hurray::fuzz
