// What a written path names: fields of a document, or a typed slice of one.
#pragma once

#include <string>
#include <vector>

#include "generators/document.h"

namespace hurray::generators {

/// The fields [first, last), or the bytes [from, from + width) of the one field `first`.
struct WrittenTarget {
  std::size_t first = 0, last = 0;
  std::size_t from = 0, width = 0;  // the slice, or the whole field
  FieldKind kind = FieldKind::number;
  bool slice = false;
  std::string error;                // not empty: the path and why it names nothing

  bool single() const { return last == first + 1; }
};

/// Finds a label, a group of labels or a slice. A composite's field may be named without `.head`, a member of a head as
/// `head.members[i]`, a sole item with or without `items[0]`, a buffer inside one frame as `data[i]`.
[[nodiscard]] WrittenTarget find_written(const std::vector<Field>& fields, const std::string& path);

}  // namespace hurray::generators
