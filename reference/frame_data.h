// The data frames of one tensor and the buffers cut from them (interchange.md, TENSOR_DATA Payload).
#pragma once

#include <vector>

#include "reference/checks.h"
#include "reference/read.h"

namespace hurray::reference {

/// Collects the frames between a tensor's descriptor and its end message. The format does not say how several buffers
/// share the frames; they are taken as one run of bytes, buffers in table order without padding.
class FrameData {
 public:
  /// Starts a tensor of `total` bytes, stated at byte `total_at`, whose buffers need `needed` bytes.
  void start(std::uint64_t total, std::uint64_t total_at, std::uint64_t needed);
  void add(std::uint64_t offset, std::uint64_t offset_at, Bytes data);
  std::uint64_t total() const { return total_; }

  /// Order, gaps, overlaps and the sum of the frames (STRM-DATA-01, -02, -04, -05, STRM-ORD-02); then, if the total is
  /// theirs, whether it is that of the buffers (STRM-DATA-03).
  void check(Checks& check);

  /// Appends the tensor's buffers to the reading, as views where a buffer lies in one frame; false if bytes are
  /// missing.
  /// `positions` receives where each buffer starts in the input.
  bool cut(const Descriptor& descriptor, Reading& reading, std::vector<std::uint64_t>& positions) const;

 private:
  struct Frame {
    std::uint64_t offset;     // as the frame states it
    std::uint64_t offset_at;  // where in the input; the data follows
    Bytes data;
  };
  struct Place {
    std::size_t frame = 0, byte = 0;
  };
  Bytes take(Place& place, std::uint64_t size, Reading& reading, std::uint64_t& position) const;

  std::uint64_t total_ = 0, total_at_ = 0, needed_ = 0;
  std::vector<Frame> frames_;
};

}  // namespace hurray::reference
