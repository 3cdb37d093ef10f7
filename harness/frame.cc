#include "harness/frame.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>

namespace hurray::harness {
namespace {

constexpr std::size_t prefix = 8;  // the two lengths
constexpr std::size_t least_room = 64u << 10;

void append_u32(std::vector<std::uint8_t>& out, std::size_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

}  // namespace

void append_frame(std::vector<std::uint8_t>& out, std::string_view header, std::span<const std::uint8_t> body) {
  out.reserve(out.size() + prefix + header.size() + body.size());
  append_u32(out, header.size());
  append_u32(out, body.size());
  out.insert(out.end(), header.begin(), header.end());
  out.insert(out.end(), body.begin(), body.end());
}

std::optional<std::uint64_t> number_of(const nlohmann::json& value) {
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer()) return value.get<std::int64_t>() < 0 ? std::nullopt : std::optional(value.get<std::uint64_t>());
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::span<std::uint8_t> FrameBuffer::room() {
  if (begin_ == end_) begin_ = end_ = 0;
  if (begin_ > 0 && bytes_.size() - end_ < least_room) {
    std::memmove(bytes_.data(), bytes_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (bytes_.size() - end_ < least_room) bytes_.resize(std::max(bytes_.size() * 2, end_ + least_room));
  return {bytes_.data() + end_, bytes_.size() - end_};
}

std::uint32_t FrameBuffer::length(std::size_t at) const {
  std::uint32_t value = 0;
  for (std::size_t byte = 4; byte-- > 0;) value = value << 8 | bytes_[begin_ + at + byte];
  return value;
}

FrameBuffer::State FrameBuffer::state() const {
  const std::size_t size = end_ - begin_;
  if (size < prefix) return State::incomplete;
  if (length(0) > caps_.header || length(4) > caps_.body) return State::oversized;
  return size - prefix >= std::size_t{length(0)} + length(4) ? State::complete : State::incomplete;
}

std::string_view FrameBuffer::header() const {
  return {reinterpret_cast<const char*>(bytes_.data() + begin_ + prefix), length(0)};
}

std::span<const std::uint8_t> FrameBuffer::body() const {
  return {bytes_.data() + begin_ + prefix + length(0), length(4)};
}

void FrameBuffer::pop() { begin_ += prefix + length(0) + length(4); }

}  // namespace hurray::harness
