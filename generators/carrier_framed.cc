// Messages of the network transport, server to client (interchange.md, Message Framing and Streaming). Several buffers
// of a tensor follow one another in table order without padding.
#include <algorithm>

#include "conformance/facts/limits.h"
#include "generators/carriers.h"

namespace hurray::generators {
namespace {

void write_message_header(Document& document, std::uint32_t type, std::uint32_t stream_id) {
  ++document.message;
  document.part = Part::message_header;
  document.number("type", type, 4);
  document.number("stream_id", stream_id, 4);
  document.number("payload_length", 0, 4, Derived::payload_length);
}

void write_announcement(Document& document, const StoredNode& stored, std::uint32_t stream_id) {
  {
    const Document::Scope scope(document, stored.placed.path + ".message");
    write_message_header(document, facts::message_type::tensor_descriptor, stream_id);
  }
  write_node_descriptor(document, stored);
  const Document::Scope scope(document, stored.placed.path);
  document.part = Part::transport;
  document.number("total_data_bytes", 0, 8, Derived::total_data_bytes);
  document.number("shard_index", 0, 4);
  document.number("total_shards", 1, 4);
}

/// A run of one buffer's bytes inside a frame.
struct Share {
  std::size_t buffer, from, to;
};

/// The frames of a tensor: its buffers one after the other, cut every `step` bytes.
std::vector<std::vector<Share>> split(const std::vector<Bytes>& buffers, std::size_t step) {
  std::vector<std::vector<Share>> frames;
  std::size_t room = 0;
  for (std::size_t k = 0; k < buffers.size(); ++k) {
    for (std::size_t at = 0; at < buffers[k].size();) {
      if (room == 0) frames.emplace_back();
      if (room == 0) room = step;
      const std::size_t take = std::min(room, buffers[k].size() - at);
      frames.back().push_back({k, at, at + take});
      at += take;
      room -= take;
    }
  }
  return frames;
}

/// One TENSOR_DATA. A frame that runs across buffers has a field for each one's share, `data[i]`.
void write_frame(Document& document, const std::vector<Bytes>& buffers, const std::vector<Share>& shares, std::uint32_t stream_id) {
  write_message_header(document, facts::message_type::tensor_data, stream_id);
  document.part = Part::frame_offset;
  document.number("byte_offset_in_buffer", 0, 8, Derived::byte_offset_in_buffer);
  document.part = Part::data;
  for (const Share& share : shares) {
    const std::string buffer = "data[" + std::to_string(share.buffer) + "]";
    const auto begin = buffers[share.buffer].begin();
    document.bytes(shares.size() == 1 ? "data" : buffer, Bytes(begin + static_cast<std::ptrdiff_t>(share.from), begin + static_cast<std::ptrdiff_t>(share.to)));
    document.fields.back().buffer = buffer;
  }
}

}  // namespace

void write_framed(Document& document, const std::vector<StoredNode>& nodes, const FramedOptions& options) {
  document.node = 0;
  for (const StoredNode& stored : nodes) {
    write_announcement(document, stored, options.stream_id);
    const std::size_t most = facts::limit::payload - facts::limit::data_prefix;
    const std::size_t step = options.frame_bytes == 0 || options.frame_bytes > most ? most : options.frame_bytes;
    const Document::Scope scope(document, stored.placed.path);
    std::size_t number = 0;
    for (const std::vector<Share>& shares : split(stored.storage.buffers, step)) {
      const Document::Scope frame(document, "frames[" + std::to_string(number++) + "]");
      write_frame(document, stored.storage.buffers, shares, options.stream_id);
    }
    const Document::Scope end(document, "end");
    write_message_header(document, facts::message_type::tensor_data_end, options.stream_id);
    ++document.node;
  }
}

}  // namespace hurray::generators
