// A dense row-major array that tensors are painted on, each in its box.
#pragma once

#include <array>

#include "reference/source.h"

namespace hurray::reference {

using BoxIndex = std::array<std::uint64_t, facts::limit::rank>;

enum class Paint : std::uint8_t {
  whole,   // every element of the box is written, also the zeros that a sparse tensor does not store
  stored,  // a sparse tensor writes what it stores; all others write the whole box
  add,     // what is stored is added to what stands there
};

class Canvas {
 public:
  /// `bytes` must hold `shape` in element type `type_tag`; nothing is written yet.
  Canvas(std::uint8_t* bytes, std::uint8_t type_tag, std::uint8_t bits, const U64Array& shape);

  std::uint8_t type_tag() const { return array_.type_tag; }
  std::uint8_t bits() const { return array_.bits; }
  const ElementArray& array() const { return array_; }
  const std::uint64_t* strides() const { return strides_.data(); }
  /// Paints a tensor that is not empty, whose box begins at `origin` and lies within the canvas.
  void paint(const Source& source, const BoxIndex& origin, Paint how);
  /// Adds a dense row-major array of this canvas's type.
  void add(const ElementArray& from, const U64Array& shape, const BoxIndex& origin);

 private:
  void paint_stored(const Source& source, std::uint64_t origin, bool add);
  void paint_rows(const Source& source, std::uint64_t origin, bool add);
  void copy_affine(const Source& source, std::uint64_t origin);
  void fill_zero(const U64Array& shape, std::uint64_t origin);
  std::uint64_t position(const BoxIndex& index) const;

  ElementArray array_;
  std::size_t rank_;
  std::array<std::uint64_t, facts::limit::rank> strides_;
};

}  // namespace hurray::reference
