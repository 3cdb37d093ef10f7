// A Hurray file, read through its index (file-format.md, Random-Access Reader).
#include <algorithm>

#include "reference/composite.h"
#include "reference/file_parts.h"
#include "reference/surfaces.h"

namespace hurray::reference {
namespace {

/// Where the buffers of one tensor lie if each starts at a multiple of `step`.
struct Placement {
  bool fits = true;         // no position wraps
  std::uint64_t sum = 0;    // of the byte sizes; saturates
  std::uint64_t extent = 0; // from the first byte to the last, padding included; saturates
};

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? ~std::uint64_t{0} : sum;
}

std::uint64_t round_up(std::uint64_t position, std::uint64_t step) {
  const std::uint64_t over = position % step;
  return over == 0 ? position : saturating_add(position, step - over);
}

/// Fills `positions` with where each buffer starts. Whether padding precedes an empty buffer is open (AMB-29): it never
/// makes the extent longer.
Placement place_buffers(const Descriptor& descriptor, std::uint64_t start, std::uint64_t step,
                        std::vector<std::uint64_t>& positions) {
  Placement placement;
  positions.clear();
  std::uint64_t position = start;
  for (std::size_t i = 0; i < descriptor.buffer_count; ++i) {
    const std::uint64_t at = i > 0 ? round_up(position, step) : position;
    positions.push_back(at);
    const std::uint64_t size = descriptor.buffer(i).byte_size;
    placement.sum = saturating_add(placement.sum, size);
    if (size > 0) position = saturating_add(at, size);
  }
  placement.extent = position - start;
  placement.fits = position != ~std::uint64_t{0};
  return placement;
}

class FileReader {
 public:
  FileReader(Bytes input, const Waivers& waivers, Reading& reading)
      : input_(input), waivers_(waivers), reading_(reading), tree_(reading, waivers) {}

  void read_all();
  void read_one(std::string_view name);

 private:
  bool open(bool with_key_values);
  void sort_by_offset();
  bool read_tensor(const IndexEntry& entry);
  bool descriptor_is_in_place(const IndexEntry& entry, Checks& check) const;
  void check_descriptor(const IndexEntry& entry, const Descriptor& descriptor, Checks& check) const;
  bool read_buffers(const IndexEntry& entry, const Descriptor& descriptor, Checks& check);
  Placement choose_placement(const IndexEntry& entry, const Descriptor& descriptor);
  Placement place_packed(const IndexEntry& entry, const Descriptor& descriptor, Placement aligned);
  bool in_tensor_region(const Region& region) const;
  bool stopped(std::optional<Violation> violation) {
    reading_.violation = std::move(violation);
    return !reading_.accepted();
  }

  Bytes input_;
  const Waivers& waivers_;
  Reading& reading_;
  CompositeTree tree_;
  FileFrame frame_;
  std::vector<IndexEntry> entries_;
  std::vector<std::uint64_t> positions_;
};

bool FileReader::open(bool with_key_values) {
  Checks check(waivers_);
  const bool readable = read_file_frame(input_, check, frame_) && read_index(input_, frame_, check, entries_) &&
                        (!with_key_values || read_key_values(input_, frame_, check));
  if (stopped(check.first())) return false;
  reading_.partial = !readable;
  if (readable) sort_by_offset();
  return readable;
}

void FileReader::read_all() {
  if (!open(true)) return;
  for (const IndexEntry& entry : entries_)
    if (!read_tensor(entry)) return;
  stopped(tree_.end(input_.size()));
}

/// Members follow their head in the order of descriptors, so the index alone says where they are.
void FileReader::read_one(std::string_view name) {
  if (!open(false)) return;
  auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const IndexEntry& one) { return one.name == name; });
  for (bool first = true; entry != entries_.end() && (first || tree_.waiting()); ++entry, first = false)
    if (!read_tensor(*entry)) return;
  stopped(tree_.end(input_.size()));
}

/// Write order, which binds members to heads whatever the order of the index. Entries that name one descriptor twice
/// keep their order in the index.
void FileReader::sort_by_offset() {
  const auto before = [](const IndexEntry& a, const IndexEntry& b) {
    return a.descriptor_offset != b.descriptor_offset ? a.descriptor_offset < b.descriptor_offset : a.at < b.at;
  };
  if (!std::is_sorted(entries_.begin(), entries_.end(), before)) std::sort(entries_.begin(), entries_.end(), before);
}

/// Inside the file's body and outside its other sections.
bool FileReader::in_tensor_region(const Region& region) const {
  if (!region.lies_in(frame_.trailer)) return false;
  const Region header{0, facts::limit::file_header};
  return !region.meets(header) && !region.meets(frame_.index) && !region.meets(frame_.kv);
}

/// False when reading has to end here.
bool FileReader::read_tensor(const IndexEntry& entry) {
  Checks check(waivers_);
  if (!descriptor_is_in_place(entry, check)) {
    if (stopped(check.first())) return false;
    reading_.partial = true;  // FILE-IDX-10 is waived, and there is nothing to read
    tree_.abandon();
    return false;
  }
  const DescriptorOutcome outcome = read_descriptor(input_.first(frame_.trailer), entry.descriptor_offset, waivers_);
  if (stopped(outcome.violation)) return false;
  check_descriptor(entry, outcome.descriptor, check);
  if (stopped(check.first()) || stopped(tree_.arrive(outcome))) return false;
  reading_.tensors.back().name = entry.name;
  return read_buffers(entry, outcome.descriptor, check);
}

