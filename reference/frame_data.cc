#include "reference/frame_data.h"

#include <algorithm>

namespace hurray::reference {

void FrameData::start(std::uint64_t total, std::uint64_t total_at, std::uint64_t needed) {
  total_ = total;
  needed_ = needed;
  total_at_ = total_at;
  frames_.clear();
}

void FrameData::add(std::uint64_t offset, std::uint64_t offset_at, Bytes data) {
  frames_.push_back({offset, offset_at, data});
}

void FrameData::check(Checks& check) {
  for (std::size_t i = 1; i < frames_.size(); ++i)
    check.that(frames_[i].offset >= frames_[i - 1].offset, Rule::STRM_DATA_01, frames_[i].offset_at, "frame at offset",
               frames_[i].offset, "after one at offset", frames_[i - 1].offset);
  if (check.failed()) return;
  const auto by_offset = [](const Frame& a, const Frame& b) { return a.offset < b.offset; };
  if (!std::is_sorted(frames_.begin(), frames_.end(), by_offset))  // STRM-DATA-01 is waived
    std::stable_sort(frames_.begin(), frames_.end(), by_offset);

  std::uint64_t sum = 0;
  for (const Frame& frame : frames_) {
    check.that(frame.offset >= sum, Rule::STRM_DATA_05, frame.offset_at, "frame at offset", frame.offset,
               "overlaps the frames before it, which reach", sum);
    check.that(frame.offset <= sum, Rule::STRM_DATA_04, frame.offset_at, "frame at offset", frame.offset,
               "leaves a gap behind the frames before it, which reach", sum);
    sum += frame.data.size();
  }
  if (frames_.empty())
    check.that(total_ == 0, Rule::STRM_ORD_02, total_at_, "no data frame for total_data_bytes", total_);
  else
    check.that(sum == total_, Rule::STRM_DATA_02, total_at_, "total_data_bytes", total_, "but the frames hold", sum);
  // Nowhere do the two have to be equal; a total that leaves a buffer short cannot be read, though.
  check.that(sum != total_ || total_ == needed_, Rule::STRM_DATA_03, total_at_, "total_data_bytes", total_,
             "where the buffers have", needed_);
}

bool FrameData::cut(const Descriptor& descriptor, Reading& reading, std::vector<std::uint64_t>& positions) const {
  positions.clear();
  Place place;
  bool whole = true;
  for (std::size_t i = 0; i < descriptor.buffer_count; ++i) {
    const std::uint64_t size = descriptor.buffer(i).byte_size;
    std::uint64_t position = total_at_;
    const Bytes buffer = take(place, size, reading, position);
    whole &= buffer.size() == size;
    reading.buffers.push_back(buffer);
    positions.push_back(position);
  }
  return whole;
}

/// The next `size` bytes of the frames, fewer where they end. They are copied only if they lie in several frames.
Bytes FrameData::take(Place& place, std::uint64_t size, Reading& reading, std::uint64_t& position) const {
  const auto skip_empty = [&] {
    while (place.frame < frames_.size() && place.byte == frames_[place.frame].data.size()) place = {place.frame + 1, 0};
  };
  skip_empty();
  if (place.frame == frames_.size() || size == 0) return {};
  position = frames_[place.frame].offset_at + facts::limit::data_prefix + place.byte;
  const Bytes here = frames_[place.frame].data.subspan(place.byte);
  if (here.size() >= size) {
    place.byte += size;
    return here.first(size);
  }

  std::uint64_t there = here.size();
  for (std::size_t frame = place.frame + 1; frame < frames_.size() && there < size; ++frame)
    there += frames_[frame].data.size();
  there = std::min(there, size);
  reading.gathered.push_back(std::make_unique<std::uint8_t[]>(there));
  std::uint8_t* const start = reading.gathered.back().get();
  for (std::uint64_t filled = 0; filled < there; skip_empty()) {
    const Bytes rest = frames_[place.frame].data.subspan(place.byte);
    const std::size_t part = std::min<std::uint64_t>(rest.size(), there - filled);
    std::copy_n(rest.begin(), part, start + filled);
    filled += part;
    place.byte += part;
  }
  return {start, static_cast<std::size_t>(there)};
}

}  // namespace hurray::reference
