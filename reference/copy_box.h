// Copies boxes of elements between strided arrays, run by run.
#pragma once

#include "reference/element.h"

namespace hurray::reference {

/// Both sides of a copy: strides in elements, an axis each.
struct CopySides {
  std::span<const std::uint64_t> shape;  // no axis is empty
  const std::int64_t* from_strides;
  const std::uint64_t* to_strides;
};

/// Copies the box that begins at element `from_at` of `from` to element `to_at` of `to`. Both hold all of it and have the
/// same width of element.
void copy_box(const CopySides& sides, const Elements& from, std::int64_t from_at, const ElementArray& to, std::uint64_t to_at);

/// A narrow source of rows: `width` bytes each, the next one `step` bytes further.
struct Column {
  const std::uint8_t* from;
  std::int64_t step;
  std::size_t width;
};

/// Copies `rows` rows, each made up of one row of every column side by side, to `to` and every `to_step` bytes on.
void copy_columns(std::span<const Column> columns, std::uint64_t rows, std::uint8_t* to, std::uint64_t to_step);

}  // namespace hurray::reference
