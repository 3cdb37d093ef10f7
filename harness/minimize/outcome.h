// What a reader does with an input, as far as a smaller input must do the same.
#pragma once

#include <memory>
#include <string>

#include "harness/door.h"

namespace hurray::harness {

struct Outcome {
  Observed kind = Observed::accept;
  int number = 0;          // the signal or the exit code
  std::string rule;        // that the reader names of a rejection
  std::string reference;   // the rule by which the reference rejects; empty: it accepts. Not of a breakdown
  std::string differs;     // of an input that both accept: the key in which the views differ, or "values"
  friend bool operator==(const Outcome&, const Outcome&) = default;

  /// "accept, where the reference rejects with CMP-OP-01"
  std::string text() const;
};

class OutcomeFinder {
 public:
  OutcomeFinder(std::unique_ptr<Door> door, facts::Surface surface, facts::Mode mode) : door_(std::move(door)), surface_(surface), mode_(mode) {}

  /// Starts the reader. Empty string, or why it cannot be asked.
  [[nodiscard]] std::string open();
  /// `error` says why nothing could be observed.
  [[nodiscard]] Outcome find(std::span<const std::uint8_t> input, std::string& error);

 private:
  std::string differing_values(std::span<const std::uint8_t> input);

  std::unique_ptr<Door> door_;
  Declaration declaration_;
  facts::Surface surface_;
  facts::Mode mode_;
  std::uint64_t asked_ = 0;
};

}  // namespace hurray::harness
