#include "fuzz/mutator/encode.h"

#include <cstring>

namespace hurray::fuzz::mutator {
namespace {

struct Message {
  std::uint32_t type, stream;
  Part payload;
};

struct Entry {
  Part name;
  std::uint64_t descriptor, length, data, size, flags;
};

std::uint32_t crc32c(Bytes bytes) {
  static constexpr std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> out{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      out[byte] = byte;
      for (int bit = 0; bit < 8; ++bit) out[byte] = out[byte] >> 1 ^ ((out[byte] & 1) != 0 ? 0x82F63B78u : 0);
    }
    return out;
  }();
  std::uint32_t crc = ~0u;
  for (const std::uint8_t byte : bytes) crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF];
  return ~crc;
}

class Encoder {
 public:
  Encoder(Tree& tree, Plan plan, Random& random, std::span<std::uint8_t> out) : tree_(tree), plan_(plan), random_(random), out_(out) {}

  std::size_t size() const { return size_; }
  void bare(bool with_data);
  void framed();
  void file();

 private:
  void put(Bytes bytes) {
    const std::size_t count = std::min(bytes.size(), out_.size() - size_);
    if (count > 0) std::memcpy(out_.data() + size_, bytes.data(), count);
    size_ += count;
  }
  void put(std::uint64_t value, std::size_t width) {
    std::array<std::uint8_t, 8> bytes{};
    store(bytes, 0, width, value);
    put(Bytes(bytes).first(width));
  }
  /// The right value, or another where this is the one that was left out.
  std::uint64_t fixed(Fix fix, std::uint64_t right, std::size_t width) {
    if (plan_.left_out != fix || plan_.occurrence-- != 0) return right;
    return boundary(random_, right, width);
  }
  void pad(std::uint64_t alignment) {
    const std::uint64_t size = alignment == 0 ? 0 : (alignment - size_ % alignment) % alignment;
    if (size == 0) return;
    const bool dirty = plan_.left_out == Fix::padding && plan_.occurrence-- == 0;
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(size, out_.size() - size_));
    if (count == 0) return;
    std::memset(out_.data() + size_, 0, count);
    if (dirty) out_[size_ + random_.below(count)] = static_cast<std::uint8_t>(1 + random_.below(255));
    size_ += count;
  }
  Part descriptor(std::size_t at);
  void announce(List<Message>& messages, std::size_t at);
  void edit_messages(List<Message>& messages);
  void edit_entries(List<Entry>& entries);
  void edit_kv();
  void kv_entries();
  void index(const List<Entry>& entries);

  Tree& tree_;
  Plan plan_;
  Random& random_;
  std::span<std::uint8_t> out_;
  std::size_t size_ = 0;
};

Part Encoder::descriptor(std::size_t at) {
  const Node& node = tree_.nodes[at];
  std::size_t size = node.header.size() + node.shape.size() + node.byte_offset.size() + node.layout.size() + 1 + node.table.size() + node.trailing.size();
  for (const Part section : node.sections) size += section.size();
  const Part out = tree_.arena.zeros(size);
  std::size_t end = 0;
  const auto add = [&](Part part) {
    if (!part.empty()) std::memcpy(out.data() + end, part.data(), part.size());
    end += part.size();
    return end - part.size();
  };
  add(node.header);
  const auto derive = [&](Fix fix, std::size_t where, std::size_t width, std::uint64_t right) {
    if (!node.keeps(fix)) store(out, where, width, fixed(fix, right, width));
  };
  std::uint64_t flags = load(node.header, at::flags, 4) & ~std::uint64_t{facts::flag::defined};
  for (std::size_t k = 0; k < section_count; ++k)
    if (!node.sections[k].empty()) flags |= section_flags[k];
  derive(Fix::descriptor_length, at::length, 4, size);
  derive(Fix::flags, at::flags, 4, flags);
  derive(Fix::rank, at::rank, 4, node.rank());
  add(node.shape);
  add(node.byte_offset);
  const std::size_t layout = add(node.layout);
  if (node.is_head()) derive(Fix::member_count, layout + at::head_count, 4, tree_.members_of(at));
  store(out, end, 1, fixed(Fix::buffer_count, node.buffers(), 1));
  ++end;
  const std::size_t table = add(node.table);
  for (std::size_t k = 0; k < node.buffers() && k < node.data.size(); ++k)
    derive(Fix::byte_size, table + k * facts::limit::buffer_handle, 8, node.data[k].size());
  for (std::size_t k = 0; k < section_count; ++k) {
    const std::size_t section = add(node.sections[k]);
    if (k == 0 && node.sections[0].size() >= 4) derive(Fix::section_length, section, 4, node.sections[0].size() - 4);
  }
  add(node.trailing);
  return out;
}

