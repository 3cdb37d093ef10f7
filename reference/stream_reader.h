// A stream that arrives in pieces, cut anywhere.
#pragma once

#include "reference/stream_parser.h"

namespace hurray::reference {

/// Gives the same result as read() on all pieces joined, and tells of a violation as soon as the tensor or message
/// that breaks a rule is there. Memory is what was fed, doubled while it grows, plus what read() takes.
class StreamReader {
 public:
  /// `surface` is bare or framed.
  StreamReader(Surface surface, const Waivers& waivers);
  StreamReader(const StreamReader&) = delete;
  StreamReader& operator=(const StreamReader&) = delete;

  /// Takes the next bytes of the stream. False once a rule is broken; nothing more is kept then.
  bool feed(Bytes piece);

  /// Call once, when the stream is over. The reading's views point into this reader.
  [[nodiscard]] Reading finish();

 private:
  void restart();

  const Surface surface_;
  const Waivers waivers_;
  Reading reading_;
  std::unique_ptr<StreamParser> parser_;
  std::vector<std::uint8_t> received_;
};

}  // namespace hurray::reference
