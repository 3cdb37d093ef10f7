#include "fuzz/mutator/sections.h"

#include "fuzz/mutator/encode.h"
#include "fuzz/mutator/tree.h"

namespace hurray::fuzz::mutator {
namespace {

constexpr std::uint8_t text_tag = 1, boolean_tag = 5, bytes_tag = 6, array_tag = 7;

/// A field; with a `prefix`, its length stands before it in so many bytes.
struct Piece {
  Part bytes;
  std::size_t prefix = 0;
  Fix length = Fix::name_length;
};
using Record = List<Piece>;

struct Sections {
  explicit Sections(Arena& memory) : arena(memory), kv(memory.resource()), index(memory.resource()) {}
  Arena& arena;
  std::uint8_t flags = facts::file_flag::has_index_crc32c;
  List<Record> kv, index;
};

class Reader {
 public:
  Reader(Arena& arena, Bytes bytes) : arena_(arena), left_(bytes) {}
  std::size_t left() const { return left_.size(); }
  Part take(std::uint64_t size) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(size, left_.size()));
    const Part part = arena_.copy(left_.first(count));
    left_ = left_.subspan(count);
    return part;
  }
  std::uint64_t number(std::size_t width) { return load(take(width), 0, width); }
  Piece counted(std::size_t prefix, Fix length) {
    const std::uint64_t size = number(prefix);
    return {take(size), prefix, length};
  }

 private:
  Arena& arena_;
  Bytes left_;
};

std::size_t width_of(std::uint8_t tag) { return tag == boolean_tag ? 1 : 8; }
bool is_counted(std::uint8_t tag) { return tag == text_tag || tag == bytes_tag; }

void read_value(Reader& in, std::uint8_t tag, Record& record) {
  if (is_counted(tag)) return record.push_back(in.counted(4, Fix::value_length));
  if (tag != array_tag) return record.push_back({in.take(width_of(tag))});
  record.push_back({in.take(1)});
  record.push_back({in.take(4)});
  const auto element = static_cast<std::uint8_t>(load(record[record.size() - 2].bytes, 0, 1));
  for (std::uint64_t count = load(record.back().bytes, 0, 4); count > 0 && in.left() > 0 && record.size() < 32; --count)
    record.push_back(is_counted(element) ? in.counted(4, Fix::value_length) : Piece{in.take(width_of(element))});
}

void decode(Bytes input, Sections& sections) {
  constexpr std::size_t most = 64;
  Reader in(sections.arena, input);
  if (in.left() < 3) return;
  sections.flags = static_cast<std::uint8_t>(in.number(1));
  Reader kv(sections.arena, in.take(in.number(2)));
  kv.take(4);
  while (kv.left() > 3 && sections.kv.size() < most) {
    Record record(sections.arena.resource());
    record.push_back(kv.counted(2, Fix::key_length));
    record.push_back({kv.take(1)});
    read_value(kv, static_cast<std::uint8_t>(load(record.back().bytes, 0, 1)), record);
    sections.kv.push_back(std::move(record));
  }
  in.take(8);
  while (in.left() > 2 && sections.index.size() < most) {
    Record record(sections.arena.resource());
    record.push_back(in.counted(2, Fix::name_length));
    constexpr std::size_t widths[] = {8, 4, 8, 8, 4};  // of what follows the name in an entry
    for (const std::size_t width : widths) record.push_back({in.take(width)});
    sections.index.push_back(std::move(record));
  }
}

class Editor {
 public:
  Editor(Sections& sections, Random& random) : sections_(sections), arena_(sections.arena), random_(random) {}

  void edit(Bytes other) {
    const std::uint64_t which = random_.below(10);
    if (which == 0) sections_.flags = static_cast<std::uint8_t>(random_.one_in(3) ? random_.next() : random_.below(8));
    else if (which < 3 || (sections_.kv.empty() && sections_.index.empty())) sections_.kv.insert(sections_.kv.begin() + place(sections_.kv), fresh());
    else if (which == 3) sections_.index.insert(sections_.index.begin() + place(sections_.index), fresh_entry());
    else if (which == 4 && !other.empty()) graft(other);
    else if (sections_.index.empty() || (random_.one_in(2) && !sections_.kv.empty())) edit(sections_.kv);
    else edit(sections_.index);
  }

 private:
  std::ptrdiff_t place(const List<Record>& records) { return static_cast<std::ptrdiff_t>(random_.below(records.size() + 1)); }

  Part letters(std::size_t size) {
    const Part part = arena_.zeros(size);
    for (std::uint8_t& letter : part) letter = static_cast<std::uint8_t>('a' + random_.below(4));
    return part;
  }
  Piece value(std::uint8_t tag) {
    if (is_counted(tag)) return {letters(random_.below(4)), 4, Fix::value_length};
    const Part part = arena_.zeros(width_of(tag));
    part[0] = static_cast<std::uint8_t>(random_.below(2));
    return {part};
  }
  Part number(std::uint64_t value, std::size_t width) {
    const Part part = arena_.zeros(width);
    store(part, 0, width, value);
    return part;
  }
  /// A key with a value of any kind, now and then of a kind that there is not.
  Record fresh() {
    Record record(arena_.resource());
    const auto tag = static_cast<std::uint8_t>(1 + random_.below(random_.one_in(4) ? 9 : 7));
    record.push_back({letters(1 + random_.below(3)), 2, Fix::key_length});
    record.push_back({number(tag, 1)});
    if (tag != array_tag) return record.push_back(value(tag)), record;
    const auto element = static_cast<std::uint8_t>(1 + random_.below(random_.one_in(4) ? 9 : 6));
    const std::uint64_t count = random_.below(3);
    record.push_back({number(element, 1)});
    record.push_back({number(count, 4)});
    for (std::uint64_t k = 0; k < count; ++k) record.push_back(value(element));
    return record;
  }
  /// A tensor where the first one of a file usually is.
  Record fresh_entry() {
    constexpr std::uint64_t least = facts::limit::fixed_header + 8 + 1 + facts::limit::buffer_handle;  // of a scalar's descriptor
    Record record(arena_.resource());
    record.push_back({letters(1 + random_.below(3)), 2, Fix::name_length});
    record.push_back({number(facts::limit::file_header, 8)});
    record.push_back({number(least + 8 * random_.below(3), 4)});
    record.push_back({number(facts::limit::file_alignment_min, 8)});
    record.push_back({number(4 * random_.below(5), 8)});
    record.push_back({number(0, 4)});
    return record;
  }
  /// Records of the second input.
  void graft(Bytes other) {
    Sections from(arena_);
    decode(other, from);
    const bool of_index = random_.one_in(2);
    List<Record>&source = of_index ? from.index : from.kv, &target = of_index ? sections_.index : sections_.kv;
    if (!source.empty()) target.insert(target.begin() + place(target), source[random_.below(source.size())]);
  }

