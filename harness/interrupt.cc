#include "harness/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>

namespace hurray::harness {
namespace {

std::atomic<bool> is_raised{false};
std::array<int, 2> wake_pipe{-1, -1};

void on_signal(int) {
  is_raised = true;
  [[maybe_unused]] const ssize_t written = write(wake_pipe[1], "!", 1);
}

}  // namespace

void Interrupt::install() {
  if (pipe2(wake_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) wake_pipe = {-1, -1};
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

const std::atomic<bool>& Interrupt::raised() { return is_raised; }
int Interrupt::descriptor() { return wake_pipe[0]; }

}  // namespace hurray::harness
