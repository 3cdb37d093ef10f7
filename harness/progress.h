// Shows on stderr how far a run is.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace hurray::harness {

/// A bar with rate and time left on a terminal; a plain line at the start and every ten seconds elsewhere; nothing when quiet. Ends with
/// its destructor.
class Progress {
 public:
  Progress(std::size_t total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  std::atomic<std::size_t> done{0}, failed{0};

 private:
  void show(double seconds, bool last) const;
  void watch();

  std::size_t total_;
  bool bar_;
  bool finished_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace hurray::harness
