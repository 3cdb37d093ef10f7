#include "reference/copy_box.h"

#include <algorithm>

#include "conformance/facts/limits.h"

namespace hurray::reference {
namespace {

/// Bytes by which a column is fetched before it is copied: a processor by itself follows few columns at a time.
constexpr std::ptrdiff_t read_ahead = 128;
constexpr std::uint64_t cache_line = 64;

/// An axis of a copy between two arrays: how many steps and how far each goes.
struct CopyAxis {
  std::uint64_t extent;
  std::int64_t from, to;
};

/// Copies a run of bytes, short ones without a call.
inline void copy_bytes(std::uint8_t* to, const std::uint8_t* from, std::size_t size) {
  if (size > 64) {
    std::memcpy(to, from, size);
  } else if (size >= 16) {
    // Blocks of 16 from the front and one that ends at the end.
    for (std::size_t at = 0; at + 16 <= size; at += 16) std::memcpy(to + at, from + at, 16);
    std::memcpy(to + size - 16, from + size - 16, 16);
  } else if (size >= 8) {
    std::memcpy(to, from, 8);
    std::memcpy(to + size - 8, from + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(to, from, 4);
    std::memcpy(to + size - 4, from + size - 4, 4);
  } else {
    for (std::size_t at = 0; at < size; ++at) to[at] = from[at];
  }
}

/// The axes as a copy needs them, innermost first: axes of one step dropped, neighbours that run on joined.
std::size_t joined_axes(const CopySides& sides, CopyAxis* axes) {
  std::size_t count = 0;
  for (std::size_t axis = sides.shape.size(); axis-- > 0;) {
    if (sides.shape[axis] == 1) continue;
    const CopyAxis next{sides.shape[axis], sides.from_strides[axis], static_cast<std::int64_t>(sides.to_strides[axis])};
    CopyAxis* inner = count > 0 ? &axes[count - 1] : nullptr;
    const auto reach = [&](std::int64_t step) { return static_cast<Signed128>(inner->extent) * step; };
    if (inner != nullptr && next.from == reach(inner->from) && next.to == reach(inner->to))
      inner->extent *= next.extent;
    else
      axes[count++] = next;
  }
  if (count == 0) axes[count++] = {1, 1, 1};
  return count;
}

template <std::size_t Size>
void copy_strided(std::uint8_t* to, std::int64_t to_step, const std::uint8_t* from, std::int64_t from_step, std::uint64_t count) {
  for (std::uint64_t j = 0; j < count; ++j) {
    const auto at = static_cast<std::int64_t>(j);
    std::memcpy(to + at * to_step * std::int64_t{Size}, from + at * from_step * std::int64_t{Size}, Size);
  }
}

/// Copies one run along the innermost axis.
void copy_axis(const ElementArray& to, std::int64_t at, const Elements& from, std::int64_t from_at, const CopyAxis& axis) {
  const std::size_t size = to.bits / 8u;
  if (size == 0) {
    for (std::uint64_t j = 0; j < axis.extent; ++j) {
      const auto step = static_cast<std::int64_t>(j);
      to.store(static_cast<std::uint64_t>(at + step * axis.to), from.at(from_at + step * axis.from));
    }
    return;
  }
  std::uint8_t* const target = to.bytes + at * static_cast<std::int64_t>(size);
  const std::uint8_t* const source = from.address(from_at);
  if (axis.from == 1 && axis.to == 1) return copy_bytes(target, source, axis.extent * size);
  switch (size) {
    case 1: return copy_strided<1>(target, axis.to, source, axis.from, axis.extent);
    case 2: return copy_strided<2>(target, axis.to, source, axis.from, axis.extent);
    case 4: return copy_strided<4>(target, axis.to, source, axis.from, axis.extent);
    case 8: return copy_strided<8>(target, axis.to, source, axis.from, axis.extent);
    case 16: return copy_strided<16>(target, axis.to, source, axis.from, axis.extent);
  }
}

/// copy_columns for columns of Size bytes, which the compiler then copies without a look at the width; 0 stands for any widths.
template <std::size_t Size>
void copy_rows(std::span<const Column> columns, std::uint64_t rows, std::uint8_t* to, std::uint64_t to_step) {
  const std::uint64_t rows_of_line = std::max<std::uint64_t>(cache_line / columns.front().width, 1);
  for (std::uint64_t row = 0; row < rows;) {
    for (const Column& column : columns)
      __builtin_prefetch(column.from + static_cast<std::int64_t>(row) * column.step + read_ahead);
    for (const std::uint64_t end = std::min(row + rows_of_line, rows); row < end; ++row, to += to_step) {
      std::uint8_t* at = to;
      for (const Column& column : columns) {
        const std::uint8_t* const from = column.from + static_cast<std::int64_t>(row) * column.step;
        if constexpr (Size == 0) copy_bytes(at, from, column.width);
        else std::memcpy(at, from, Size);
        at += Size == 0 ? column.width : Size;
      }
    }
  }
}

}  // namespace

void copy_box(const CopySides& sides, const Elements& from, std::int64_t from_at, const ElementArray& to, std::uint64_t to_at) {
  CopyAxis axes[facts::limit::rank];
  const std::size_t count = joined_axes(sides, axes);
  const CopyAxis second = count > 1 ? axes[1] : CopyAxis{1, 0, 0};
  // Steps of the axes from the third on, outermost last; they are counted one at a time, like an odometer.
  std::uint64_t steps[facts::limit::rank];
  std::fill_n(steps, count, 0);
  auto target = static_cast<std::int64_t>(to_at);
  while (true) {
    for (std::uint64_t j = 0; j < second.extent; ++j) {
      const auto step = static_cast<std::int64_t>(j);
      copy_axis(to, target + step * second.to, from, from_at + step * second.from, axes[0]);
    }
    std::size_t axis = 2;
    for (; axis < count; ++axis) {
      from_at += axes[axis].from;
      target += axes[axis].to;
      if (++steps[axis] < axes[axis].extent) break;
      from_at -= axes[axis].from * static_cast<std::int64_t>(axes[axis].extent);
      target -= axes[axis].to * static_cast<std::int64_t>(axes[axis].extent);
      steps[axis] = 0;
    }
    if (axis >= count) return;
  }
}

void copy_columns(std::span<const Column> columns, std::uint64_t rows, std::uint8_t* to, std::uint64_t to_step) {
  const std::size_t width = columns.front().width;
  if (std::all_of(columns.begin(), columns.end(), [&](const Column& column) { return column.width == width; })) {
    switch (width) {
      case 1: return copy_rows<1>(columns, rows, to, to_step);
      case 2: return copy_rows<2>(columns, rows, to, to_step);
      case 4: return copy_rows<4>(columns, rows, to, to_step);
      case 8: return copy_rows<8>(columns, rows, to, to_step);
      case 16: return copy_rows<16>(columns, rows, to, to_step);
      case 32: return copy_rows<32>(columns, rows, to, to_step);
      case 64: return copy_rows<64>(columns, rows, to, to_step);
    }
  }
  copy_rows<0>(columns, rows, to, to_step);
}

}  // namespace hurray::reference
