// Differences that somebody has looked at: conformance/schemas/adjudications.schema.json describes the file.
#pragma once

#include <string>
#include <vector>

#include "fuzz/diff/difference.h"

namespace hurray::fuzz {

struct Adjudication {
  std::string reader, rule, kind, surface, mode, match, right, expires;  // empty: any
  bool used = false;

  /// For people: what it is about.
  std::string title() const;
};

class Ledger {
 public:
  /// Reads the file; entries about readers of another name, and those past their date (`today`, YYYY-MM-DD), count for
  /// nothing. Empty string, or what is wrong with the file.
  [[nodiscard]] std::string load(const std::string& path, const std::string& reader, const std::string& today);

  /// Whether an entry settles the difference; marks all that do.
  [[nodiscard]] bool settles(const Difference& difference);

  /// Entries that settled nothing so far.
  [[nodiscard]] std::vector<const Adjudication*> unused() const;
  /// Entries whose date has passed.
  [[nodiscard]] const std::vector<Adjudication>& expired() const { return expired_; }

 private:
  std::vector<Adjudication> entries_, expired_;
};

}  // namespace hurray::fuzz
