// The messages of a network stream, server to client (interchange.md, Network Transport Protocol).
#include "reference/composite.h"
#include "reference/cursor.h"
#include "reference/frame_data.h"
#include "reference/stream_parser.h"

namespace hurray::reference {
namespace {

struct MessageHeader {
  std::uint32_t type, stream, length;
};

/// Tensors of one stream id, that of the first tensor message; tensor messages of other ids are other streams and are
/// left out. Hello, ping, RDMA and client messages may stand between any two messages and are passed over. An ERROR
/// message ends the stream.
class FramedParser final : public StreamParser {
 public:
  FramedParser(const Waivers& waivers, Reading& reading)
      : waivers_(waivers), reading_(reading), tree_(reading, waivers) {}

  void advance(Bytes received) override;
  void finish() override;

 private:
  bool take_message();
  std::optional<Violation> check_message(const MessageHeader& header, std::uint64_t at) const;
  std::optional<Violation> dispatch(const MessageHeader& header, std::uint64_t at, std::uint64_t payload);
  std::optional<Violation> descriptor_message(std::uint64_t at, std::uint64_t payload, std::uint32_t length);
  std::optional<Violation> data_message(std::uint64_t at, std::uint64_t payload, std::uint32_t length);
  std::optional<Violation> end_message(std::uint64_t at, std::uint32_t length);
  std::optional<Violation> check_transport(const Descriptor& descriptor, std::uint64_t payload_end);
  std::optional<Violation> finish_tensor();
  std::optional<Violation> end_of_stream(std::uint64_t at);
  std::optional<Violation> cut(std::uint64_t at);
  bool is_other_stream(std::uint32_t stream);
  bool composite_is_open() const;
  bool stopped(std::optional<Violation> violation) {
    reading_.violation = std::move(violation);
    done_ |= !reading_.accepted();
    return done_;
  }

