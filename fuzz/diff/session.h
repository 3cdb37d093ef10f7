// One fz_diff process: the reader that it found, the ledger that it was given, and what it says at its end.
#pragma once

#include <string>

#include "fuzz/diff/ledger.h"

namespace hurray::fuzz {

/// Where a reader comes from, the first of these that is given: --reader=SO (or HURRAY_DIFF_READER), the file
/// fz_diff_reader.so beside the executable, the reader linked in. --ledger=FILE (or HURRAY_DIFF_LEDGER) names the ledger.
/// --write-input=FILE (or HURRAY_DIFF_INPUT) writes what a finding put to both readers, without the target's own prefix.
class Session {
 public:
  /// Loads reader and ledger; aborts with one line where one of them makes no sense.
  Session();

  const DiffReader& reader() const { return *reader_; }
  /// Aborts with the difference's line unless the ledger settles it.
  void report(const Difference& difference, Bytes input);
  /// Lists entries that settled nothing, and those whose date has passed. Returns how many.
  std::size_t list_stale() const;

 private:
  std::optional<DiffReader> reader_;
  Ledger ledger_;
  bool has_ledger_ = false;
};

/// Takes the options above out of a command line and into the environment, where an engine's own children find them.
void take_options(int* count, char*** arguments);

}  // namespace hurray::fuzz
