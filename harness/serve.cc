#include "harness/serve.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace hurray::harness {
namespace {

using nlohmann::json;

bool write_all(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count > 0) bytes = bytes.subspan(static_cast<std::size_t>(count));
    else if (errno != EINTR) return false;
  }
  return true;
}

/// False at the end of input.
bool next_frame(FrameBuffer& frames) {
  while (frames.state() == FrameBuffer::State::incomplete) {
    const std::span<std::uint8_t> room = frames.room();
    const ssize_t count = read(STDIN_FILENO, room.data(), room.size());
    if (count == 0 || (count < 0 && errno != EINTR)) return false;
    if (count > 0) frames.wrote(static_cast<std::size_t>(count));
  }
  return true;
}

/// Puts op and id in front of an answer that brings neither.
std::string with_id(const std::string& header, const json& request) {
  if (header.compare(0, 6, R"({"op":)") == 0) return header;
  const auto id = request.find("id");
  return fmt::format(R"({{"op":"result","id":{},{})", id == request.end() ? "null" : id->dump(), std::string_view(header).substr(1));
}

int complain(std::string_view what) {
  fmt::print(stderr, "reader: {}; this command speaks the reader protocol on stdin and stdout, it is not for typing\n", what);
  return 1;
}

}  // namespace

int serve(Served& reader) {
  FrameBuffer frames({1u << 20, 1u << 30});
  std::vector<std::uint8_t> out;
  while (next_frame(frames)) {
    if (frames.state() == FrameBuffer::State::oversized) return complain("a frame above the cap, or no frame at all");
    const json request = json::parse(frames.header(), nullptr, false);
    const auto op = request.is_object() ? request.find("op") : request.end();
    if (!request.is_object() || op == request.end()) return complain("a frame whose header is no JSON object with an op");
    out.clear();
    if (*op == "bye") return 0;
    if (*op == "hello") {
      append_frame(out, reader.ready().dump(), {});
    } else if (*op == "read") {
      const Answer answer = reader.read(request, frames.body());
      append_frame(out, with_id(answer.header, request), answer.body);
    } else {
      return complain("an op that protocol 1 does not have");
    }
    frames.pop();
    if (!write_all(out)) return 0;
  }
  return 0;
}

}  // namespace hurray::harness
