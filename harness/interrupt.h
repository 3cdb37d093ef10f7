// Ctrl-C ends a run early and orderly: children are killed, what was judged is still written.
#pragma once

#include <atomic>

namespace hurray::harness {

/// Installs handlers for SIGINT and SIGTERM. A second Ctrl-C ends the program at once.
/// There is one per process, because a signal handler reaches nothing but globals.
struct Interrupt {
  static void install();
  static const std::atomic<bool>& raised();
  /// Readable once it is raised, for poll(2).
  static int descriptor();
};

}  // namespace hurray::harness
