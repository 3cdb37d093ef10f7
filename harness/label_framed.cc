#include <algorithm>
#include <vector>

#include "conformance/facts/limits.h"
#include "harness/labeller.h"

namespace hurray::harness {
namespace {

void message_header(LabelMap& map, std::uint64_t at, const std::string& prefix) {
  map.name(at, 4, prefix + "type");
  map.name(at + 4, 4, prefix + "stream_id");
  map.name(at + 8, 4, prefix + "payload_length");
}

/// Where the tensor stands that the stream is in the middle of.
struct Current {
  std::string path = "stream";
  std::uint64_t frames = 0;
  std::vector<std::uint64_t> buffer_sizes;
};

/// Names the data of one frame: data where it lies within one buffer, data[i] for each buffer's share where it does not.
/// `offset` is where it starts in all the buffers one after the other.
void name_data(LabelMap& map, const Current& current, std::uint64_t at, std::uint64_t end, std::uint64_t offset,
               const std::string& prefix) {
  std::vector<std::pair<std::size_t, std::uint64_t>> shares;
  std::uint64_t start = 0, named = 0;
  for (std::size_t i = 0; i < current.buffer_sizes.size() && named < end - at; ++i) {
    const std::uint64_t size = std::min(current.buffer_sizes[i], ~std::uint64_t{0} - start);
    const std::uint64_t skipped = offset + named - std::min(offset + named, start);
    if (skipped < size) {
      shares.emplace_back(i, std::min(size - skipped, end - at - named));
      named += shares.back().second;
    }
    start += size;
  }
  if (shares.size() < 2) shares.clear();
  for (const auto& [buffer, bytes] : shares) {
    map.name(at, bytes, prefix + "data[" + std::to_string(buffer) + "]");
    at += bytes;
  }
  if (at < end) map.name(at, end - at, prefix + "data");
}

void descriptor_message(LabelMap& map, NodePaths& paths, Current& current, std::uint64_t at, std::uint64_t end) {
  const std::uint64_t payload = at + facts::limit::message_header;
  if (payload >= end) {
    message_header(map, at, current.path + ".message.");
    return;
  }
  const DescriptorOutline outline = label_descriptor(map, paths, payload);
  current = {outline.path, 0, outline.buffer_sizes};
  message_header(map, at, outline.path + ".message.");
  map.name(outline.end, 8, outline.path + ".total_data_bytes");
  map.name(outline.end + 8, 4, outline.path + ".shard_index");
  map.name(outline.end + 12, 4, outline.path + ".total_shards");
}

void data_message(LabelMap& map, Current& current, std::uint64_t at, std::uint64_t end) {
  const std::string prefix = current.path + ".frames[" + std::to_string(current.frames++) + "].";
  message_header(map, at, prefix);
  const std::uint64_t payload = at + facts::limit::message_header, data = payload + facts::limit::data_prefix;
  map.name(payload, std::min<std::uint64_t>(facts::limit::data_prefix, end - std::min(end, payload)), prefix + "byte_offset_in_buffer");
  if (data < end) name_data(map, current, data, end, map.number(payload, 8), prefix);
}

}  // namespace

void label_framed(LabelMap& map) {
  NodePaths paths;
  Current current;
  std::uint64_t other = 0;
  for (std::uint64_t at = 0; at < map.size();) {
    const std::uint64_t left = map.size() - at, length = map.number(at + 8, 4);
    const std::uint64_t end = at + std::min(left, facts::limit::message_header + length);
    const std::uint64_t type = map.number(at, 4);
    if (type == facts::message_type::tensor_descriptor) {
      descriptor_message(map, paths, current, at, end);
    } else if (type == facts::message_type::tensor_data) {
      data_message(map, current, at, end);
    } else {
      const bool is_end = type == facts::message_type::tensor_data_end;
      const std::string prefix = is_end ? current.path + ".end." : "messages[" + std::to_string(other++) + "].";
      message_header(map, at, prefix);
      const std::uint64_t payload = at + facts::limit::message_header;
      if (payload < end) map.name(payload, end - payload, prefix + "payload");
    }
    at = end;
  }
}

}  // namespace hurray::harness
