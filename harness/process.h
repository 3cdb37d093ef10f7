// One child process in a process group of its own, with pipes and ceilings. Linux.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/program.h"

namespace hurray::harness {

using Clock = std::chrono::steady_clock;

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  int release();
  void close();

 private:
  int fd_ = -1;
};

/// How a process ended: by itself with an exit code, or by a signal.
struct Ending {
  bool by_signal = false;
  int number = 0;  // the signal or the exit code
  std::uint64_t peak_bytes = 0;  // resident memory at its highest
};

/// The last 64 KiB of what a child wrote to stderr.
class Tail {
 public:
  void append(std::string_view text);
  const std::string& text() const { return text_; }
  void clear() { text_.clear(); }

 private:
  std::string text_;
};

/// A running child. Destroying it kills its whole group and reaps it; no other process is ever signalled.
class Process {
 public:
  enum class Input : std::uint8_t { pipe, null };

  Process() = default;
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process() { kill(); }

  /// Starts `program` under an address space ceiling of `memory_bytes` (0: none). On failure `error` says why and the
  /// result is not running.
  static Process start(const Program& program, std::uint64_t memory_bytes, Input input, std::string& error);

  bool is_running() const { return pid_ > 0; }
  /// Non-blocking ends of the child's stdin, stdout and stderr.
  Descriptor input, output, errors;

  /// Reads what stderr holds now into `tail`; closes it at its end.
  void drain_errors(Tail& tail);
  /// Waits for the child to end by itself; then ends the rest of its group. Nothing when `until` passes first.
  bool wait(Clock::time_point until, Ending& ending);
  /// Ends the group at once.
  void kill();

 private:
  pid_t pid_ = -1;
};

}  // namespace hurray::harness
