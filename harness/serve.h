// The reader's side of the framed protocol, for the readers that live in this binary.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "harness/frame.h"

namespace hurray::harness {

struct Answer {
  std::string header;  // JSON text without op and id, which the loop puts in front, unless it brings its own
  std::vector<std::uint8_t> body;
};

/// A reader as the loop sees it.
class Served {
 public:
  virtual ~Served() = default;
  virtual nlohmann::json ready() = 0;
  /// `request` is the header of a `read`.
  virtual Answer read(const nlohmann::json& request, std::span<const std::uint8_t> input) = 0;
};

/// Answers on fd 1 what comes on fd 0 until bye or the end of input: 0. 1 with a line on stderr when what comes is no
/// protocol.
int serve(Served& reader);

}  // namespace hurray::harness
