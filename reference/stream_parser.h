// What reads a stream as far as it has arrived; the whole stream at once is the case of one piece.
#pragma once

#include <memory>

#include "reference/read.h"

namespace hurray::reference {

class StreamParser {
 public:
  virtual ~StreamParser() = default;

  /// Reads what is complete in `received`, which is the stream from its start and holds, at the same place in memory,
  /// all that it held before.
  virtual void advance(Bytes received) = 0;

  /// The stream is over: judges what is left of it.
  virtual void finish() = 0;
};

/// Both must not outlive `waivers` and `reading`.
[[nodiscard]] std::unique_ptr<StreamParser> make_bare_parser(const Waivers& waivers, Reading& reading);
[[nodiscard]] std::unique_ptr<StreamParser> make_framed_parser(const Waivers& waivers, Reading& reading);

}  // namespace hurray::reference
