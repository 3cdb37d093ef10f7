#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "harness/breakdown.h"
#include "harness/door.h"

namespace hurray::harness {
namespace {

std::string replaced(std::string text, std::string_view placeholder, std::string_view value) {
  for (std::size_t at = text.find(placeholder); at != std::string::npos; at = text.find(placeholder, at + value.size()))
    text.replace(at, placeholder.size(), value);
  return text;
}

/// The file that the input of each question is written to; removed with its folder.
class InputFile {
 public:
  InputFile() {
    const char* base = std::getenv("TMPDIR");
    folder_ = fmt::format("{}/hurray-conform-XXXXXX", base != nullptr ? base : "/tmp");
    if (mkdtemp(folder_.data()) == nullptr) error_ = fmt::format("cannot make a folder {}: {}", folder_, std::strerror(errno));
    path_ = folder_ + "/input.hurray";
  }
  ~InputFile() {
    unlink(path_.c_str());
    rmdir(folder_.c_str());
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& error() const { return error_; }

  void write(std::span<const std::uint8_t> bytes) {
    const Descriptor file(open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    std::size_t done = 0;
    while (file.is_open() && done < bytes.size()) {
      const ssize_t count = ::write(file.get(), bytes.data() + done, bytes.size() - done);
      if (count <= 0) break;
      done += static_cast<std::size_t>(count);
    }
    if (!file.is_open() || done < bytes.size()) error_ = fmt::format("cannot write {}: {}", path_, std::strerror(errno));
  }

 private:
  std::string folder_, path_, error_;
};

class ExecDoor final : public Door {
 public:
  ExecDoor(const Program& program, const ChildLimits& limits) : program_(program), limits_(limits) {}

  bool open(Declaration& declaration, std::string& error) override {
    declaration = tier_one();
    declaration.name = program_.arguments.front();
    declaration.shows_views = declaration.can_certify = false;
    declaration.may_decline = true;
    bool has_file = false;
    for (const std::string& argument : program_.arguments) has_file |= argument.find("{file}") != std::string::npos;
    error = file_.error();
    if (!has_file) error = "the command of --exec does not say where the input goes: put {file} among its arguments";
    return error.empty();
  }

  Observation ask(const Request& request) override {
    file_.write(request.input);
    std::string error = file_.error();
    Program program = program_;
    for (std::string& argument : program.arguments) {
      argument = replaced(std::move(argument), "{file}", file_.path());
      argument = replaced(std::move(argument), "{surface}", facts::surface_names[static_cast<std::size_t>(request.surface)]);
      argument = replaced(std::move(argument), "{mode}", facts::mode_names[static_cast<std::size_t>(request.mode)]);
    }
    Process process;
    if (error.empty()) process = Process::start(program, limits_.memory_bytes, Process::Input::null, error);
    if (process.is_running()) return watch(process);
    Observation seen;
    seen.unstartable = true;
    seen.detail = error;
    return seen;
  }

  Observation ask_alone(const Request& request) override { return ask(request); }

 private:
  Observation watch(Process& process) {
    using namespace std::chrono_literals;
    const Clock::time_point deadline = Clock::now() + limits_.per_case;
    Tail errors;
    Ending ending;
    while (process.errors.is_open() || process.output.is_open()) {
      std::array<pollfd, 3> fds{{{process.output.get(), POLLIN, 0}, {process.errors.get(), POLLIN, 0},
                                 {limits_.interrupt, POLLIN, 0}}};
      poll(fds.data(), fds.size(), 20);
      if (fds[2].revents != 0) {
        Observation seen;
        seen.interrupted = true;
        return seen;
      }
      if (fds[1].revents != 0) process.drain_errors(errors);
      if (fds[0].revents != 0) discard(process.output);
      if (fds[0].revents == 0 && fds[1].revents == 0 && process.wait(Clock::now(), ending)) return verdict(ending, errors);
      if (Clock::now() >= deadline) return hang_observation(limits_.per_case, errors);
    }
    if (!process.wait(deadline, ending)) return hang_observation(limits_.per_case, errors);
    return verdict(ending, errors);
  }

  static void discard(Descriptor& output) {
    std::array<char, 4096> chunk;
    const ssize_t count = read(output.get(), chunk.data(), chunk.size());
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) output.close();
  }

  Observation verdict(const Ending& ending, const Tail& errors) const {
    Observation seen = ended_observation(ending, errors, limits_);
    if (ending.by_signal || ending.number > 3 || ending.number == 2) return seen;
    seen = {};
    seen.kind = ending.number == 0 ? Observed::accept : ending.number == 1 ? Observed::reject : Observed::unsupported;
    return seen;
  }

  Program program_;
  ChildLimits limits_;
  InputFile file_;
};

}  // namespace

std::unique_ptr<Door> make_exec_door(const Program& program, const ChildLimits& limits) {
  return std::make_unique<ExecDoor>(program, limits);
}

}  // namespace hurray::harness
