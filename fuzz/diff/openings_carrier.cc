// What streams and files leave open around the tensors that they carry.
#include <algorithm>
#include <cstring>

#include "fuzz/diff/openings.h"

namespace hurray::fuzz {
namespace {

using reference::Reading;
using reference::Tensor;

template <typename Number>
Number number_at(Bytes input, std::uint64_t at) {
  Number value = 0;
  for (std::size_t k = 0; k < sizeof value && at + k < input.size(); ++k)
    value = static_cast<Number>(value | static_cast<Number>(input[at + k]) << (8 * k));
  return value;
}

struct IndexEntry {
  std::uint64_t descriptor_offset = 0, data_offset = 0, data_length = 0;
};

/// Of a file that was accepted: lengths need no checks but the end of the input.
std::vector<IndexEntry> index_of(Bytes input) {
  std::vector<IndexEntry> entries;
  const std::uint64_t trailer = input.size() - facts::limit::file_trailer;
  std::uint64_t at = number_at<std::uint64_t>(input, trailer);
  const auto count = number_at<std::uint64_t>(input, at);
  at += 8;
  for (std::uint64_t i = 0; i < count && at < trailer; ++i) {
    at += 2 + std::uint64_t{number_at<std::uint16_t>(input, at)};
    entries.push_back({number_at<std::uint64_t>(input, at), number_at<std::uint64_t>(input, at + 12), number_at<std::uint64_t>(input, at + 20)});
    at += 32;
  }
  return entries;
}

const Tensor* tensor_at(const Reading& reading, std::uint64_t start) {
  for (const Tensor& tensor : reading.tensors)
    if (tensor.descriptor.at.start == start) return &tensor;
  return nullptr;
}

std::uint64_t round_up(std::uint64_t at, std::uint64_t unit) { return unit == 0 || at % unit == 0 ? at : at + (unit - at % unit); }

/// From the first buffer's start to the last one's end, each at the file's alignment.
std::uint64_t true_data_length(const Tensor& tensor, std::uint64_t start, std::uint64_t alignment) {
  std::uint64_t at = start;
  for (std::size_t k = 0; k < tensor.descriptor.buffer_count; ++k) at = round_up(at, k == 0 ? 1 : alignment) + tensor.descriptor.buffer(k).byte_size;
  return at - start;
}

void entry_openings(const Reading& reading, const IndexEntry& entry, std::uint64_t alignment, std::uint64_t size, std::vector<std::string_view>& found) {
  const Tensor* tensor = tensor_at(reading, entry.descriptor_offset);
  if (tensor == nullptr) return;
  const std::uint64_t length = true_data_length(*tensor, entry.data_offset, alignment);
  if (entry.data_length != length) found.push_back("OPEN-08");
  if (tensor->descriptor.is_head() && entry.data_offset > size) found.push_back("OPEN-08");
  if (!tensor->descriptor.is_head() && length == 0 && entry.data_offset % alignment != 0) found.push_back("AMB-29");
}

/// What an accepted file says of each of its bytes; the rest is padding.
std::vector<bool> accounted_for(const Reading& reading, Bytes input) {
  std::vector<bool> known(input.size(), false);
  const auto mark = [&](std::uint64_t from, std::uint64_t length) {
    const std::uint64_t first = std::min<std::uint64_t>(from, known.size()), last = first + std::min<std::uint64_t>(length, known.size() - first);
    std::fill(known.begin() + static_cast<std::ptrdiff_t>(first), known.begin() + static_cast<std::ptrdiff_t>(last), true);
  };
  const std::uint64_t trailer = input.size() - facts::limit::file_trailer;
  mark(0, facts::limit::file_header);
  mark(trailer, facts::limit::file_trailer);
  mark(number_at<std::uint64_t>(input, trailer), number_at<std::uint64_t>(input, trailer + 8));
  if ((number_at<std::uint32_t>(input, 12) & facts::file_flag::has_kv_metadata) != 0)
    mark(number_at<std::uint64_t>(input, trailer + 16), number_at<std::uint32_t>(input, trailer + 24));
  for (const Tensor& tensor : reading.tensors) {
    mark(tensor.descriptor.at.start, tensor.descriptor.length);
    for (std::size_t k = 0; k < tensor.descriptor.buffer_count; ++k) {
      const Bytes buffer = reading.buffers[tensor.first_buffer + k];
      if (!buffer.empty()) mark(static_cast<std::uint64_t>(buffer.data() - input.data()), buffer.size());
    }
  }
  return known;
}

void region_openings(const Reading& reading, Bytes input, std::vector<std::string_view>& found) {
  const std::vector<bool> known = accounted_for(reading, input);
  bool padding_set = false, unlisted = false;
  for (std::size_t at = 0; at < input.size(); ++at) {
    if (known[at] || input[at] == 0) continue;
    padding_set = true;
    unlisted = unlisted || (at + 4 <= input.size() && std::memcmp(input.data() + at, facts::limit::magic, 4) == 0);
  }
  if (padding_set) found.push_back(unlisted ? "OPEN-07" : "OPEN-04");
}

}  // namespace

bool has_several_streams(Bytes input) {
  for (std::uint64_t at = 0; at + facts::limit::message_header <= input.size();) {
    if (number_at<std::uint32_t>(input, at + 4) != number_at<std::uint32_t>(input, 4)) return true;
    at += facts::limit::message_header + std::uint64_t{number_at<std::uint32_t>(input, at + 8)};
  }
  return false;
}

namespace {

bool key_values_before_a_tensor(Bytes input, std::uint64_t trailer) {
  if ((number_at<std::uint32_t>(input, 12) & facts::file_flag::has_kv_metadata) == 0) return false;
  const auto start = number_at<std::uint64_t>(input, trailer + 16);
  const std::vector<IndexEntry> entries = index_of(input);
  return std::any_of(entries.begin(), entries.end(), [start](const IndexEntry& entry) {
    return entry.descriptor_offset >= start || entry.data_offset + entry.data_length > start;
  });
}

}  // namespace

/// Whether a section, though it lies within the file, stands at a strange place of it.
bool region_is_within_the_file(const reference::Violation& broken, Bytes input) {
  const std::uint64_t trailer = input.size() - facts::limit::file_trailer;
  const bool kv = broken.at < trailer || broken.at >= trailer + 16;
  if (broken.at < trailer && !key_values_before_a_tensor(input, trailer)) return false;
  const auto start = number_at<std::uint64_t>(input, kv ? trailer + 16 : trailer);
  const std::uint64_t length = kv ? number_at<std::uint32_t>(input, trailer + 24) : number_at<std::uint64_t>(input, trailer + 8);
  return start <= trailer && length <= trailer - start && (kv || start < facts::limit::file_header);
}

bool buffers_fit_where_they_belong(const Reading& lenient, Bytes input) {
  const std::vector<IndexEntry> entries = index_of(input);
  const std::uint64_t alignment = number_at<std::uint32_t>(input, 16), index = number_at<std::uint64_t>(input, input.size() - facts::limit::file_trailer);
  for (const IndexEntry& entry : entries) {
    const Tensor* tensor = tensor_at(lenient, entry.descriptor_offset);
    if (tensor == nullptr) return false;
    const std::uint64_t end = entry.data_offset + true_data_length(*tensor, entry.data_offset, alignment);
    std::uint64_t next = index;
    for (const IndexEntry& other : entries)
      if (other.descriptor_offset >= entry.data_offset) next = std::min(next, other.descriptor_offset);
    if (end > next) return false;
  }
  return true;
}

void framed_openings(Bytes input, std::vector<std::string_view>& found) {
  const auto stream = number_at<std::uint32_t>(input, 4);
  std::uint32_t descriptor_length = 0;
  for (std::uint64_t at = 0; at + facts::limit::message_header <= input.size();) {
    const auto type = number_at<std::uint32_t>(input, at), length = number_at<std::uint32_t>(input, at + 8);
    const std::uint64_t payload = at + facts::limit::message_header;
    if (number_at<std::uint32_t>(input, at + 4) != stream) found.push_back("AMB-38");
    if (type == facts::message_type::tensor_descriptor) {
      descriptor_length = number_at<std::uint32_t>(input, payload + 6);
      if (length > std::uint64_t{descriptor_length} + facts::limit::descriptor_trailer) found.push_back("OPEN-20");
      const std::uint64_t numbered = payload + descriptor_length + 8;
      if (number_at<std::uint32_t>(input, numbered) != 0 || number_at<std::uint32_t>(input, numbered + 4) != 1) found.push_back("AMB-38");
    } else if (type == facts::message_type::tensor_data) {
      if (length == facts::limit::data_prefix) found.push_back("OPEN-21");
    } else if (type != facts::message_type::tensor_data_end) {
      found.push_back("AMB-38");
    }
    at = payload + length;
  }
}

void file_openings(const Reading& reading, Bytes input, std::vector<std::string_view>& found) {
  if (input.size() < facts::limit::file_header + facts::limit::file_trailer) return;
  const std::uint64_t trailer = input.size() - facts::limit::file_trailer, alignment = number_at<std::uint32_t>(input, 16);
  const bool has_kv = (number_at<std::uint32_t>(input, 12) & facts::file_flag::has_kv_metadata) != 0;
  if (!has_kv && (number_at<std::uint64_t>(input, trailer + 16) != 0 || number_at<std::uint32_t>(input, trailer + 24) != 0)) found.push_back("OPEN-06");
  std::vector<IndexEntry> entries = index_of(input);
  for (const IndexEntry& entry : entries) entry_openings(reading, entry, alignment, input.size(), found);
  std::sort(entries.begin(), entries.end(), [](const IndexEntry& a, const IndexEntry& b) { return a.data_offset < b.data_offset; });
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (entries[i].data_length != 0 && entries[i].data_offset < entries[i - 1].data_offset + entries[i - 1].data_length) found.push_back("OPEN-09");
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (entries[i].descriptor_offset == entries[j].descriptor_offset) found.push_back("OPEN-09");
  region_openings(reading, input, found);
}

}  // namespace hurray::fuzz
