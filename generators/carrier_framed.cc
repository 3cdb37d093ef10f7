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

void write_frame(Document& document, std::size_t number, Bytes data, std::uint32_t stream_id) {
  const Document::Scope scope(document, "frames[" + std::to_string(number) + "]");
  write_message_header(document, facts::message_type::tensor_data, stream_id);
  document.part = Part::frame_offset;
  document.number("byte_offset_in_buffer", 0, 8, Derived::byte_offset_in_buffer);
  document.part = Part::data;
  document.bytes("data", std::move(data));
}

}  // namespace

void write_framed(Document& document, const std::vector<StoredNode>& nodes, const FramedOptions& options) {
  document.node = 0;
  for (const StoredNode& stored : nodes) {
    write_announcement(document, stored, options.stream_id);
    Bytes all;
    for (const Bytes& buffer : stored.storage.buffers) all.insert(all.end(), buffer.begin(), buffer.end());
    const std::size_t most = facts::limit::payload - facts::limit::data_prefix;
    const std::size_t step = options.frame_bytes == 0 || options.frame_bytes > most ? most : options.frame_bytes;
    const Document::Scope scope(document, stored.placed.path);
    std::size_t number = 0;
    for (std::size_t at = 0; at < all.size(); at += step) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(at);
      const auto to = from + static_cast<std::ptrdiff_t>(std::min(step, all.size() - at));
      write_frame(document, number++, Bytes(from, to), options.stream_id);
    }
    const Document::Scope end(document, "end");
    write_message_header(document, facts::message_type::tensor_data_end, options.stream_id);
    ++document.node;
  }
}

}  // namespace hurray::generators
