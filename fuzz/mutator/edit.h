// Edits of a tree.
#pragma once

#include "fuzz/mutator/encode.h"
#include "fuzz/mutator/fresh.h"

namespace hurray::fuzz::mutator {

enum class Cut : std::uint8_t { none, short_, longer };

struct Editing {
  Tree& tree;
  facts::Surface surface;
  Bytes other;
  Random& random;
  Maker maker;
  Report& report;
  Plan plan;
  Cut cut = Cut::none;
};

/// Tries edits until one finds what it needs; notes it in the report.
void apply_any(Editing& editing);

/// False where the tree has nothing for it. edit_fields.cc: the fields of one tensor; edit_tree.cc: who is whose member.
bool edit_fields(Editing& editing, Edit edit);
bool edit_tree(Editing& editing, Edit edit);

/// One that the surface has.
Fix any_fix(Random& random, facts::Surface surface);

}  // namespace hurray::fuzz::mutator
