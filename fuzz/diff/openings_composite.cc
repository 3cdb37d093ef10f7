// What composites leave open.
#include <algorithm>

#include "fuzz/diff/openings.h"
#include "reference/storage_size.h"

namespace hurray::fuzz {
namespace {

using reference::Descriptor;
using reference::Reading;
using reference::Tensor;
namespace composition = facts::composition_rule;

bool is_head_of(const Descriptor& d, std::uint8_t rule) { return d.is_head() && d.layout.composition_rule == rule; }
bool is_spatial(const Descriptor& d) { return is_head_of(d, composition::partition) || is_head_of(d, composition::overlay); }

/// By the formula of the text, which an empty box may satisfy without sharing an index.
bool overlap_by_formula(const Descriptor& a, const Descriptor& b) {
  for (std::size_t k = 0; k < a.rank; ++k)
    if (a.shard_offset[k] >= b.shard_offset[k] + b.shape[k] || b.shard_offset[k] >= a.shard_offset[k] + a.shape[k]) return false;
  return true;
}

std::vector<std::size_t> members_of(const Reading& reading, std::size_t head) {
  std::vector<std::size_t> members;
  for (std::size_t at = head + 1; at < head + reading.tensors[head].skip; at += reading.tensors[at].skip) members.push_back(at);
  return members;
}

bool empty_boxes_cross(const Reading& reading, const std::vector<std::size_t>& members) {
  for (const std::size_t empty : members) {
    if (!reference::is_empty(reading.tensors[empty].descriptor)) continue;
    for (const std::size_t other : members)
      if (other != empty && overlap_by_formula(reading.tensors[empty].descriptor, reading.tensors[other].descriptor)) return true;
  }
  return false;
}

bool devices_differ(const Reading& reading, std::size_t head) {
  int device = -1;
  for (std::size_t at = head + 1; at < head + reading.tensors[head].skip; ++at) {
    const Descriptor& d = reading.tensors[at].descriptor;
    for (std::size_t k = 0; k < d.buffer_count; ++k) {
      if (device >= 0 && d.buffer(k).device_tag != device) return true;
      device = d.buffer(k).device_tag;
    }
  }
  return false;
}

bool is_real(std::uint8_t tag) {
  const facts::ElementType* type = facts::element_type(tag);
  return type != nullptr && type->kind <= facts::Kind::exponent;
}

/// The example's int4 per block under float16, and float32, are the two heads that the text speaks of.
bool decoded_type_is_open(const Descriptor& head, const Descriptor& member) {
  if (member.quantization.scheme_tag == 0 || !is_real(head.type_tag) || head.type_tag == facts::tag::float32) return false;
  return head.type_tag != facts::tag::float16 || member.type_tag != facts::tag::int4 ||
         member.quantization.scheme_tag != facts::scheme_tag::per_block_affine;
}

void member_openings(const Descriptor& head, const Descriptor& member, std::vector<std::string_view>& found) {
  if (!is_spatial(head)) return;
  if (is_head_of(member, composition::group)) found.push_back("AMB-02");
  if (member.is_head() && is_head_of(head, composition::overlay)) found.push_back("AMB-07");
  if (!member.is_head() && decoded_type_is_open(head, member)) found.push_back("AMB-01");
}

}  // namespace

void composite_openings(const Reading& reading, std::vector<std::string_view>& found) {
  for (std::size_t at = 0; at < reading.tensors.size(); ++at) {
    const Tensor& tensor = reading.tensors[at];
    const Descriptor& head = tensor.descriptor;
    if (!head.is_head()) continue;
    const bool loose = tensor.enclosing == Tensor::none || !is_spatial(reading.tensors[tensor.enclosing].descriptor);
    if (head.rank == 0) found.push_back("AMB-15");
    if (is_head_of(head, composition::group) && reference::has_dynamic_dimension(head)) found.push_back("AMB-34");
    if (head.at.shard != 0 && loose) found.push_back("AMB-35");
    if (is_head_of(head, composition::partition) && head.layout.member_count == 0 && !reference::is_empty(head)) found.push_back("AMB-04");
    const std::vector<std::size_t> members = members_of(reading, at);
    for (const std::size_t member : members) member_openings(head, reading.tensors[member].descriptor, found);
    if (is_head_of(head, composition::partition) && empty_boxes_cross(reading, members)) found.push_back("AMB-08");
    if (is_spatial(head) && devices_differ(reading, at)) found.push_back("AMB-10");
  }
}

std::vector<std::string_view> openings(const Reading& reading, Bytes input, facts::Surface surface) {
  std::vector<std::string_view> found;
  tensor_openings(reading, input, found);
  composite_openings(reading, found);
  if (surface == facts::Surface::framed) framed_openings(input, found);
  if (surface == facts::Surface::file) file_openings(reading, input, found);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace hurray::fuzz