  const Waivers& waivers_;
  Reading& reading_;
  CompositeTree tree_;
  Bytes input_;
  bool done_ = false;
  std::uint64_t position_ = 0;
  std::uint32_t stream_ = 0;        // 0 until the first tensor message
  bool tensor_open_ = false;        // between a TENSOR_DESCRIPTOR and its TENSOR_DATA_END
  bool tensor_seen_ = false;
  std::uint64_t descriptor_at_ = 0; // of the message that opened the tensor
  FrameData data_;
  std::vector<std::uint64_t> positions_;
};

void FramedParser::advance(Bytes received) {
  input_ = received;
  while (!done_ && take_message()) {
  }
}

void FramedParser::finish() {
  if (done_) return;
  done_ = true;
  stopped(position_ == input_.size() ? end_of_stream(position_) : cut(position_));
}

/// False when the next message is not all there, or nothing is to be read after it.
bool FramedParser::take_message() {
  const std::uint64_t at = position_;
  if (input_.size() - at < facts::limit::message_header) return false;
  Cursor in(input_, at);
  const MessageHeader header{in.u32(), in.u32(), in.u32()};
  if (stopped(check_message(header, at)) || header.length > in.remaining()) return false;
  position_ = in.position() + header.length;
  if (header.type == facts::message_type::error && (stream_ == 0 || header.stream == stream_)) {
    done_ = true;
    stopped(end_of_stream(at));
    return false;
  }
  return !stopped(dispatch(header, at, in.position()));
}

std::optional<Violation> FramedParser::check_message(const MessageHeader& header, std::uint64_t at) const {
  constexpr std::uint32_t first_private = 0xF0, last_private = 0xFE, never = 0xFF;
  Checks check(waivers_);
  const bool is_private = header.type >= first_private && header.type <= last_private;
  const bool is_listed = header.type >= facts::message_type::client_hello &&
      header.type <= facts::message_type::rdma_ready;
  check.that(header.type != never, Rule::FRAME_05, at, "message_type", hex(header.type));
  check.that(!is_private, Rule::FRAME_06, at, "private message_type", hex(header.type));
  check.that(is_listed || is_private || header.type == never, Rule::FRAME_04, at, "unknown message_type",
             hex(header.type));
  check.that(header.stream != 0, Rule::FRAME_07, at + 4, "stream_id", header.stream);
  check.that(header.length <= facts::limit::payload, Rule::FRAME_02, at + 8, "payload_length", header.length,
             "above this reader's maximum", facts::limit::payload);
  return check.first();
}

std::optional<Violation> FramedParser::dispatch(const MessageHeader& header, std::uint64_t at, std::uint64_t payload) {
  switch (header.type) {
    case facts::message_type::tensor_descriptor:
      return is_other_stream(header.stream) ? std::nullopt : descriptor_message(at, payload, header.length);
    case facts::message_type::tensor_data:
      return is_other_stream(header.stream) ? std::nullopt : data_message(at, payload, header.length);
    case facts::message_type::tensor_data_end:
      return is_other_stream(header.stream) ? std::nullopt : end_message(at, header.length);
    default:  // a number from the input, not an enumeration
      return std::nullopt;
  }
}

bool FramedParser::is_other_stream(std::uint32_t stream) {
  if (stream == 0) return false;  // FRAME-07 is waived
  if (stream_ == 0) stream_ = stream;
  reading_.partial |= stream != stream_;
  return stream != stream_;
}

std::optional<Violation> FramedParser::descriptor_message(std::uint64_t at, std::uint64_t payload,
                                                          std::uint32_t length) {
  if (tensor_open_) {
    if (!waivers_.has(Rule::STRM_ORD_06))
      return Violation{Rule::STRM_ORD_06, at,
                       Message::of("a TENSOR_DESCRIPTOR before the last tensor's TENSOR_DATA_END")};
    if (std::optional<Violation> violation = finish_tensor()) return violation;
  }
  constexpr std::uint64_t length_at = 6;
  Cursor in(input_, payload + length_at);
  in.limit(payload + length);
  const std::uint32_t stated = in.u32();
  Checks check(waivers_);
  check.that(!in.overran() && std::uint64_t{stated} + facts::limit::descriptor_trailer <= length, Rule::STRM_DESC_01,
             at + 8,
             "payload_length", length, "leaves no room for the transport fields after a descriptor_length of", stated);
  if (check.failed()) return check.first();

  const std::uint64_t payload_end = payload + length;
  const DescriptorOutcome outcome = read_descriptor(input_.first(payload_end), payload, waivers_);
  if (outcome.violation) return outcome.violation;
  if (std::optional<Violation> violation = tree_.arrive(outcome)) return violation;
  tensor_open_ = tensor_seen_ = true;
  descriptor_at_ = at;
  return check_transport(outcome.descriptor, payload_end);
}

/// The fields after the descriptor, and what a handle must say on a network. shard_index and total_shards are not
/// looked at: what other values than 0 of 1 mean for a stream of whole tensors is left open.
std::optional<Violation> FramedParser::check_transport(const Descriptor& descriptor, std::uint64_t payload_end) {
  constexpr std::uint64_t sync_mode_at = 13;
  Checks check(waivers_);
  std::uint64_t sum = 0;
  bool sum_wraps = false;
  for (std::size_t i = 0; i < descriptor.buffer_count; ++i) {
    const BufferHandle handle = descriptor.buffer(i);
    check.that(handle.sync_mode == 0, Rule::BUF_SYNC_08,
               descriptor.at.buffer_table + 1 + facts::limit::buffer_handle * i + sync_mode_at,
               "over a network, sync_mode", handle.sync_mode);
    sum_wraps |= __builtin_add_overflow(sum, handle.byte_size, &sum);
  }
  const std::uint64_t total_at = descriptor.at.end;
  Cursor in(input_, total_at);
  in.limit(payload_end);
  const std::uint64_t stated = in.u64();
  const std::uint64_t total = in.overran() ? sum : stated;  // STRM-DESC-01 is waived
  check.that(!descriptor.is_head() || total == 0, Rule::STRM_DESC_03, total_at, "head with total_data_bytes", total);
  data_.start(total, total_at, sum_wraps ? ~std::uint64_t{0} : sum);
  return check.first();
}

std::optional<Violation> FramedParser::data_message(std::uint64_t at, std::uint64_t payload, std::uint32_t length) {
  Checks check(waivers_);
  check.that(tensor_open_, Rule::STRM_ORD_05, at, "TENSOR_DATA outside a tensor, payload_length", length);
  check.that(length >= facts::limit::data_prefix, Rule::FRAME_01, at + 8, "TENSOR_DATA of payload_length", length);
  check.that(!tensor_open_ || data_.total() != 0, Rule::STRM_ORD_03, at,
             "TENSOR_DATA for a tensor without data, payload_length", length);
  const bool wanted = tensor_open_ && length >= facts::limit::data_prefix && data_.total() != 0;
  if (check.failed() || !wanted) return check.first();
  const std::uint64_t offset = load_little_endian<std::uint64_t>(input_.data() + payload);
  data_.add(offset, payload, input_.subspan(payload, length).subspan(facts::limit::data_prefix));
  return std::nullopt;
}

std::optional<Violation> FramedParser::end_message(std::uint64_t at, std::uint32_t length) {
  Checks check(waivers_);
  check.that(tensor_open_ || tensor_seen_, Rule::STRM_ORD_01, at, "TENSOR_DATA_END before any TENSOR_DESCRIPTOR");
  check.that(tensor_open_ || !tensor_seen_, Rule::STRM_ORD_07, at, "a second TENSOR_DATA_END for one tensor");
  check.that(length == 0, Rule::STRM_END_01, at + 8, "TENSOR_DATA_END with payload_length", length);
  if (check.failed() || !tensor_open_) return check.first();
  return finish_tensor();
}

std::optional<Violation> FramedParser::finish_tensor() {
  tensor_open_ = false;
  const Descriptor& descriptor = reading_.tensors.back().descriptor;
  Checks check(waivers_);
  const bool head_with_data = descriptor.is_head() && data_.total() != 0;  // STRM-DESC-03 is waived
  if (!descriptor.buffers_unknown && !head_with_data) data_.check(check);
  if (check.failed()) return check.first();
  const bool whole = data_.cut(descriptor, reading_, positions_);
  reading_.partial |= !whole;
  return tree_.complete(positions_, whole);
}

/// Whether the end of the stream would tear a composite: one waits for members, or for the last one's end message.
bool FramedParser::composite_is_open() const {
  if (!tensor_open_) return tree_.waiting();
  const Tensor& last = reading_.tensors.back();
  return last.depth > 0 || (last.descriptor.is_head() && last.descriptor.layout.member_count > 0);
}

std::optional<Violation> FramedParser::end_of_stream(std::uint64_t at) {
  if (composite_is_open()) {
    if (tensor_open_ && !reading_.tensors.back().descriptor.is_head()) tree_.drop_last();
    return tree_.end(at);
  }
  if (!tensor_open_) return tree_.end(at);
  if (!waivers_.has(Rule::STRM_ORD_07))
    return Violation{Rule::STRM_ORD_07, descriptor_at_,
                     Message::of("the stream ends before this tensor's TENSOR_DATA_END")};
  return finish_tensor();
}

/// The input ends inside the message at byte `at`.
std::optional<Violation> FramedParser::cut(std::uint64_t at) {
  if (composite_is_open()) return end_of_stream(input_.size());
  if (!waivers_.has(Rule::FRAME_01))
    return Violation{Rule::FRAME_01, at, Message::of("the input ends inside this message")};
  if (tensor_open_) tree_.drop_last();
  reading_.partial = true;
  tree_.abandon();
  return std::nullopt;
}

}  // namespace

std::unique_ptr<StreamParser> make_framed_parser(const Waivers& waivers, Reading& reading) {
  return std::make_unique<FramedParser>(waivers, reading);
}

}  // namespace hurray::reference
