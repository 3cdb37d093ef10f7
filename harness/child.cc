#include "harness/child.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace hurray::harness {
namespace {

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 3600 * 1000));
}

}  // namespace

bool Child::start(const Program& program, std::string& error) {
  kill();
  process_ = Process::start(program, limits_.memory_bytes, Process::Input::pipe, error);
  return process_.is_running();
}

void Child::kill() {
  process_.kill();
  frames_.clear();
  tail_.clear();
}

void Child::send(std::span<const std::uint8_t>& rest) {
  while (!rest.empty()) {
    const ssize_t count = write(process_.input.get(), rest.data(), rest.size());
    if (count >= 0) {
      rest = rest.subspan(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      if (errno != EAGAIN) {  // it no longer reads; what it does instead shows on its stdout
        process_.input.close();
        rest = {};
      }
      return;
    }
  }
}

bool Child::receive() {
  const std::span<std::uint8_t> room = frames_.room();
  const ssize_t count = read(process_.output.get(), room.data(), room.size());
  if (count > 0) frames_.wrote(static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

Child::Event Child::after_output_closed(Clock::time_point deadline) {
  const bool ended = process_.wait(std::min(deadline, Clock::now() + std::chrono::seconds(1)), ending_);
  process_.drain_errors(tail_);
  return ended ? Event::ended : Event::closed_output;
}

Child::Event Child::exchange(std::span<const std::uint8_t> request, std::chrono::milliseconds patience) {
  const Clock::time_point deadline = Clock::now() + patience;
  std::span<const std::uint8_t> rest = request;
  send(rest);
  for (;;) {
    std::array<pollfd, 4> fds{{{process_.output.get(), POLLIN, 0},
                               {process_.errors.get(), POLLIN, 0},
                               {limits_.interrupt, POLLIN, 0},
                               {rest.empty() ? -1 : process_.input.get(), POLLOUT, 0}}};
    const int ready = poll(fds.data(), fds.size(), milliseconds_until(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (fds[2].revents != 0) return Event::interrupted;
    if (fds[1].revents != 0) process_.drain_errors(tail_);
    if (fds[3].revents != 0) send(rest);
    if (fds[0].revents != 0) {
      if (!receive()) return after_output_closed(deadline);
      if (frames_.state() == FrameBuffer::State::oversized) return Event::oversized;
    }
    if (frames_.state() == FrameBuffer::State::complete && rest.empty()) return Event::frame;
    if (ready == 0 || Clock::now() >= deadline) return Event::deadline;
  }
}

bool Child::finish(std::span<const std::uint8_t> request, std::chrono::milliseconds patience) {
  const Clock::time_point deadline = Clock::now() + patience;
  std::span<const std::uint8_t> rest = request;
  send(rest);
  process_.input.close();
  while (Clock::now() < deadline) {
    std::array<pollfd, 3> fds{{{process_.output.get(), POLLIN, 0},
                               {process_.errors.get(), POLLIN, 0},
                               {limits_.interrupt, POLLIN, 0}}};
    poll(fds.data(), fds.size(), milliseconds_until(deadline));
    if (fds[2].revents != 0) return false;
    if (fds[1].revents != 0) process_.drain_errors(tail_);
    if (fds[0].revents != 0 && (!receive() || frames_.state() != FrameBuffer::State::incomplete)) break;
  }
  return process_.wait(deadline, ending_);
}

bool ran_out_of_memory(const Ending& ending, std::string_view errors, std::uint64_t ceiling) {
  if (!ending.by_signal && ending.number == 0) return false;
  if (ceiling != 0 && ending.peak_bytes >= ceiling / 10 * 9) return true;
  if (ending.by_signal && ending.number == SIGKILL) return true;  // nobody of ours sent it: the kernel's own ceiling
  constexpr std::array<std::string_view, 8> words{"std::bad_alloc",   "memory allocation of", "MemoryError",
                                                  "out of memory",    "Out of memory",        "Cannot allocate memory",
                                                  "out-of-memory",    "OutOfMemory"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return errors.find(word) != std::string_view::npos; });
}

}  // namespace hurray::harness
