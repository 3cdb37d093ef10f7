// Puts all questions of a run to a reader, with several children at once.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "harness/door.h"
#include "harness/results.h"

namespace hurray::harness {

struct RunPlan {
  const generators::Matrix* matrix = nullptr;
  std::vector<Task> tasks;
  Program program;
  DoorFactory door = make_framed_door;
  ChildLimits limits;
  unsigned jobs = 1;
  bool confirm = true;  // ask again on a fresh child before blaming
  const std::atomic<bool>* stop = nullptr;
  std::atomic<std::size_t>* done = nullptr;    // counts finished tasks, for a progress display
  std::atomic<std::size_t>* failed = nullptr;  // counts failures likewise
};

struct RunOutcome {
  Declaration declaration;
  std::vector<Result> results;  // one a task, in their order
  std::string reader_error;     // not empty: the reader could not be run (any more); what was judged stands
  bool stopped = false;
};

[[nodiscard]] RunOutcome run(const RunPlan& plan);

}  // namespace hurray::harness
