#include "fuzz/mutator/edit.h"

namespace hurray::fuzz::mutator {

const std::string_view edit_names[edit_count] = {
    "boundary", "known value", "stray flag", "stray section", "section", "insert member", "remove member", "duplicate member", "swap members",
    "move member", "wrap", "unwrap", "split member", "merge members", "graft", "resize table", "alias", "product", "fresh", "relayout",
    "contents", "newer", "carrier", "cut"};

namespace {

bool apply(Editing& editing, Edit edit) {
  switch (edit) {
    case Edit::boundary: case Edit::known_value: case Edit::stray_flag: case Edit::stray_section: case Edit::section: case Edit::resize_table:
    case Edit::alias: case Edit::product: case Edit::relayout: case Edit::contents: case Edit::newer:
      return edit_fields(editing, edit);
    case Edit::insert_member: case Edit::remove_member: case Edit::duplicate_member: case Edit::swap_members: case Edit::move_member: case Edit::wrap:
    case Edit::unwrap: case Edit::split_member: case Edit::merge_members: case Edit::graft: case Edit::fresh:
      return edit_tree(editing, edit);
    case Edit::carrier:
      editing.plan.edit_carrier = editing.surface == facts::Surface::framed || editing.surface == facts::Surface::file;
      return editing.plan.edit_carrier;
    case Edit::cut:
      editing.cut = editing.random.one_in(2) ? Cut::short_ : Cut::longer;
      return true;
  }
  return false;
}

/// What most rules are about comes more often.
constexpr Edit weighted[] = {
    Edit::boundary, Edit::boundary, Edit::boundary, Edit::boundary, Edit::boundary, Edit::boundary, Edit::known_value, Edit::known_value, Edit::known_value,
    Edit::stray_flag, Edit::stray_section, Edit::section, Edit::insert_member, Edit::remove_member, Edit::duplicate_member, Edit::swap_members,
    Edit::move_member, Edit::wrap, Edit::unwrap, Edit::split_member, Edit::merge_members, Edit::graft, Edit::resize_table, Edit::alias, Edit::product,
    Edit::fresh, Edit::fresh, Edit::fresh, Edit::fresh, Edit::fresh, Edit::relayout, Edit::relayout, Edit::contents, Edit::contents, Edit::contents,
    Edit::newer, Edit::carrier, Edit::carrier, Edit::carrier, Edit::carrier, Edit::carrier, Edit::cut};

}  // namespace

void apply_any(Editing& editing) {
  for (int tries = 0; tries < 8 && !editing.tree.nodes.empty(); ++tries) {
    const Edit edit = editing.random.any(weighted);
    if (!apply(editing, edit)) continue;
    editing.report.edits |= 1u << static_cast<unsigned>(edit);
    return;
  }
}

Fix any_fix(Random& random, facts::Surface surface) {
  const auto between = [&](Fix first, Fix last) {
    return static_cast<Fix>(static_cast<std::uint64_t>(first) + random.below(static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1));
  };
  const bool of_carrier = random.below(3) != 0;
  if (of_carrier && surface == facts::Surface::framed) return between(Fix::payload_length, Fix::frame_offset);
  if (of_carrier && surface == facts::Surface::file) return between(Fix::first_descriptor, Fix::padding);
  return between(Fix::descriptor_length, Fix::member_count);
}

}  // namespace hurray::fuzz::mutator
