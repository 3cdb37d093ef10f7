#include "harness/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace hurray::harness {
namespace {

using Seconds = std::chrono::duration<double>;

std::string bar_of(double share) {
  constexpr std::size_t width = 30;
  const auto filled = static_cast<std::size_t>(share * width);
  return std::string(filled, '#') + std::string(width - filled, '.');
}

}  // namespace

Progress::Progress(std::size_t total, bool quiet) : total_(total), bar_(isatty(STDERR_FILENO) == 1) {
  if (quiet || total == 0) return;
  if (!bar_) fmt::print(stderr, "judging {} cases\n", total);
  thread_ = std::thread([this] { watch(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Progress::show(double seconds, bool last) const {
  const auto count = static_cast<double>(done);
  const double share = count / static_cast<double>(total_), rate = seconds > 0 ? count / seconds : 0;
  const double left = rate > 0 ? (static_cast<double>(total_) - count) / rate : 0;
  const std::string text = fmt::format("{} of {} cases, {} failed, {:.0f} a second", done.load(), total_, failed.load(), rate);
  if (!bar_) fmt::print(stderr, "{}\n", text);
  else if (last) fmt::print(stderr, "\r\033[K{}, {:.1f} s\n", text, seconds);
  else fmt::print(stderr, "\r\033[K[{}] {:3.0f} % {}, {:.0f} s left", bar_of(share), share * 100, text, left);
  std::fflush(stderr);
}

void Progress::watch() {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return Seconds(std::chrono::steady_clock::now() - start).count(); };
  const auto pause = std::chrono::milliseconds(bar_ ? 100 : 10000);
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, pause, [this] { return finished_; })) show(seconds(), false);
  show(seconds(), true);
}

}  // namespace hurray::harness
