#include "fuzz/file_sections.h"

#include <algorithm>

#include "conformance/facts/limits.h"
#include "generators/build.h"
#include "reference/crc32c.h"
#include "reference/little_endian.h"

namespace hurray::fuzz {
namespace {

constexpr std::size_t flags_at = 12, prefix = 3;
using reference::load_little_endian;

generators::Node tensor(const char* name, generators::Shape shape) {
  generators::Node node;
  node.name = name;
  node.shape = std::move(shape);
  std::uint64_t count = 1;
  for (const std::uint64_t size : node.shape) count *= size;
  node.elements.resize(static_cast<std::size_t>(count));
  return node;
}

/// A plain tensor and a composite of two halves: an index has names, an order and offsets to get wrong.
std::vector<std::uint8_t> whole_file() {
  generators::Model model;
  model.file.kv.push_back({"key", 1, {{'v'}}, 0});
  model.items.push_back(tensor("alone", {3}));
  generators::Node head;
  head.name = "head";
  head.shape = {4};
  head.head = generators::Head{};
  for (std::uint64_t half = 0; half < 2; ++half) {
    head.members.push_back(tensor(half == 0 ? "low" : "up", {2}));
    head.members.back().shard = generators::Box{{4}, {2 * half}};
  }
  model.items.push_back(std::move(head));
  return generators::write(model, facts::Surface::file);
}

struct Parts {
  std::vector<std::uint8_t> before, kv, index;
};

Parts take_apart() {
  const std::vector<std::uint8_t> file = whole_file();
  if (file.size() < facts::limit::file_trailer) fail("the file around the sections is valid", "nothing was written");
  const std::uint8_t* trailer = file.data() + file.size() - facts::limit::file_trailer;
  const auto index = static_cast<std::ptrdiff_t>(load_little_endian<std::uint64_t>(trailer));
  const auto index_length = static_cast<std::ptrdiff_t>(load_little_endian<std::uint64_t>(trailer + 8));
  const auto kv = static_cast<std::ptrdiff_t>(load_little_endian<std::uint64_t>(trailer + 16));
  const auto kv_length = static_cast<std::ptrdiff_t>(load_little_endian<std::uint32_t>(trailer + 24));
  const auto at = file.begin();
  return {{at, at + kv}, {at + kv, at + kv + kv_length}, {at + index, at + index + index_length}};
}

const Parts& parts() {
  static const Parts whole = take_apart();
  return whole;
}

void append(std::vector<std::uint8_t>& out, std::uint64_t value, std::size_t width) {
  for (std::size_t k = 0; k < width; ++k) out.push_back(static_cast<std::uint8_t>(value >> (8 * k)));
}

/// Sections start at multiples of 8 (file-format.md).
std::uint64_t append_section(std::vector<std::uint8_t>& out, Bytes section) {
  out.resize((out.size() + 7) / 8 * 8);
  const std::uint64_t at = out.size();
  out.insert(out.end(), section.begin(), section.end());
  return at;
}

}  // namespace

std::vector<std::uint8_t> wrap_sections(Bytes input) {
  if (input.size() < prefix) return {};
  const std::size_t kv_length = std::min<std::size_t>(load_little_endian<std::uint16_t>(input.data() + 1), input.size() - prefix);
  const Bytes kv = input.subspan(prefix, kv_length), index = input.subspan(prefix + kv_length);
  const auto flags = static_cast<std::uint8_t>((input[0] & ~facts::file_flag::has_kv_metadata) | (kv.empty() ? 0 : facts::file_flag::has_kv_metadata));
  std::vector<std::uint8_t> out = parts().before;
  out[flags_at] = flags;
  const std::uint64_t kv_at = kv.empty() ? 0 : append_section(out, kv);
  const std::uint64_t index_at = append_section(out, index);
  append(out, index_at, 8);
  append(out, index.size(), 8);
  append(out, kv_at, 8);
  append(out, kv.size(), 4);
  append(out, (flags & facts::file_flag::has_index_crc32c) != 0 ? reference::crc32c(index) : 0, 4);
  append(out, 0, 4);
  out.insert(out.end(), std::begin(facts::limit::magic), std::end(facts::limit::magic));
  return out;
}

std::vector<std::uint8_t> valid_sections() {
  const Parts& whole = parts();
  std::vector<std::uint8_t> input{whole.before[flags_at]};
  append(input, whole.kv.size(), 2);
  input.insert(input.end(), whole.kv.begin(), whole.kv.end());
  input.insert(input.end(), whole.index.begin(), whole.index.end());
  return input;
}

}  // namespace hurray::fuzz
