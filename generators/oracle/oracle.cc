#include "generators/oracle.h"

#include <algorithm>

#include "generators/oracle/combine.h"
#include "generators/oracle/number.h"
#include "generators/oracle/stored.h"

namespace hurray::generators {
namespace {

bool covers(const Node& member, const Index& index) {
  if (!member.shard || member.shard->offset.size() != index.size() || member.shape.size() != index.size()) return false;
  for (std::size_t k = 0; k < index.size(); ++k)
    if (index[k] < member.shard->offset[k] || index[k] - member.shard->offset[k] >= member.shape[k]) return false;
  return true;
}

Index local(const Node& member, Index index) {
  for (std::size_t k = 0; k < index.size(); ++k) index[k] -= member.shard->offset[k];
  return index;
}

std::optional<StoredElement> element_of(const Node& node, const Index& index);

/// A member's element in its head's type.
std::optional<StoredElement> member_element(const Node& head, const Node& member, const Index& index) {
  std::optional<StoredElement> element = element_of(member, local(member, index));
  const bool quantized = !std::holds_alternative<std::monostate>(member.scheme);
  if (element && quantized && element->stored) element->value = converted_from_float32(head.type, element->value, element->unrounded);
  return element;
}

void admit_more(AdmissibleElement& element, const AdmissibleElement& more, const char* reading) {
  for (const Bits& pattern : more.patterns)
    if (std::find(element.patterns.begin(), element.patterns.end(), pattern) == element.patterns.end()) element.patterns.push_back(pattern);
  element.any_nan = element.any_nan || more.any_nan;
  element.any = element.any || more.any;
  if (!element.exact() && element.reading.empty()) element.reading = more.reading.empty() ? reading : more.reading;
}

std::optional<StoredElement> partition_element(const Node& head, const Index& index) {
  for (const Node& member : head.members)
    if (covers(member, index)) {
      std::optional<StoredElement> element = member_element(head, member, index);
      if (element) element->stored = true;
      return element;
    }
  return std::nullopt;
}

/// Later wins; an index that a sparse correction does not store is open between zero and what lies below (AMB-09).
std::optional<StoredElement> replaced_element(const Node& head, const Index& index) {
  std::optional<AdmissibleElement> value;
  for (const Node& member : head.members) {
    if (!covers(member, index)) continue;
    const std::optional<StoredElement> element = member_element(head, member, index);
    if (!element) return std::nullopt;
    if (element->stored || !value)
      value = element->value;
    else
      admit_more(*value, element->value, "AMB-09");
  }
  return value ? std::optional(StoredElement{true, *value}) : std::nullopt;
}

/// Base plus every covering correction; an unstored coordinate may add a zero or nothing at all.
std::optional<StoredElement> added_element(const Node& head, const Index& index) {
  std::vector<AdmissibleElement> stored_terms, all_terms;
  for (const Node& member : head.members) {
    if (!covers(member, index)) continue;
    const std::optional<StoredElement> element = member_element(head, member, index);
    if (!element) return std::nullopt;
    all_terms.push_back(element->value);
    if (element->stored || stored_terms.empty()) stored_terms.push_back(element->value);
  }
  if (stored_terms.empty()) return std::nullopt;
  AdmissibleElement value = admissible_sum(head.type, stored_terms);
  if (all_terms.size() != stored_terms.size()) admit_more(value, admissible_sum(head.type, all_terms), "AMB-12");
  return StoredElement{true, std::move(value)};
}

std::optional<StoredElement> element_of(const Node& node, const Index& index) {
  if (index.size() != node.shape.size()) return std::nullopt;
  for (std::size_t k = 0; k < index.size(); ++k)
    if (index[k] >= node.shape[k]) return std::nullopt;
  if (!node.head) return stored_element(node, index);
  if (facts::element_type(node.type) == nullptr) return std::nullopt;
  if (node.head->rule == facts::composition_rule::partition) return partition_element(node, index);
  if (node.head->rule != facts::composition_rule::overlay) return std::nullopt;
  return node.head->combine == facts::combine_op::add ? added_element(node, index) : replaced_element(node, index);
}

/// Also says no where the view is empty, so that no element could tell.
bool has_values(const Node& node) {
  if (facts::element_type(node.type) == nullptr) return false;
  if (!node.head) return !std::holds_alternative<PrivateLayout>(node.layout);
  return node.head->rule != facts::composition_rule::group && std::all_of(node.members.begin(), node.members.end(), has_values);
}

}  // namespace

bool AdmissibleElement::admits(std::uint8_t type, const Bits& pattern) const {
  return any || (any_nan && is_nan(type, pattern)) || std::find(patterns.begin(), patterns.end(), pattern) != patterns.end();
}

std::uint8_t view_type(const Node& node) {
  const bool quantized = !node.head && !std::holds_alternative<std::monostate>(node.scheme);
  return quantized ? facts::tag::float32 : node.type;
}

std::optional<AdmissibleElement> oracle_element(const Node& node, const Index& index) {
  const std::optional<StoredElement> element = element_of(node, index);
  return element ? std::optional(element->value) : std::nullopt;
}

std::optional<std::vector<AdmissibleElement>> oracle_view(const Node& node, std::uint64_t limit) {
  if (!has_values(node)) return std::nullopt;
  const bool empty = std::find(node.shape.begin(), node.shape.end(), 0u) != node.shape.end();
  std::uint64_t count = empty ? 0 : 1;
  for (const std::uint64_t size : node.shape) {
    if (count > 0 && size > limit / count) return std::nullopt;
    count *= size;
  }
  std::vector<AdmissibleElement> view;
  Index index(node.shape.size(), 0);
  for (std::uint64_t done = 0; done < count; ++done) {
    std::optional<AdmissibleElement> element = oracle_element(node, index);
    if (!element) return std::nullopt;
    view.push_back(std::move(*element));
    for (std::size_t k = index.size(); k-- > 0;) {
      if (++index[k] < node.shape[k]) break;
      index[k] = 0;
    }
  }
  return view;
}

std::vector<std::uint8_t> pack(std::uint8_t type, const std::vector<Bits>& elements) {
  const facts::ElementType& facts = *facts::element_type(type);
  const std::size_t groups = (elements.size() + facts.packing - 1) / facts.packing;
  std::vector<std::uint8_t> bytes(groups * facts.group_bytes, 0);
  for (std::size_t at = 0; at < elements.size(); ++at)
    for (std::size_t bit = 0; bit < facts.bits; ++bit) {
      const std::uint64_t word = bit < 64 ? elements[at].low >> bit : elements[at].high >> (bit - 64);
      const std::size_t position = (at / facts.packing) * facts.group_bytes * 8 + (at % facts.packing) * facts.bits + bit;
      if ((word & 1u) != 0) bytes[position / 8] = static_cast<std::uint8_t>(bytes[position / 8] | (1u << (position % 8)));
    }
  return bytes;
}

std::vector<Bits> unpack(std::uint8_t type, const std::vector<std::uint8_t>& bytes, std::uint64_t count) {
  const facts::ElementType& facts = *facts::element_type(type);
  std::vector<Bits> elements;
  for (std::uint64_t at = 0; at < count; ++at) {
    Bits element;
    for (std::size_t bit = 0; bit < facts.bits; ++bit) {
      const std::uint64_t position = (at / facts.packing) * facts.group_bytes * 8 + (at % facts.packing) * facts.bits + bit;
      if (position / 8 >= bytes.size()) return elements;
      const std::uint64_t value = (bytes[static_cast<std::size_t>(position / 8)] >> (position % 8)) & 1u;
      (bit < 64 ? element.low : element.high) |= value << (bit % 64);
    }
    elements.push_back(element);
  }
  return elements;
}

}  // namespace hurray::generators
