// A reader in a child process that speaks the framed protocol: one request, one answer, a deadline for each.
#pragma once

#include <memory>
#include <span>

#include "harness/frame.h"
#include "harness/process.h"

namespace hurray::harness {

struct ChildLimits {
  std::chrono::milliseconds startup{20000};  // from start to ready
  std::chrono::milliseconds per_case{5000};
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // address space; 0: no ceiling
  FrameCaps reply;
  int interrupt = -1;  // becomes readable when the run is to stop; -1: never
};

class Child {
 public:
  enum class Event : std::uint8_t {
    frame,          // frames() holds the answer
    ended,          // ending() says how
    closed_output,  // its stdout is at its end, it is not
    deadline,       // our own, not its doing
    oversized,      // the answer announces more than the cap
    interrupted,
  };

  explicit Child(const ChildLimits& limits) : limits_(limits), frames_(limits.reply) {}

  /// Starts a process; one that runs is killed first. On failure `error` says why.
  bool start(const Program& program, std::string& error);
  bool is_running() const { return process_.is_running(); }

  /// Sends `request` in one write where the pipe takes it, and waits for one frame.
  Event exchange(std::span<const std::uint8_t> request, std::chrono::milliseconds patience);
  /// Sends `request`, closes the child's stdin and waits until it ends or `patience` is over. Says whether it ended.
  bool finish(std::span<const std::uint8_t> request, std::chrono::milliseconds patience);
  void kill();

  FrameBuffer& frames() { return frames_; }
  const Ending& ending() const { return ending_; }
  Tail& errors() { return tail_; }

 private:
  void send(std::span<const std::uint8_t>& rest);
  bool receive();  // false at the end of its stdout
  Event after_output_closed(Clock::time_point deadline);

  ChildLimits limits_;
  Process process_;
  FrameBuffer frames_;
  Tail tail_;
  Ending ending_;
};

/// Whether an ending under `ceiling` bytes of memory was for want of memory: judged by what the runtimes of the usual
/// languages say then, and by the peak of resident memory.
[[nodiscard]] bool ran_out_of_memory(const Ending& ending, std::string_view errors, std::uint64_t ceiling);

}  // namespace hurray::harness
