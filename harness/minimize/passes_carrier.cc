#include <algorithm>

#include "conformance/facts/limits.h"
#include "harness/minimize/plain.h"
#include "harness/minimize/reduce.h"

namespace hurray::harness {
namespace {

using generators::Derived;
using generators::Part;

bool starts(const Field& field, std::string_view with) { return field.label.compare(0, with.size(), with) == 0; }

std::size_t entries_of(const Tree& tree, Derived derived) {
  return static_cast<std::size_t>(std::count_if(tree.fields().begin(), tree.fields().end(), [&](const Field& field) { return field.derived == derived; }));
}

bool drop_key_values(Reducer& reducer) {
  const bool whole = reducer.attempt_change([](Tree& tree) {
    tree.remove([](const Field& field) { return field.part == Part::kv || field.label == "kv.padding"; });
    tree.change([](Field& field) {
      if (field.label == "file.flags") field.bytes[0] = static_cast<std::uint8_t>(field.bytes[0] & ~facts::file_flag::has_kv_metadata);
      if (!starts(field, "trailer.kv_")) return;
      std::fill(field.bytes.begin(), field.bytes.end(), std::uint8_t{0});
      field.derived = Derived::none;
    });
  });
  if (whole) return true;
  bool further = false;
  for (std::size_t entry = entries_of(reducer.tree(), Derived::key_length); entry-- > 0 && !reducer.exhausted();) {
    const std::string prefix = "kv[" + std::to_string(entry) + "]";
    further = reducer.attempt_change([&](Tree& tree) { tree.remove([&](const Field& field) { return starts(field, prefix); }); }) || further;
  }
  return further;
}

/// One to three characters for each name, in their order where names are sorted.
void shorten_names(Tree& tree) {
  std::size_t number = 0;
  const std::size_t count = entries_of(tree, Derived::entry_descriptor_offset);
  tree.change([&](Field& field) {
    if (field.part != Part::index || field.label.size() < 5 || field.label.compare(field.label.size() - 5, 5, ".name") != 0) return;
    const std::size_t width = count <= 26 ? 1 : count <= 676 ? 2 : 3;
    std::size_t left = number++;
    field.bytes.assign(width, 'a');
    for (std::size_t k = width; k-- > 0; left /= 26) field.bytes[k] = static_cast<std::uint8_t>('a' + left % 26);
  });
}

}  // namespace

bool reduce_carrier(Reducer& reducer) {
  bool further = reducer.attempt_change([](Tree& tree) { tree.join_frames(); });
  further = reducer.attempt_change([](Tree& tree) { tree.remove([](const Field& field) { return starts(field, "messages["); }); }) || further;
  if (entries_of(reducer.tree(), Derived::index_length) == 0) return further;  // no file
  further = reducer.attempt_change([](Tree& tree) {
    tree.change([](Field& field) {
      if (field.label == "file.data_buffer_alignment") field.bytes = generators::little_endian(facts::limit::file_alignment_min, field.bytes.size());
    });
  }) || further;
  further = drop_key_values(reducer) || further;
  further = reducer.attempt_change(close_up_before_nothing) || further;
  return reducer.attempt_change(shorten_names) || further;
}

}  // namespace hurray::harness