  void edit(List<Record>& records) {
    const auto any = [&] { return static_cast<std::ptrdiff_t>(random_.below(records.size())); };
    const std::ptrdiff_t one = any(), other = any();
    switch (random_.below(8)) {
      case 0: records.erase(records.begin() + one); break;
      case 1: records.insert(records.begin() + other, Record(records[static_cast<std::size_t>(one)])); break;
      case 2: std::swap(records[static_cast<std::size_t>(one)], records[static_cast<std::size_t>(other)]); break;
      case 3: {  // a field becomes another record's
        const Record& source = records[static_cast<std::size_t>(other)];
        Record& target = records[static_cast<std::size_t>(one)];
        const std::size_t field = static_cast<std::size_t>(random_.below(std::min(source.size(), target.size())));
        target[field] = Piece(source[field]);
        break;
      }
      default: edit_field(records[static_cast<std::size_t>(one)]); break;
    }
  }
  void edit_field(Record& record) {
    Piece& piece = record[random_.below(record.size())];
    constexpr std::uint8_t bad[] = {0x00, 0x80, 0xC0, 0xED, 0xFF};
    if (piece.prefix == 0 || random_.one_in(4)) {
      piece.bytes = arena_.copy(piece.bytes);
      const std::size_t width = std::min<std::size_t>(piece.bytes.size(), 8);
      if (width > 0) store(piece.bytes, 0, width, boundary(random_, load(piece.bytes, 0, width), width));
    } else if (random_.one_in(3)) {
      piece.bytes = {};
    } else {
      piece.bytes = arena_.joined(piece.bytes, random_.one_in(2) ? letters(1) : arena_.copy(Bytes(&bad[random_.below(std::size(bad))], 1)));
    }
  }

  Sections& sections_;
  Arena& arena_;
  Random& random_;
};

class Writer {
 public:
  Writer(Random& random, Plan plan, std::span<std::uint8_t> out) : random_(random), plan_(plan), out_(out) {}
  std::size_t size() const { return size_; }

  void write(const Sections& sections) {
    put(sections.flags, 1);
    put(0, 2);
    const std::size_t start = size_;
    if (!sections.kv.empty()) write(sections.kv, 4, Fix::kv_count);
    const std::uint64_t length = fixed(Fix::kv_length, size_ - start, 2);
    store(out_.first(size_), 1, 2, length);
    write(sections.index, 8, Fix::index_count);
  }

 private:
  void put(Bytes bytes) {
    const std::size_t count = std::min(bytes.size(), out_.size() - size_);
    std::copy_n(bytes.begin(), count, out_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += count;
  }
  void put(std::uint64_t value, std::size_t width) {
    std::array<std::uint8_t, 8> bytes{};
    store(bytes, 0, width, value);
    put(Bytes(bytes).first(width));
  }
  std::uint64_t fixed(Fix fix, std::uint64_t right, std::size_t width) {
    return plan_.left_out == fix && plan_.occurrence-- == 0 ? boundary(random_, right, width) : right;
  }
  void write(const List<Record>& records, std::size_t width, Fix count) {
    put(fixed(count, records.size(), width), width);
    for (const Record& record : records)
      for (const Piece& piece : record) {
        if (piece.prefix != 0) put(fixed(piece.length, piece.bytes.size(), piece.prefix), piece.prefix);
        put(piece.bytes);
      }
  }

  Random& random_;
  Plan plan_;
  std::span<std::uint8_t> out_;
  std::size_t size_ = 0;
};

}  // namespace

std::size_t mutate_sections(Bytes input, Bytes other, std::uint64_t seed, std::span<std::uint8_t> out, Report* report) {
  constexpr Fix fixes[] = {Fix::index_count, Fix::name_length, Fix::kv_count, Fix::key_length, Fix::value_length, Fix::kv_length};
  constexpr std::uint64_t left_out_in = 8;
  Arena arena;
  Random random(seed);
  Sections sections(arena);
  decode(arena.copy(input.first(std::min<std::size_t>(input.size(), most_data))), sections);
  Plan plan;
  if (random.one_in(left_out_in)) plan = {random.any(fixes), random.below(2), false};
  Editor editor(sections, random);
  const std::uint64_t edits = random.below(8);
  for (std::uint64_t left = plan.left_out ? random.below(2) : edits < 5 ? 1 : edits - 3; left > 0; --left) editor.edit(other);
  if (report != nullptr) {
    report->left_out = plan.left_out;
    report->edits |= 1u << static_cast<unsigned>(Edit::carrier);
  }
  Writer writer(random, plan, out);
  writer.write(sections);
  return writer.size();
}

}  // namespace hurray::fuzz::mutator
