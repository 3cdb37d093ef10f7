// A reader for the fixture matrix that can be told to misbehave: scripted_reader [MISDEED [ARGUMENT]].
// It accepts what starts with 'A' and shows the view of the fixture, rejects what starts with 'R', and misbehaves over
// what starts with 'M' (or at once, where the misdeed is one of hello).
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "harness/serve.h"

namespace {

using hurray::harness::Answer;
using hurray::harness::Served;
using nlohmann::json;

void write_text(const std::string& text) {
  if (write(STDOUT_FILENO, text.data(), text.size()) < 0) _exit(9);
}

[[noreturn]] void hog_memory() {
  for (std::size_t size = 1;; ++size)
    if (std::malloc(std::size_t{1} << 20) == nullptr) {
      std::fputs("memory allocation of 1048576 bytes failed\n", stderr);
      std::abort();
    }
}

[[noreturn]] void flood() {
  const std::string noise(1 << 16, '\xff');
  for (;;) write_text(noise);
}

class ScriptedReader final : public Served {
 public:
  ScriptedReader(std::string misdeed, std::string argument) : misdeed_(std::move(misdeed)), argument_(std::move(argument)) {}

  json ready() override {
    if (misdeed_ == "slow-hello") std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(argument_.c_str())));
    if (misdeed_ == "die-at-hello") {
      std::fputs("no licence found\n", stderr);
      _exit(7);
    }
    if (misdeed_ == "print-at-hello") write_text("Hello, I am a reader!\n");
    json ready{{"op", "ready"}, {"protocol", 1}, {"name", "scripted"}, {"version", "1.2"}, {"language", "C++"}};
    if (misdeed_ == "wrong-protocol") ready["protocol"] = 2;
    if (misdeed_ == "bare-only") ready["surfaces"] = {"bare"};
    if (misdeed_ == "certifiable") ready["modes"] = {"strict"};
    return ready;
  }

  Answer read(const json& request, std::span<const std::uint8_t> input) override {
    const char first = input.empty() ? 'R' : static_cast<char>(input[0]);
    if (first == 'M') {
      if (const json header = misbehave(request); !header.is_null()) return text(header);
    }
    if (misdeed_ == "crash-on-second" && ++asked_ == 2) std::abort();
    if (first == 'R') return text({{"verdict", "reject"}, {"rule", "FIX-01"}, {"at", "12"}, {"message", "starts with R"}});
    json item{{"kind", "tensor"}, {"type", "float32"}, {"shape", {2, "3"}}, {"layout", "row-major"}};
    return text({{"verdict", "accept"}, {"view", {item}}});
  }

 private:
  static Answer text(const json& header) {
    // The loop looks for op in front, where dump would sort it behind id.
    if (!header.contains("op")) return {header.dump(), {}};
    json rest = header;
    rest.erase("op");
    return {"{\"op\":\"result\"," + rest.dump().substr(1), {}};
  }

  json misbehave(const json& request) {
    if (misdeed_ == "crash") raise(SIGSEGV);
    if (misdeed_ == "exit") _exit(std::atoi(argument_.c_str()));
    if (misdeed_ == "hang") pause();
    if (misdeed_ == "flood") flood();
    if (misdeed_ == "memory") hog_memory();
    if (misdeed_ == "close-output") {
      close(STDOUT_FILENO);
      pause();
    }
    if (misdeed_ == "garbage") write_text(std::string("\x05\0\0\0\0\0\0\0{\"op\"", 13));
    if (misdeed_ == "half-frame") {
      write_text(std::string("\x50\0\0\0\0\0\0\0{\"op\"", 13));
      pause();
    }
    if (misdeed_ == "wrong-id") return json{{"op", "result"}, {"id", 999999}, {"verdict", "accept"}};
    if (misdeed_ == "string-id")
      return json{{"op", "result"}, {"id", std::to_string(request["id"].get<std::uint64_t>())}, {"verdict", "reject"}};
    if (misdeed_ == "answer-and-die") {
      std::vector<std::uint8_t> frame;
      hurray::harness::append_frame(
          frame, json{{"op", "result"}, {"id", request["id"]}, {"verdict", "reject"}}.dump(), {});
      write_text(std::string(frame.begin(), frame.end()));
      signal(SIGABRT, SIG_DFL);
      std::abort();
    }
    if (misdeed_ == "twice") {
      const std::string text = R"({"op":"result","id":1,"verdict":"reject"})";
      std::vector<std::uint8_t> frame;
      hurray::harness::append_frame(frame, text, {});
      write_text(std::string(frame.begin(), frame.end()));
    }
    if (misdeed_ == "odd-verdict") return json{{"verdict", "maybe"}};
    if (misdeed_ == "unsupported") return json{{"verdict", "unsupported"}};
    if (misdeed_ == "stderr") {
      std::fputs("a diagnosis\n", stderr);
      std::abort();
    }
    return {};
  }

  std::string misdeed_, argument_;
  int asked_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  ScriptedReader reader(argc > 1 ? argv[1] : "", argc > 2 ? argv[2] : "");
  return hurray::harness::serve(reader);
}
