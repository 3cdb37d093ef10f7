#include <algorithm>

#include "conformance/facts/facts.h"
#include "harness/minimize/plain.h"
#include "harness/minimize/reduce.h"

namespace hurray::harness {
namespace {

struct Section {
  std::uint32_t flag;
  std::string_view prefix;
};

constexpr Section sections[] = {{facts::flag::statistics, "statistics."}, {facts::flag::extension_type, "extension."},
                                {facts::flag::composite_member, "composite_member."}, {facts::flag::shard, "shard."}};

bool reduce_sections(Reducer& reducer, std::uint32_t node) {
  bool further = false;
  for (const Section& section : sections) {
    const std::uint64_t flags = reducer.tree().number(node, "flags").value_or(0);
    if ((flags & section.flag) == 0) continue;
    further = reducer.attempt_change([&](Tree& tree) {
      tree.set(node, "flags", flags & ~std::uint64_t{section.flag});
      remove_fields(tree, node, section.prefix);
    }) || further;
  }
  further = reducer.attempt_change([&](Tree& tree) { remove_fields(tree, node, "trailing"); }) || further;
  return reducer.attempt_change([&](Tree& tree) { drop_scheme(tree, node); }) || further;
}

/// Buffers to half their size and to nothing, contents to zero: what a crash may not need.
bool reduce_buffers(Reducer& reducer, std::uint32_t node) {
  bool further = false;
  const std::uint64_t count = std::min<std::uint64_t>(reducer.tree().number(node, "buffer_count").value_or(0), 16);
  for (std::size_t k = 0; k < count; ++k) {
    for (std::uint64_t size = reducer.tree().buffer_size(node, k); size > 0 && !reducer.exhausted();) {
      const std::uint64_t next = reducer.attempt_change([&](Tree& tree) { tree.resize_buffer(node, k, 0); }) ? 0 : size / 2;
      if (next == 0 || !reducer.attempt_change([&](Tree& tree) { tree.resize_buffer(node, k, next); })) break;
      size = next;
      further = true;
    }
    further = reducer.attempt_change([&](Tree& tree) { zero_buffer(tree, node, k); }) || further;
  }
  return further;
}

}  // namespace

bool reduce_nodes(Reducer& reducer) {
  bool further = reducer.attempt_change([](Tree& tree) {
    for (const std::uint32_t node : tree.present())
      if (!tree.nodes()[node].is_head) make_plain(tree, node);
  });
  further = reducer.attempt_change([](Tree& tree) { make_all_bytes(tree); }) || further;
  for (const std::uint32_t node : reducer.tree().present()) {
    if (reducer.exhausted()) return further;
    if (!reducer.tree().nodes()[node].is_head) further = reducer.attempt_change([&](Tree& tree) { make_plain(tree, node); }) || further;
    further = reduce_sections(reducer, node) || further;
    further = reduce_buffers(reducer, node) || further;
  }
  return further;
}

bool reduce_fields(Reducer& reducer) {
  bool further = false;
  for (std::size_t at = 0; at < reducer.tree().fields().size() && !reducer.exhausted(); ++at)
    further = reducer.attempt_change([at](Tree& tree) {
      std::size_t here = 0;
      tree.change([&](Field& field) {
        if (here++ == at) std::fill(field.bytes.begin(), field.bytes.end(), std::uint8_t{0});
      });
    }) || further;
  return further;
}

}  // namespace hurray::harness