void Encoder::bare(bool with_data) {
  for (std::size_t at = 0; at < tree_.nodes.size(); ++at) {
    put(descriptor(at));
    if (!with_data) break;
    for (const Part data : tree_.nodes[at].data) put(data);
  }
  put(tree_.tail);
}

void Encoder::announce(List<Message>& messages, std::size_t at) {
  const Node& node = tree_.nodes[at];
  Part all;
  for (const Part data : node.data) all = tree_.arena.joined(all, data);
  Part payload = tree_.arena.joined(descriptor(at), tree_.arena.zeros(facts::limit::descriptor_trailer));
  store(payload, payload.size() - 16, 8, fixed(Fix::total_data_bytes, all.size(), 8));
  store(payload, payload.size() - 4, 4, 1);
  messages.push_back({facts::message_type::tensor_descriptor, node.stream, payload});
  const std::size_t step = node.frame_bytes < 1 || all.size() / node.frame_bytes > 64 ? all.size() : node.frame_bytes;
  for (std::size_t from = 0; from < all.size(); from += step) {
    Part frame = tree_.arena.joined(tree_.arena.zeros(8), all.subspan(from, std::min(step, all.size() - from)));
    store(frame, 0, 8, fixed(Fix::frame_offset, from, 8));
    messages.push_back({facts::message_type::tensor_data, node.stream, frame});
  }
  messages.push_back({facts::message_type::tensor_data_end, node.stream, {}});
}

void Encoder::edit_messages(List<Message>& messages) {
  const auto pick = [&] { return static_cast<std::ptrdiff_t>(random_.below(messages.size())); };
  const std::ptrdiff_t one = pick();
  Message& message = messages[static_cast<std::size_t>(one)];
  switch (random_.below(9)) {
    case 0: messages.erase(messages.begin() + one); break;
    case 1: messages.insert(messages.begin() + one, Message(message)); break;
    case 2: std::swap(message, messages[static_cast<std::size_t>(pick())]); break;
    case 3: message.type = static_cast<std::uint32_t>(random_.one_in(2) ? random_.below(16) : boundary(random_, message.type, 4)); break;
    case 4: message.stream = static_cast<std::uint32_t>(random_.one_in(2) ? random_.below(3) : boundary(random_, message.stream, 4)); break;
    case 5: messages.insert(messages.begin() + one, Message{static_cast<std::uint32_t>(random_.one_in(4) ? 0xF0 + random_.below(17) : 1 + random_.below(14)),
                                                            static_cast<std::uint32_t>(random_.below(3)), tree_.arena.zeros(random_.below(9))}); break;
    case 6: message.payload = tree_.arena.resized(message.payload, message.payload.size() + 1 + random_.below(8)); break;
    case 7: message.payload = message.payload.first(message.payload.size() - random_.below(std::min<std::size_t>(message.payload.size(), 20) + 1)); break;
    default:  // what follows the descriptor
      if (message.payload.size() < 16) break;
      message.payload = tree_.arena.copy(message.payload);
      store(message.payload, message.payload.size() - random_.any<std::size_t, 3>({16, 8, 4}), 4, boundary(random_, 1, 4));
      break;
  }
}

void Encoder::framed() {
  List<Message> messages(tree_.arena.resource());
  for (std::size_t at = 0; at < tree_.nodes.size(); ++at) announce(messages, at);
  if (plan_.edit_carrier && !messages.empty()) edit_messages(messages);
  for (const Message& message : messages) {
    put(message.type, 4);
    put(message.stream, 4);
    put(fixed(Fix::payload_length, message.payload.size(), 4), 4);
    put(message.payload);
  }
  put(tree_.tail);
}

void Encoder::edit_entries(List<Entry>& entries) {
  if (entries.empty()) return;
  Entry& one = entries[random_.below(entries.size())];
  Entry& other = entries[random_.below(entries.size())];
  constexpr std::uint8_t bad[] = {0xFF, 0xC0, 0x80, 0xED};
  switch (random_.below(10)) {
    case 0: one.name = {}; break;
    case 1: one.name = other.name; break;
    case 2: one.name = tree_.arena.joined(one.name, tree_.arena.copy(Bytes(&bad[random_.below(4)], 1))); break;
    case 3: one.descriptor = random_.one_in(2) ? other.descriptor : boundary(random_, one.descriptor, 8); break;
    case 4: one.length = boundary(random_, one.length, 4); break;
    case 5: one.data = random_.one_in(2) ? other.data : boundary(random_, one.data, 8); break;
    case 6: one.size = random_.one_in(2) ? other.size : boundary(random_, one.size, 8); break;
    case 7: one.flags = boundary(random_, one.flags, 4); break;
    case 8: std::swap(one, other); break;
    default: entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(random_.below(entries.size()))); break;
  }
}

