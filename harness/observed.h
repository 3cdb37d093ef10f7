// What a reader was seen to do with one input, before anyone judges it.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/matrix.h"

namespace hurray::harness {

/// `partial` is an accept whose view shows a composite that is not complete.
enum class Observed : std::uint8_t { accept, reject, partial, unsupported, crash, exit, hang, oom, protocol };
inline constexpr std::array<std::string_view, 9> observed_names{"accept", "reject", "partial", "unsupported", "crash",
                                                                "exit",   "hang",   "oom",     "protocol"};

constexpr std::string_view name_of(Observed observed) { return observed_names[static_cast<std::size_t>(observed)]; }

/// No verdict: the reader broke down instead of answering.
constexpr bool is_breakdown(Observed observed) { return observed >= Observed::crash; }

struct Observation {
  Observed kind = Observed::protocol;
  int number = 0;                   // crash: the signal; exit: the code
  std::string rule;                 // what the reader named, never scored
  std::optional<std::uint64_t> at;  // likewise
  std::string message;              // the reader's own words
  nlohmann::json view;              // null where it showed none
  std::vector<std::uint8_t> body;   // merged or looked-up bytes
  std::string errors;               // breakdowns: the end of its stderr
  std::string detail;               // breakdowns: what went wrong, in ours
  bool interrupted = false;         // the run was stopped meanwhile; nothing was observed
  bool unstartable = false;         // a fresh child could not be brought to say ready

  /// "accept", "crash(11)", "exit(3)" …
  std::string text() const;
};

/// One question to a reader.
struct Request {
  std::uint64_t id = 0;
  facts::Surface surface = facts::Surface::bare;
  facts::Mode mode = facts::Mode::strict;
  const generators::ValueQuestion* question = nullptr;  // null or `none`: the view is wanted
  std::span<const std::uint8_t> input;
};

}  // namespace hurray::harness
