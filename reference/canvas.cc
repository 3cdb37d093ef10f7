#include "reference/canvas.h"

#include <algorithm>

#include "reference/copy_box.h"

namespace hurray::reference {
namespace {

constexpr std::size_t row_capacity = 256;

/// Counts through the first `axes` axes of a shape, the last of them fastest.
class Odometer {
 public:
  Odometer(const std::uint64_t* shape, std::size_t axes) : shape_(shape), axes_(axes) { std::fill_n(index_, axes, 0); }
  const std::uint64_t* index() const { return index_; }
  std::uint64_t* index() { return index_; }
  /// Steps on and returns the outermost axis that changed; `axes` at the end.
  std::size_t advance() {
    for (std::size_t axis = axes_; axis-- > 0;) {
      if (++index_[axis] < shape_[axis]) return axis;
      index_[axis] = 0;
    }
    return axes_;
  }

 private:
  const std::uint64_t* shape_;
  std::size_t axes_;
  std::uint64_t index_[facts::limit::rank];
};

/// Sums of one term an axis, kept for every prefix of the axes so that a step recomputes only what changed.
class PrefixSums {
 public:
  PrefixSums() { sums_[0] = 0; }
  void set(std::size_t axis, std::int64_t term) { sums_[axis + 1] = sums_[axis] + term; }
  std::int64_t through(std::size_t axes) const { return sums_[axes]; }

 private:
  std::int64_t sums_[facts::limit::rank + 1];
};

}  // namespace

Canvas::Canvas(std::uint8_t* bytes, std::uint8_t type_tag, std::uint8_t bits, const U64Array& shape)
    : array_{bytes, type_tag, bits}, rank_(shape.size()) {
  // The whole view was counted in 64 bits; where it is empty nothing is painted and strides may wrap.
  std::uint64_t stride = 1;
  for (std::size_t axis = rank_; axis-- > 0;) {
    strides_[axis] = stride;
    stride *= shape[axis];
  }
}

std::uint64_t Canvas::position(const BoxIndex& index) const {
  std::uint64_t sum = 0;
  for (std::size_t axis = 0; axis < rank_; ++axis) sum += index[axis] * strides_[axis];
  return sum;
}

void Canvas::paint(const Source& source, const BoxIndex& origin, Paint how) {
  const std::uint64_t start = position(origin);
  if (source.sparse()) {
    if (how == Paint::whole) fill_zero(source.descriptor().shape, start);
    return paint_stored(source, start, how == Paint::add);
  }
  if (how != Paint::add && source.copyable()) return copy_affine(source, start);
  paint_rows(source, start, how == Paint::add);
}

void Canvas::paint_stored(const Source& source, std::uint64_t origin, bool add) {
  StoredElements stored{source.descriptor(), source.buffers()};
  while (stored.next()) {
    const Pattern value = source.value_at(stored.position(), stored.index(), array_.type_tag);
    std::uint64_t at = origin;
    for (std::size_t axis = 0; axis < rank_; ++axis) at += stored.index()[axis] * strides_[axis];
    if (add)
      array_.add_row(at, {&value, 1});
    else
      array_.store(at, value);
  }
}

void Canvas::paint_rows(const Source& source, std::uint64_t origin, bool add) {
  std::uint64_t shape[facts::limit::rank];
  copy_shape(source.descriptor().shape, shape);
  const bool hilbert = source.address().is_hilbert();
  const std::size_t outer = rank_ > 0 ? rank_ - 1 : 0;
  const std::uint64_t length = rank_ > 0 ? shape[outer] : 1;
  std::int64_t terms[row_capacity], parameter_terms[row_capacity];
  Pattern row[row_capacity];
  for (std::uint64_t first = 0; first < length; first += row_capacity) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(row_capacity, length - first));
    for (std::size_t j = 0; j < count; ++j) {
      terms[j] = rank_ > 0 && !hilbert ? source.address().axis_term(outer, first + j) : 0;
      parameter_terms[j] = rank_ > 0 ? source.dequantizer().parameter_term(outer, first + j) : 0;
    }
    Odometer odometer{shape, outer};
    PrefixSums positions, parameters, targets;
    std::size_t changed = 0;
    do {
      for (std::size_t axis = changed; axis < outer; ++axis) {
        const std::uint64_t i = odometer.index()[axis];
        positions.set(axis, hilbert ? 0 : source.address().axis_term(axis, i));
        parameters.set(axis, source.dequantizer().parameter_term(axis, i));
        targets.set(axis, static_cast<std::int64_t>(i * strides_[axis]));
      }
      for (std::size_t j = 0; hilbert && j < count; ++j) {
        odometer.index()[outer] = first + j;
        terms[j] = source.address().position(odometer.index());
      }
      load_row(source.elements(), positions.through(outer), {terms, count}, row);
      source.decode_row(parameters.through(outer), {parameter_terms, count}, array_.type_tag, row);
      const std::uint64_t at = origin + static_cast<std::uint64_t>(targets.through(outer)) + first;
      if (add)
        array_.add_row(at, {row, count});
      else
        array_.store_row(at, {row, count});
      changed = odometer.advance();
    } while (changed < outer);
  }
}

void Canvas::copy_affine(const Source& source, std::uint64_t origin) {
  std::uint64_t shape[facts::limit::rank];
  copy_box({copy_shape(source.descriptor().shape, shape), source.address().strides(), strides_.data()}, source.elements(), 0, array_,
           origin);
}

void Canvas::fill_zero(const U64Array& shape, std::uint64_t origin) {
  std::uint64_t extents[facts::limit::rank];
  copy_shape(shape, extents);
  // The axes from `whole` on are contiguous on the canvas, as far as the box spans it.
  std::uint64_t run = 1;
  std::size_t whole = rank_;
  while (whole > 0 && strides_[whole - 1] == run) run *= extents[--whole];
  Odometer odometer{extents, whole};
  std::size_t changed = 0;
  do {
    std::uint64_t at = origin;
    for (std::size_t axis = 0; axis < whole; ++axis) at += odometer.index()[axis] * strides_[axis];
    array_.fill_zero(at, run);
    changed = odometer.advance();
  } while (changed < whole);
}

void Canvas::add(const ElementArray& from, const U64Array& shape, const BoxIndex& origin) {
  std::uint64_t extents[facts::limit::rank];
  copy_shape(shape, extents);
  const std::size_t outer = rank_ > 0 ? rank_ - 1 : 0;
  const std::uint64_t length = rank_ > 0 ? extents[outer] : 1;
  Pattern row[row_capacity];
  std::uint64_t read = 0;
  Odometer odometer{extents, outer};
  std::size_t changed = 0;
  do {
    std::uint64_t at = position(origin);
    for (std::size_t axis = 0; axis < outer; ++axis) at += odometer.index()[axis] * strides_[axis];
    for (std::uint64_t first = 0; first < length; first += row_capacity) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(row_capacity, length - first));
      for (std::size_t j = 0; j < count; ++j) row[j] = from.load(read++);
      array_.add_row(at + first, {row, count});
    }
    changed = odometer.advance();
  } while (changed < outer);
}

}  // namespace hurray::reference