void Encoder::edit_kv() {
  Arena& arena = tree_.arena;
  if (tree_.kv.empty() || random_.one_in(3)) {
    KeyValue one{arena.zeros(1 + random_.below(3)), static_cast<std::uint8_t>(1 + random_.below(9)), {}};
    for (std::uint8_t& letter : one.key) letter = static_cast<std::uint8_t>('a' + random_.below(3));
    one.value = arena.zeros(one.tag == 5 ? 1 : one.tag == 7 ? 5 : 8);
    if (one.tag == 7) {
      one.value[0] = static_cast<std::uint8_t>(1 + random_.below(7));
      one.value[1] = static_cast<std::uint8_t>(random_.below(2));
      if (one.value[1] == 1) one.value = arena.resized(one.value, one.value[0] == 5 ? 6 : one.value[0] == 1 || one.value[0] == 6 ? 9 : 13);
    }
    return tree_.kv.push_back(one);
  }
  KeyValue& one = tree_.kv[random_.below(tree_.kv.size())];
  switch (random_.below(6)) {
    case 0: one.key = {}; break;
    case 1: tree_.kv.push_back(KeyValue(one)); break;
    case 2: one.tag = static_cast<std::uint8_t>(boundary(random_, one.tag, 1)); break;
    case 3: one.key = arena.joined(one.key, arena.resized({}, 1)); one.key.back() = 0xFF; break;
    case 4: one.value = arena.copy(one.value); store(one.value, random_.below(one.value.size()), 1, random_.next()); break;
    default: one.value = arena.resized(one.value, random_.below(one.value.size() + 3)); break;
  }
}

void Encoder::kv_entries() {
  put(fixed(Fix::kv_count, tree_.kv.size(), 4), 4);
  for (const KeyValue& one : tree_.kv) {
    put(fixed(Fix::key_length, one.key.size(), 2), 2);
    put(one.key);
    put(one.tag, 1);
    if (one.tag == 1 || one.tag == 6) put(fixed(Fix::value_length, one.value.size(), 4), 4);
    put(one.value);
  }
}

void Encoder::index(const List<Entry>& entries) {
  put(fixed(Fix::index_count, entries.size(), 8), 8);
  for (const Entry& one : entries) {
    put(fixed(Fix::name_length, one.name.size(), 2), 2);
    put(one.name);
    put(fixed(Fix::entry_offset, one.descriptor, 8), 8);
    put(fixed(Fix::entry_length, one.length, 4), 4);
    put(fixed(Fix::data_offset, one.data, 8), 8);
    put(fixed(Fix::data_length, one.size, 8), 8);
    put(one.flags, 4);
  }
}

