// Frames of the reader protocol: u32le header length, u32le body length, a JSON object in UTF-8, raw bytes.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hurray::harness {

/// Most bytes that one side takes from the other in one frame.
struct FrameCaps {
  std::uint32_t header = 16u << 20;
  std::uint32_t body = 64u << 20;
};

/// Appends one whole frame to `out`.
void append_frame(std::vector<std::uint8_t>& out, std::string_view header, std::span<const std::uint8_t> body);

/// An integer in either spelling of the protocol (number or decimal string); nothing for anything else.
[[nodiscard]] std::optional<std::uint64_t> number_of(const nlohmann::json& value);

/// Bytes as they arrive from a pipe, cut into frames. Memory follows what arrived, never what a length announces.
class FrameBuffer {
 public:
  enum class State : std::uint8_t { incomplete, complete, oversized };

  explicit FrameBuffer(FrameCaps caps) : caps_(caps) {}

  /// Room for the next read(2); call `wrote` with what came.
  std::span<std::uint8_t> room();
  void wrote(std::size_t count) { end_ += count; }

  State state() const;
  /// Of the complete frame in front; valid until the next call of `room` or `pop`.
  std::string_view header() const;
  std::span<const std::uint8_t> body() const;
  void pop();

  std::span<const std::uint8_t> pending() const { return {bytes_.data() + begin_, end_ - begin_}; }
  void clear() { begin_ = end_ = 0; }

 private:
  std::uint32_t length(std::size_t at) const;

  FrameCaps caps_;
  std::vector<std::uint8_t> bytes_;
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace hurray::harness
