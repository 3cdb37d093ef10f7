// Which part of a view is copied from which member, each element once, and a copy in an order that suits the caches.
#pragma once

#include <vector>

#include "reference/canvas.h"
#include "reference/copy_box.h"

namespace hurray::reference {

/// Partitions and replace overlays whose members are all copyable (Source::copyable). What a later correction hides is cut
/// off before anything is copied, and the view is then filled piece after piece of memory, not member after member.
class CopyPlan {
 public:
  static constexpr std::size_t most_members = 2048;

  /// The space to fill: `shape` at `origin` of the canvas that run() is given.
  CopyPlan(std::span<const std::uint64_t> shape, const BoxIndex& origin);

  /// Takes in a member whose box begins at `offset` of the space: what nothing placed before covers is copied from it.
  /// False, and the plan is of no use, where it cannot be copied or the boxes become too many to be worth it.
  [[nodiscard]] bool place(const Source& source, const U64Array& offset);
  /// The same for a member that is known not to overlap any other.
  [[nodiscard]] bool place_apart(const Source& source, const U64Array& offset);

  void run(const Canvas& canvas) const;

 private:
  struct Box {
    std::uint32_t from = 0;  // position in members_
    BoxIndex low, high;      // in the space; the first rank_ entries count
  };
  struct Member {
    Elements elements;
    std::vector<std::int64_t> strides;
    BoxIndex low;
  };
  /// Boxes that stand side by side along the last axis, each too narrow to be copied row by row on its own.
  struct Strip {
    std::vector<std::uint32_t> boxes;  // positions in taken_, from left to right
    std::vector<Column> columns;       // of each box, at the lowest index
    Box bounds;
  };
  [[nodiscard]] std::optional<Box> take_in(const Source& source, const U64Array& offset);
  [[nodiscard]] bool intersect(const Box& box, const Box& other, Box& common) const;
  void keep_rest(Box box, const Box& hole, std::vector<Box>& rest) const;
  [[nodiscard]] std::vector<Strip> strips(std::uint8_t bits) const;
  [[nodiscard]] bool is_narrow(const Box& box, std::uint8_t bits) const;
  [[nodiscard]] bool continues(const Strip& strip, const Box& box) const;
  void fill(const Canvas& canvas, std::span<const Strip> strips, std::size_t axis, std::size_t slab_axis, Box& slab) const;
  void copy_boxes(const Canvas& canvas, const Strip& strip, const Box& slab) const;
  void copy(const Canvas& canvas, const Box& part) const;
  void copy_columns_of(const Canvas& canvas, const Strip& strip, std::size_t axis, Box& part) const;
  [[nodiscard]] std::int64_t source_position(const Box& part) const;
  [[nodiscard]] std::uint64_t canvas_position(const Canvas& canvas, const Box& part) const;

  std::size_t rank_;
  BoxIndex start_;           // of the space on the canvas
  Box space_;
  std::vector<Box> free_;    // what no member placed so far covers
  std::vector<Box> taken_;
  std::vector<Member> members_;
};

}  // namespace hurray::reference
