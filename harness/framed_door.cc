#include <fmt/format.h>

#include <algorithm>

#include "harness/breakdown.h"
#include "harness/door.h"

namespace hurray::harness {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

/// The head of what arrived, for messages: bytes in hex and as text.
std::string excerpt(std::span<const std::uint8_t> bytes) {
  std::string hex, text;
  for (const std::uint8_t byte : bytes.first(std::min<std::size_t>(bytes.size(), 16))) {
    hex += fmt::format("{:02x} ", byte);
    text += byte >= 0x20 && byte < 0x7f ? static_cast<char>(byte) : '.';
  }
  return fmt::format("{}\"{}\"", hex, text);
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

bool shows_torn(const json& items) {
  if (!items.is_array()) return false;
  return std::any_of(items.begin(), items.end(), [](const json& item) {
    if (!item.is_object()) return false;
    const auto complete = item.find("complete");
    if (complete != item.end() && complete->is_boolean() && !complete->get<bool>()) return true;
    const auto members = item.find("members");
    return members != item.end() && shows_torn(*members);
  });
}

class FramedDoor final : public Door {
 public:
  FramedDoor(const Program& program, const ChildLimits& limits) : program_(program), limits_(limits), child_(limits) {}

  bool open(Declaration& declaration, std::string& error) override {
    error = greet();
    if (!error.empty()) return false;
    declaration = declaration_;
    return true;
  }

  Observation ask(const Request& request) override {
    if (!child_.is_running()) {
      if (std::string error = greet(); !error.empty()) return unstartable(std::move(error));
    }
    encode(request);
    child_.errors().clear();
    const Child::Event event = child_.exchange(request_, limits_.per_case);
    Observation seen = event == Child::Event::frame ? decode(request) : breakdown(event);
    if (is_breakdown(seen.kind)) child_.kill();
    return seen;
  }

  Observation ask_alone(const Request& request) override {
    child_.kill();
    Observation seen = ask(request);
    if (seen.interrupted || seen.unstartable || is_breakdown(seen.kind)) return seen;
    std::vector<std::uint8_t> bye;
    append_frame(bye, R"({"op":"bye"})", {});
    const bool ended = child_.finish(bye, limits_.per_case);
    if (!child_.frames().pending().empty())
      seen = protocol_observation(too_much(), child_.errors());
    else if (ended && child_.ending().by_signal)  // it answered and then broke down over it
      seen = ended_observation(child_.ending(), child_.errors(), limits_);
    child_.kill();
    return seen;
  }

 private:
  std::string greet() {
    std::string error;
    greeted_ = false;
    if (!child_.start(program_, error)) return error;
    std::vector<std::uint8_t> hello;
    append_frame(hello, R"({"op":"hello","protocol":1})", {});
    const Child::Event event = child_.exchange(hello, limits_.startup);
    if (event != Child::Event::frame) {
      error = greeting_failure(event);
    } else {
      const json ready = json::parse(child_.frames().header(), nullptr, false);
      error = ready.is_discarded() ? "its answer to hello is not JSON" : parse_ready(ready, declaration_);
      if (!error.empty()) error = fmt::format("{}; it wrote {}", error, excerpt(child_.frames().pending()));
      child_.frames().pop();
    }
    greeted_ = error.empty();
    if (!greeted_) child_.kill();
    return error;
  }

  std::string greeting_failure(Child::Event event) {
    const std::string seen = breakdown(event).detail;
    std::string error = fmt::format("{} did not say ready: {}", program_.arguments.front(), seen);
    const auto wrote = child_.frames().pending();
    if (!wrote.empty())
      error += fmt::format("; its stdout began with {} - stdout carries frames only, log to stderr", excerpt(wrote));
    std::string_view said = child_.errors().text();
    while (!said.empty() && said.back() == '\n') said.remove_suffix(1);
    if (!said.empty()) error += fmt::format("; its stderr ended with: {}", said.substr(said.rfind('\n') + 1));
    if (event == Child::Event::ended && wrote.empty() && limits_.memory_bytes != 0)
      error += fmt::format("; the ceiling was --memory-mb {} (readers built with a sanitizer, Go, Java or CUDA may need 0)",
                           limits_.memory_bytes >> 20);
    return error;
  }

  Observation breakdown(Child::Event event) {
    switch (event) {
      case Child::Event::ended: return ended_observation(child_.ending(), child_.errors(), limits_);
      case Child::Event::closed_output:
        return protocol_observation("closed its stdout but went on running", child_.errors());
      case Child::Event::deadline: return deadline();
      case Child::Event::oversized:
        return protocol_observation(
            fmt::format("announced a frame above the cap of {} + {} bytes: {}", limits_.reply.header,
                        limits_.reply.body, excerpt(child_.frames().pending())), child_.errors());
      case Child::Event::interrupted:
      case Child::Event::frame: break;
    }
    Observation seen;
    seen.interrupted = true;
    return seen;
  }

  Observation deadline() {
    Observation seen = hang_observation(greeted_ ? limits_.per_case : limits_.startup, child_.errors());
    const auto wrote = child_.frames().pending();
    if (!wrote.empty())
      seen.detail += fmt::format("; {} bytes of an unfinished frame: {}", wrote.size(), excerpt(wrote));
    return seen;
  }

  static Observation unstartable(std::string error) {
    Observation seen;
    seen.unstartable = true;
    seen.detail = std::move(error);
    return seen;
  }

  void encode(const Request& request) {
    using Kind = generators::ValueQuestion::Kind;
    const auto* question = request.question;
    const Kind kind = question != nullptr ? question->kind : Kind::none;
    std::string want = R"("view"])";
    if (kind == Kind::merge) want = fmt::format(R"("merge"],"item":{})", question->item);
    if (kind == Kind::lookup)
      want = fmt::format(R"("lookup"],"item":{},"index":{})", question->item, json(question->index).dump());
    header_.clear();
    fmt::format_to(std::back_inserter(header_), R"({{"op":"read","id":{},"surface":"{}","mode":"{}","want":[{}}})",
                   request.id, facts::surface_names[static_cast<std::size_t>(request.surface)],
                   facts::mode_names[static_cast<std::size_t>(request.mode)], want);
    request_.clear();
    append_frame(request_, {header_.data(), header_.size()}, request.input);
  }

  Observation decode(const Request& request) {
    FrameBuffer& frames = child_.frames();
    json answer = json::parse(frames.header(), nullptr, false);
    std::string wrong = wrong_with(answer, request);
    Observation seen;
    if (wrong.empty()) {
      const std::string verdict = text_of(answer, "verdict");
      if (verdict == "accept") seen.kind = Observed::accept;
      else if (verdict == "reject") seen.kind = Observed::reject;
      else if (verdict == "unsupported") seen.kind = Observed::unsupported;
      else wrong = fmt::format("the verdict '{}' is none of accept, reject, unsupported", verdict);
    }
    if (!wrong.empty()) return protocol_observation(std::move(wrong), child_.errors());
    seen.rule = text_of(answer, "rule");
    seen.message = text_of(answer, "message");
    if (const auto at = answer.find("at"); at != answer.end()) seen.at = number_of(*at);
    if (const auto view = answer.find("view"); view != answer.end()) seen.view = std::move(*view);
    if (seen.kind == Observed::accept && shows_torn(seen.view)) seen.kind = Observed::partial;
    if (request.question != nullptr) seen.body.assign(frames.body().begin(), frames.body().end());
    frames.pop();
    if (!frames.pending().empty())
      return protocol_observation(too_much(), child_.errors());
    return seen;
  }

  std::string too_much() {
    const auto wrote = child_.frames().pending();
    return fmt::format("wrote {} bytes more than one answer: {}", wrote.size(), excerpt(wrote));
  }

  std::string wrong_with(const json& answer, const Request& request) {
    if (answer.is_discarded() || !answer.is_object())
      return fmt::format("the header of its answer is not a JSON object: {}", excerpt(child_.frames().pending()));
    if (text_of(answer, "op") != "result")
      return fmt::format("answered with op '{}' instead of 'result'", text_of(answer, "op"));
    const auto id = answer.find("id");
    const auto number = id != answer.end() ? number_of(*id) : std::nullopt;
    if (!number) return "its answer has no id";
    if (*number != request.id) return fmt::format("answered id {} when asked {}", *number, request.id);
    return {};
  }

  Program program_;
  ChildLimits limits_;
  Child child_;
  bool greeted_ = false;
  Declaration declaration_;
  fmt::memory_buffer header_;
  std::vector<std::uint8_t> request_;
};

}  // namespace

std::unique_ptr<Door> make_framed_door(const Program& program, const ChildLimits& limits) {
  return std::make_unique<FramedDoor>(program, limits);
}

}  // namespace hurray::harness