bool FileReader::descriptor_is_in_place(const IndexEntry& entry, Checks& check) const {
  const std::uint64_t at = entry.descriptor_offset_at();
  const bool inside = in_tensor_region({entry.descriptor_offset, 1});
  check.that(inside, Rule::FILE_IDX_10, at, "descriptor outside the tensor region, at", entry.descriptor_offset);
  check.that(entry.descriptor_offset % facts::limit::descriptor_alignment == 0, Rule::FILE_DESC_01, at,
             "descriptor_offset",
             entry.descriptor_offset);
  return !check.failed() && inside;
}

void FileReader::check_descriptor(const IndexEntry& entry, const Descriptor& descriptor, Checks& check) const {
  check.that(entry.descriptor_length == descriptor.length, Rule::FILE_IDX_04, entry.descriptor_length_at(),
             "the index says descriptor_length", entry.descriptor_length, "and the descriptor", descriptor.length);
  check.that(in_tensor_region({entry.descriptor_offset, descriptor.length}), Rule::FILE_IDX_10,
             entry.descriptor_offset_at(),
             "descriptor reaches outside the tensor region, at", entry.descriptor_offset, "length", descriptor.length);
}

/// A file whose alignment is illegal, which is then waived, may have been written by what it says or by the least
/// legal value; the data length tells.
Placement FileReader::choose_placement(const IndexEntry& entry, const Descriptor& descriptor) {
  const std::uint64_t stated = std::max<std::uint64_t>(frame_.alignment, 1);
  const Placement placement = place_buffers(descriptor, entry.data.offset, stated, positions_);
  if (frame_.alignment_legal || placement.extent == entry.data.length) return placement;
  return place_buffers(descriptor, entry.data.offset, facts::limit::file_alignment_min, positions_);
}

/// Where FILE-DATA-02 is waived: all buffers end to end if that is as long as the data, else the last one at its end.
Placement FileReader::place_packed(const IndexEntry& entry, const Descriptor& descriptor, Placement aligned) {
  if (aligned.sum == entry.data.length) return place_buffers(descriptor, entry.data.offset, 1, positions_);
  const std::uint64_t last = descriptor.buffer(descriptor.buffer_count - 1u).byte_size;
  positions_.back() = entry.data.offset + (entry.data.length - last);
  aligned.extent = entry.data.length;
  return aligned;
}

bool FileReader::read_buffers(const IndexEntry& entry, const Descriptor& descriptor, Checks& check) {
  if (descriptor.is_head() || descriptor.buffers_unknown) {
    // A head's data_offset has no meaning; should it have buffers, where that is waived, there is nothing in them.
    reading_.buffers.resize(reading_.buffers.size() + descriptor.buffer_count);
    return !stopped(tree_.complete({}, false));
  }
  Placement placement = choose_placement(entry, descriptor);
  check.that(in_tensor_region(entry.data), Rule::FILE_IDX_10, entry.data_offset_at(),
             "data outside the tensor region, at",
             entry.data.offset, "length", entry.data.length);
  check.that(placement.sum == 0 || !frame_.alignment_legal || entry.data.offset % frame_.alignment == 0,
             Rule::FILE_DATA_01,
             entry.data_offset_at(), "data_offset", entry.data.offset, "with data_buffer_alignment", frame_.alignment);
  // A data_length unlike the buffers' extent is left open, unless it says that the buffers lie closer than they may.
  const bool packed = entry.data.length >= placement.sum && entry.data.length < placement.extent;
  check.that(!packed || !frame_.alignment_legal, Rule::FILE_DATA_02, entry.data_length_at(), "data_length",
             entry.data.length,
             "where aligned buffers take", placement.extent);
  if (packed) placement = place_packed(entry, descriptor, placement);
  const bool there = placement.fits && in_tensor_region({entry.data.offset, placement.extent});
  check.that(there, Rule::FILE_IDX_10, entry.data_offset_at(), "buffers reach outside the tensor region, at",
             entry.data.offset, "length", placement.extent);
  if (stopped(check.first())) return false;

  bool whole = there;
  for (std::size_t i = 0; i < descriptor.buffer_count; ++i) {
    const std::uint64_t start = std::min<std::uint64_t>(positions_[i], input_.size());
    const std::uint64_t size = std::min<std::uint64_t>(descriptor.buffer(i).byte_size, input_.size() - start);
    whole &= size == descriptor.buffer(i).byte_size;
    reading_.buffers.push_back(input_.subspan(start, size));
  }
  reading_.partial |= !whole;
  return !stopped(tree_.complete(positions_, whole));
}

}  // namespace

void read_file(Bytes input, const Waivers& waivers, Reading& reading) { FileReader(input, waivers, reading).read_all(); }

Reading read_file_tensor(Bytes file, std::string_view name, const Waivers& waivers) {
  Reading reading;
  FileReader(file, waivers, reading).read_one(name);
  return reading;
}

}  // namespace hurray::reference
