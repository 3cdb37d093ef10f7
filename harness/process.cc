#include "harness/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

namespace hurray::harness {
namespace {

struct Pipe {
  Descriptor read_end, write_end;
};

bool open_pipe(Pipe& pipe) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  pipe.read_end = Descriptor(ends[0]);
  pipe.write_end = Descriptor(ends[1]);
  return true;
}

void make_nonblocking(const Descriptor& fd) { fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }

/// All that the child needs between vfork and execve, prepared before: there it may only make system calls.
struct Launch {
  const char* path = nullptr;
  char* const* arguments = nullptr;
  int input = -1, output = -1, errors = -1;
  rlim_t memory = RLIM_INFINITY;
  sigset_t signals{};
};

[[noreturn]] void become(const Launch& launch, volatile int* error) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed runner leaves no reader behind
  signal(SIGPIPE, SIG_DFL);          // the runner ignores it, and that would be inherited
  const rlimit memory{launch.memory, launch.memory};
  const rlimit core{0, 0};
  if (launch.memory != RLIM_INFINITY) setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CORE, &core);
  dup2(launch.input, 0);
  dup2(launch.output, 1);
  dup2(launch.errors, 2);
  sigprocmask(SIG_SETMASK, &launch.signals, nullptr);
  execve(launch.path, launch.arguments, environ);
  *error = errno;
  _exit(127);
}

/// vfork, because the runner holds a large matrix and starts many children; fork would copy its page tables each time.
pid_t launch_child(Launch& launch, volatile int* error) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &launch.signals);  // no handler of ours may run in the borrowed address space
  const pid_t pid = vfork();
  if (pid == 0) become(launch, error);
  pthread_sigmask(SIG_SETMASK, &launch.signals, nullptr);
  return pid;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = other.release();
  }
  return *this;
}

int Descriptor::release() { return std::exchange(fd_, -1); }

void Descriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

void Tail::append(std::string_view text) {
  constexpr std::size_t kept = 64u << 10;
  text_ += text;
  if (text_.size() > 2 * kept) text_.erase(0, text_.size() - kept);
}

Process::Process(Process&& other) noexcept
    : input(std::move(other.input)), output(std::move(other.output)), errors(std::move(other.errors)),
      pid_(std::exchange(other.pid_, -1)) {}

Process& Process::operator=(Process&& other) noexcept {
  if (this != &other) {
    kill();
    input = std::move(other.input);
    output = std::move(other.output);
    errors = std::move(other.errors);
    pid_ = std::exchange(other.pid_, -1);
  }
  return *this;
}

Process Process::start(const Program& program, std::uint64_t memory_bytes, Input input, std::string& error) {
  signal(SIGPIPE, SIG_IGN);  // a child that ends early is something to observe, not the end of the runner
  Process process;
  Pipe in, out, err;
  if (!open_pipe(out) || !open_pipe(err) || (input == Input::pipe && !open_pipe(in))) {
    error = fmt::format("cannot open pipes for the reader: {}", std::strerror(errno));
    return process;
  }
  if (input == Input::null) in.read_end = Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
  std::vector<char*> arguments;
  for (const std::string& argument : program.arguments) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  Launch launch;
  launch.path = program.path.c_str();
  launch.arguments = arguments.data();
  launch.input = in.read_end.get();
  launch.output = out.write_end.get();
  launch.errors = err.write_end.get();
  if (memory_bytes != 0) launch.memory = memory_bytes;
  volatile int exec_error = 0;
  process.pid_ = launch_child(launch, &exec_error);
  const int failure = process.pid_ < 0 ? errno : exec_error;
  if (failure != 0) {
    error = fmt::format("cannot start '{}': {}", program.path, std::strerror(failure));
    if (failure == ENOEXEC) error += "; a script needs a first line such as #!/bin/sh";
    process.kill();
    return process;
  }
  if (input == Input::pipe) {
    process.input = std::move(in.write_end);
    make_nonblocking(process.input);
  }
  process.output = std::move(out.read_end);
  process.errors = std::move(err.read_end);
  make_nonblocking(process.output);
  make_nonblocking(process.errors);
  return process;
}

void Process::drain_errors(Tail& tail) {
  std::array<char, 4096> chunk;
  for (unsigned reads = 0; errors.is_open() && reads < 64; ++reads) {  // a flood must not hold the runner here
    const ssize_t count = read(errors.get(), chunk.data(), chunk.size());
    if (count > 0) tail.append({chunk.data(), static_cast<std::size_t>(count)});
    else if (count == 0) errors.close();
    else if (errno != EINTR) return;
  }
}

bool Process::wait(Clock::time_point until, Ending& ending) {
  using namespace std::chrono_literals;
  auto pause = 50us;
  while (is_running()) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_) {
      ::kill(-pid_, SIGKILL);  // while the zombie keeps the number of its group from being reused
      int status = 0;
      rusage usage{};
      wait4(pid_, &status, 0, &usage);
      pid_ = -1;
      ending.by_signal = WIFSIGNALED(status);
      ending.number = ending.by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
      ending.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) << 10;
      return true;
    }
    if (Clock::now() >= until) return false;
    std::this_thread::sleep_for(pause);
    if (pause < 2ms) pause *= 2;
  }
  return false;
}

void Process::kill() {
  if (!is_running()) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);  // should it have left the group
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
  input.close();
  output.close();
  errors.close();
}

}  // namespace hurray::harness
