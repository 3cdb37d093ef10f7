// New parts of a tree: tensors of every layout and scheme, composites, sections. Valid as they come, for a mutant is worth
// most where only what was edited is wrong.
#pragma once

#include "fuzz/mutator/tree.h"

namespace hurray::fuzz::mutator {

struct Maker {
  Arena& arena;
  Random& random;
  bool lone;  // there is room for one descriptor: heads have no members

  std::uint8_t type();
  Part shape(std::size_t rank);
  /// A row-major tensor; its buffer holds what it asks for.
  Node tensor(std::uint8_t type, Part shape);
  /// In any layout that the rank allows; the shape may be changed to one that the layout needs.
  Node any_tensor(bool may_quantize);
  void lay_out(Node& node, std::uint8_t layout);
  void quantize(Node& node);
  void quantize_pages(Node& node);
  void add_scheme(Node& node, std::uint8_t scheme, std::uint64_t axis, std::uint64_t block, std::uint64_t parameters);
  Part section(const Node& node, Section which);
  void give_section(Node& node, Section which) { node.section(which) = section(node, which); }
  void give_box(Node& node, Part parent, Part offset);
  Node head(std::uint8_t rule, std::uint8_t type, Part shape);
  /// Appends a composite, `depth` heads deep from here at most.
  void composite(List<Node>& out, std::uint32_t depth, std::uint32_t most_depth);
  /// Appends a tensor or a composite.
  void anything(List<Node>& out, std::uint32_t depth);
  void set_buffers(Node& node, std::initializer_list<Part> data);
  void add_buffer(Node& node, Part data);
  Part values(std::uint8_t type, std::uint64_t count);
  Part numbers(std::initializer_list<std::uint64_t> values, std::size_t width);
};

}  // namespace hurray::fuzz::mutator
