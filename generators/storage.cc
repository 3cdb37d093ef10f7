#include "generators/storage.h"

#include <algorithm>

#include "generators/addressing.h"
#include "generators/quantization.h"
#include "generators/sparse.h"

namespace hurray::generators {
namespace {

/// Elements of one packing placed into bytes that start as padding.
class Packed {
 public:
  Packed(const Packing& packing, std::uint64_t slots, std::uint64_t bytes_before, std::uint8_t padding)
      : packing_(packing), before_(bytes_before) {
    const std::uint64_t groups = slots / packing.per_group + (slots % packing.per_group != 0 ? 1 : 0);
    bytes_.assign(before_ + groups * packing.group_bytes, padding);
    if (padding != 0)
      for (std::uint64_t slot = slots; slot < groups * packing.per_group; ++slot) put(static_cast<std::int64_t>(slot), {});
  }

  void put(std::int64_t slot, const Bits& value) {
    if (packing_.per_group == 1) {
      const auto at = static_cast<std::size_t>(static_cast<std::int64_t>(before_) + slot * packing_.group_bytes);
      for (std::size_t k = 0; k < packing_.group_bytes; ++k)
        bytes_[at + k] = static_cast<std::uint8_t>(k < 8 ? value.low >> (8 * k) : k < 16 ? value.high >> (8 * (k - 8)) : 0);
      return;
    }
    const std::int64_t bit = static_cast<std::int64_t>(8 * before_) + slot_bit(slot);
    for (std::uint32_t k = 0; k < packing_.bits; ++k) {
      const auto at = static_cast<std::size_t>(bit + k);
      const std::uint8_t mask = static_cast<std::uint8_t>(1u << (at % 8));
      bytes_[at / 8] = static_cast<std::uint8_t>((value.low >> k & 1) != 0 ? bytes_[at / 8] | mask : bytes_[at / 8] & ~mask);
    }
  }

  Bytes take() { return std::move(bytes_); }

 private:
  std::int64_t slot_bit(std::int64_t slot) const {
    const std::int64_t per_group = packing_.per_group;
    const std::int64_t group = slot >= 0 ? slot / per_group : -((per_group - 1 - slot) / per_group);
    return group * 8 * packing_.group_bytes + (slot - group * per_group) * packing_.bits;
  }

  Packing packing_;
  std::uint64_t before_;
  Bytes bytes_;
};

Storage failed(std::string message) {
  Storage out;
  out.error = std::move(message);
  return out;
}

Storage store_packed_list(const Node& node, const Packing& packing) {
  Storage out;
  Packed packed(packing, node.elements.size(), 0, node.padding);
  for (std::size_t k = 0; k < node.elements.size(); ++k) packed.put(static_cast<std::int64_t>(k), node.elements[k]);
  out.buffers.push_back(packed.take());
  out.byte_offset = node.byte_offset.value_or(0);
  return out;
}

std::string conflict(const Node& node, const std::vector<std::int64_t>& offsets) {
  std::vector<std::pair<std::int64_t, std::size_t>> order;
  for (std::size_t k = 0; k < offsets.size(); ++k) order.emplace_back(offsets[k], k);
  std::sort(order.begin(), order.end());
  for (std::size_t k = 1; k < order.size(); ++k)
    if (order[k].first == order[k - 1].first && node.elements[order[k].second] != node.elements[order[k - 1].second])
      return "values: elements " + std::to_string(order[k - 1].second) + " and " + std::to_string(order[k].second) +
             " share storage and differ";
  return {};
}

Storage store_dense(const Node& node, const Packing& packing) {
  const Addressing addressing = address(node, node.elements.size());
  if (!addressing.error.empty()) return failed(addressing.error);
  // With dimensions of unknown size a list of values may be longer than the placements: it is stored in a row.
  if (addressing.offsets.size() != node.elements.size()) return store_packed_list(node, packing);
  if (std::holds_alternative<Strided>(node.layout) || std::holds_alternative<Tiled>(node.layout))
    if (std::string clash = conflict(node, addressing.offsets); !clash.empty()) return failed(std::move(clash));
  std::int64_t lowest = 0;
  for (const std::int64_t offset : addressing.offsets) lowest = std::min(lowest, offset);
  const auto per_group = static_cast<std::int64_t>(packing.per_group);
  const std::uint64_t least = static_cast<std::uint64_t>((per_group - 1 - lowest) / per_group) * packing.group_bytes;
  Storage out;
  out.byte_offset = node.byte_offset.value_or(least);
  const std::uint64_t slots = addressing.slots + padding_slots(node);
  if (out.byte_offset < least) return failed("byte_offset: the first element is " + std::to_string(least) + " bytes after the lowest");
  if (out.byte_offset > most_bytes || slots > most_bytes) return failed("byte_offset: more storage than this writer gives");
  Packed packed(packing, slots, out.byte_offset, node.padding);
  for (std::size_t k = 0; k < addressing.offsets.size(); ++k) packed.put(addressing.offsets[k], node.elements[k]);
  out.buffers.push_back(packed.take());
  return out;
}

bool is_dense(const Layout& layout) {
  return std::holds_alternative<RowMajor>(layout) || std::holds_alternative<ColumnMajor>(layout) ||
         std::holds_alternative<Strided>(layout) || std::holds_alternative<Tiled>(layout) ||
         std::holds_alternative<Morton>(layout) || std::holds_alternative<Hilbert>(layout);
}

Storage store_layout(const Node& node, const Packing& packing) {
  if (is_dense(node.layout)) return store_dense(node, packing);
  Storage out = store_packed_list(node, std::holds_alternative<PrivateLayout>(node.layout) ? Packing{} : packing);
  out.error = append_structure(node, out.buffers);
  return out;
}

}  // namespace

ElementFormat format_of(const Node& node) { return {node.type, node.extension ? &*node.extension : nullptr}; }

ElementCount count_elements(const Node& node) {
  if (std::holds_alternative<Strided>(node.layout)) {
    const Addressing addressing = address(node, node.elements.size());
    return {addressing.offsets.size(), addressing.error};
  }
  if (is_dense(node.layout)) {
    const std::optional<std::uint64_t> count = volume(resolved(node.shape), most_elements);
    return count ? ElementCount{*count, {}} : ElementCount{0, "shape: more elements than this writer gives"};
  }
  return count_stored(node);
}

Storage store(const Node& node) {
  const Packing packing = packing_of(format_of(node));
  if (packing.bits == 0) return failed("type: a tag without an element width");
  const ElementCount expected = count_elements(node);
  if (!expected.error.empty()) return failed(expected.error);
  const bool open = std::find(node.shape.begin(), node.shape.end(), facts::limit::dynamic) != node.shape.end();
  if (node.elements.size() != expected.count && !open && !std::holds_alternative<PrivateLayout>(node.layout))
    return failed("values: " + std::to_string(expected.count) + " are stored, " + std::to_string(node.elements.size()) + " given");
  if (node.elements.size() * packing.group_bytes > most_bytes) return failed("values: more storage than this writer gives");
  Storage out = store_layout(node, packing);
  if (!out.error.empty()) return out;
  if (node.spare_bytes > most_bytes) return failed("spare_bytes: more storage than this writer gives");
  out.buffers[0].resize(out.buffers[0].size() + node.spare_bytes, node.padding);
  out.error = append_parameters(node, out);
  return out;
}

}  // namespace hurray::generators
