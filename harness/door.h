// How a request reaches a reader. Two doors: the framed child and the exec command.
#pragma once

#include <memory>

#include "harness/child.h"
#include "harness/declaration.h"
#include "harness/observed.h"

namespace hurray::harness {

/// Not thread-safe; every worker opens its own.
class Door {
 public:
  virtual ~Door() = default;

  /// Brings a reader to where it can be asked and learns what it declares. On failure `error` is one line with a remedy.
  virtual bool open(Declaration& declaration, std::string& error) = 0;
  /// Puts one question; starts a fresh child where none is left.
  virtual Observation ask(const Request& request) = 0;
  /// The same on a fresh child that is asked nothing else and then told bye: it may not
  /// crash over it or write any more.
  virtual Observation ask_alone(const Request& request) = 0;
};

using DoorFactory = std::unique_ptr<Door> (*)(const Program& program, const ChildLimits& limits);

[[nodiscard]] std::unique_ptr<Door> make_framed_door(const Program& program, const ChildLimits& limits);

/// `program.arguments` hold {file}, {surface} and {mode}. Exit code 0 accepts, 1 rejects, 3 is unsupported.
[[nodiscard]] std::unique_ptr<Door> make_exec_door(const Program& program, const ChildLimits& limits);

}  // namespace hurray::harness