void Encoder::file() {
  const bool edit = plan_.edit_carrier;
  const std::uint64_t which = edit ? random_.below(4) : 4;
  if (which == 0) edit_kv();
  Part header = tree_.file_header;
  if (header.size() != facts::limit::file_header) {
    header = tree_.arena.zeros(facts::limit::file_header);
    std::copy(std::begin(facts::limit::file_magic), std::end(facts::limit::file_magic), header.begin());
    header[8] = 1;
    header[12] = static_cast<std::uint8_t>((random_.one_in(8) ? 0 : facts::file_flag::has_index_crc32c) | (random_.one_in(4) ? facts::file_flag::sorted_index : 0));
    store(header, 16, 4, facts::limit::file_alignment_min);
    store(header, 28, 8, ~std::uint64_t{0});
  }
  header = tree_.arena.copy(header);
  const std::uint64_t kv_flag = tree_.kv.empty() ? 0 : facts::file_flag::has_kv_metadata;
  store(header, 12, 4, fixed(Fix::file_flags, (load(header, 12, 4) & ~std::uint64_t{facts::file_flag::has_kv_metadata}) | kv_flag, 4));
  store(header, 20, 8, fixed(Fix::first_descriptor, facts::limit::file_header, 8));
  std::uint64_t alignment = load(header, 16, 4);
  if (alignment < 8 || alignment > (1u << 14) || (alignment & (alignment - 1)) != 0) store(header, 16, 4, alignment = facts::limit::file_alignment_min);
  if (which == 1) {
    const std::size_t where = random_.any<std::size_t, 9>({0, 8, 9, 10, 12, 16, 20, 28, 36});
    const std::size_t width = where >= 20 && where < 36 ? 8 : where >= 12 && where < 20 ? 4 : 1;
    store(header, where, width, boundary(random_, load(header, where, width), width));
  }
  put(header);
  List<Entry> entries(tree_.arena.resource());
  for (std::size_t at = 0; at < tree_.nodes.size() && size_ < out_.size(); ++at) {
    const Node& node = tree_.nodes[at];
    pad(facts::limit::descriptor_alignment);
    Entry entry{node.name, size_, 0, 0, 0, node.entry_flags};
    const Part bytes = descriptor(at);
    entry.length = bytes.size();
    if (entry.name.empty()) {
      entry.name = tree_.arena.zeros(2);
      entry.name[0] = static_cast<std::uint8_t>('a' + at / 26);
      entry.name[1] = static_cast<std::uint8_t>('a' + at % 26);
    }
    put(bytes);
    entry.data = size_;
    for (std::size_t k = 0; k < node.data.size(); ++k) {
      pad(alignment);
      if (k == 0) entry.data = size_;
      put(node.data[k]);
    }
    entry.size = size_ - entry.data;
    entries.push_back(entry);
  }
  if ((load(header, 12, 4) & facts::file_flag::sorted_index) != 0)
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return std::lexicographical_compare(a.name.begin(), a.name.end(), b.name.begin(), b.name.end()); });
  if (which == 2) edit_entries(entries);
  pad(facts::limit::descriptor_alignment);
  const std::size_t kv_at = size_;
  if (!tree_.kv.empty()) kv_entries();
  const std::size_t kv_size = size_ - kv_at;
  pad(facts::limit::descriptor_alignment);
  const std::size_t index_at = size_;
  index(entries);
  const std::size_t index_size = size_ - index_at;
  const std::size_t trailer = size_;
  put(fixed(Fix::index_offset, index_at, 8), 8);
  put(fixed(Fix::index_length, index_size, 8), 8);
  put(fixed(Fix::kv_offset, kv_size == 0 ? 0 : kv_at, 8), 8);
  put(fixed(Fix::kv_length, kv_size, 4), 4);
  const bool checked = (load(header, 12, 4) & facts::file_flag::has_index_crc32c) != 0;
  put(fixed(Fix::checksum, checked ? crc32c(Bytes(out_).subspan(index_at, index_size)) : 0, 4), 4);
  put(0, 4);
  put(Bytes(std::begin(facts::limit::magic), std::end(facts::limit::magic)));
  if (which == 3 && size_ == trailer + facts::limit::file_trailer) {
    const std::size_t where = random_.any<std::size_t, 8>({0, 8, 16, 24, 28, 32, 33, 36}), width = where < 24 ? 8 : where < 32 ? 4 : 1;
    const bool swap = where < 24 && random_.one_in(3);
    const std::uint64_t value = swap ? load(out_, trailer + (where == 0 ? 16 : 0), 8) : boundary(random_, load(out_, trailer + where, width), width);
    store(out_, trailer + where, width, value);
  }
}

}  // namespace

std::uint64_t boundary(Random& random, std::uint64_t now, std::size_t width) {
  const std::uint64_t all = width >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width)) - 1;
  const std::uint64_t power = std::uint64_t{1} << random.below(8 * width);
  std::uint64_t value = now;
  switch (random.below(10)) {
    case 0: value = 0; break;
    case 1: value = all; break;
    case 2: value = all - 1; break;
    case 3: value = now + 1; break;
    case 4: value = now - 1; break;
    case 5: value = now ^ power; break;
    case 6: value = power; break;
    case 7: value = power - 1; break;
    case 8: value = now + power; break;
    default: value = random.below(18); break;
  }
  value &= all;
  return value == now ? (now + 1) & all : value;
}

std::size_t encode(Tree& tree, facts::Surface surface, Plan plan, Random& random, std::span<std::uint8_t> out) {
  Encoder encoder(tree, plan, random, out);
  switch (surface) {
    case facts::Surface::descriptor: encoder.bare(false); break;
    case facts::Surface::bare: encoder.bare(true); break;
    case facts::Surface::framed: encoder.framed(); break;
    case facts::Surface::file: encoder.file(); break;
  }
  return encoder.size();
}

}  // namespace hurray::fuzz::mutator
