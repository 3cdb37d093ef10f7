#include "reference/member_checks.h"

#include <algorithm>

namespace hurray::reference {
namespace {

constexpr std::uint64_t flags_at = 10, type_tag_at = 14, layout_tag_at = 15, rank_at = 16;
constexpr std::uint64_t whole = 8;  // bytes of a dimension

bool is_spatial(const Descriptor& head) {
  const std::uint8_t rule = head.layout.composition_rule;
  return rule == facts::composition_rule::partition || rule == facts::composition_rule::overlay;
}
bool is_overlay(const Descriptor& head) { return head.layout.composition_rule == facts::composition_rule::overlay; }
bool is_group(const Descriptor& head) { return head.layout.composition_rule == facts::composition_rule::group; }

/// The first dimension in which two shapes of one rank differ, or the rank.
std::size_t first_difference(const U64Array& a, const U64Array& b, std::size_t rank) {
  std::size_t k = 0;
  while (k < rank && a[k] == b[k]) ++k;
  return k;
}

std::size_t first_dynamic(const Descriptor& descriptor) {
  std::size_t k = 0;
  while (k < descriptor.rank && descriptor.shape[k] != facts::limit::dynamic) ++k;
  return k;
}

/// Every scheme yields real numbers, so only a real type can be what a quantized member decodes to. Which of the real
/// types a scheme yields is left open by the format, except that it names float32 and, in its example, float16.
bool is_real(std::uint8_t type_tag) {
  const facts::ElementType* const type = facts::element_type(type_tag);
  if (type == nullptr) return true;  // private: nothing is known against it
  switch (type->kind) {
    case facts::Kind::binary_float:
    case facts::Kind::small_float:
    case facts::Kind::exponent:
      return true;
    case facts::Kind::signed_integer:
    case facts::Kind::unsigned_integer:
    case facts::Kind::boolean:
    case facts::Kind::complex:
      return false;
  }
  return false;
}

bool is_known(std::uint8_t type_tag) { return facts::element_type(type_tag) != nullptr || facts::is_private(type_tag); }

void check_shard(Checks& check, const Descriptor& member, const Descriptor& head) {
  const std::uint64_t start = member.at.start;
  const bool has_shard = member.has(facts::flag::shard);
  const bool bans_shard =
      member.layout_tag == facts::layout_tag::csf || member.layout_tag == facts::layout_tag::block_paged;
  check.that(!bans_shard, Rule::CMP_MEMBER_12, start + layout_tag_at,
             "a partition or overlay member needs the shard section that is banned with layout_tag",
             hex(member.layout_tag));
  if (member.is_head())
    check.that(has_shard, Rule::CMP_HEAD_05, start + flags_at, "nested head without a shard section, flags",
               hex(member.flags));
  else if (is_overlay(head))
    check.that(has_shard, Rule::CMP_MEMBER_02, start + flags_at, "overlay member without a shard section, flags",
               hex(member.flags));
  else
    check.that(has_shard, Rule::CMP_MEMBER_01, start + flags_at, "partition member without a shard section, flags",
               hex(member.flags));
  check.that(member.rank == head.rank, Rule::CMP_MEMBER_04, start + rank_at, "member of rank", member.rank,
             "in a head of rank", head.rank);
  if (check.failed() || !has_shard || member.rank != head.rank) return;
  const std::size_t k = first_difference(member.parent_shape, head.shape, head.rank);
  check.that(k == head.rank, Rule::CMP_MEMBER_03, member.at.shard + whole * k, "parent_shape entry",
             member.parent_shape[k], "where the head's shape has", head.shape[k]);
}

void check_type(Checks& check, const Descriptor& member, const Descriptor& head) {
  const std::uint64_t at = member.at.start + type_tag_at;
  if (member.is_head()) {
    // A nested group presents no values; its type is advisory.
    check.that(is_group(member) || member.type_tag == head.type_tag, Rule::CMP_TYPE_04, at, "nested head of type_tag",
               hex(member.type_tag), "in a head of type_tag", hex(head.type_tag));
  } else if (member.has(facts::flag::quantization)) {
    check.that(is_real(head.type_tag), Rule::CMP_TYPE_03, member.at.quantization,
               "a quantized member decodes to a real type, not to the head's type_tag", hex(head.type_tag));
  } else if (is_known(member.type_tag)) {
    check.that(member.type_tag == head.type_tag, Rule::CMP_TYPE_02, at, "member of type_tag", hex(member.type_tag),
               "in a head of type_tag", hex(head.type_tag));
  }
}

void check_role(Checks& check, const Descriptor& member, const Descriptor& head, std::uint32_t ordinal) {
  const std::uint64_t at = member.at.composite_member;
  const bool has_role = member.has(facts::flag::composite_member);
  // A nested head may carry the section or leave it out: as a head it must not have it, as an overlay member it must.
  check.that(has_role || member.is_head(), Rule::CMP_SECT_03, member.at.start + flags_at,
             "overlay member without a composite member section, flags", hex(member.flags));
  if (ordinal > 0) {
    check.that(!has_role || member.member_role != facts::member_role::base, Rule::CMP_ROLE_05, at,
               "a second base, as overlay member", ordinal);
    return;
  }
  check.that(!has_role || member.member_role != facts::member_role::correction, Rule::CMP_ROLE_02, at,
             "the first overlay member is no base: member_role", hex(member.member_role));
  const bool stands_as_base = !has_role || member.member_role == facts::member_role::base;
  if (check.failed() || !stands_as_base || !has_box(member, head)) return;
  std::size_t k = 0;
  while (k < head.rank && member.shard_offset[k] == 0) ++k;
  check.that(k == head.rank, Rule::CMP_ROLE_03, member.at.shard + whole * (head.rank + k),
             "base with shard_offset entry",
             member.shard_offset[k]);
  k = first_difference(member.shape, head.shape, head.rank);
  check.that(k == head.rank, Rule::CMP_ROLE_04, member.at.shape + whole * k, "base with dimension", member.shape[k],
             "where the head has", head.shape[k]);
}

}  // namespace

void check_head(Checks& check, const Descriptor& head, const Descriptor* enclosing, std::size_t depth) {
  // Nine heads in a chain are rejected, the outermost one counting as the first level.
  check.that(depth < facts::limit::composite_depth, Rule::CMP_DEPTH_01, head.at.start + layout_tag_at,
             "composite nested below heads:", depth);
  const bool as_overlay_member = enclosing != nullptr && is_overlay(*enclosing);
  check.that(!head.has(facts::flag::composite_member) || as_overlay_member, Rule::CMP_HEAD_03, head.at.start + flags_at,
             "head with a composite member section, flags", hex(head.flags));
  const std::size_t k = is_spatial(head) && head.layout.member_count > 0 ? first_dynamic(head) : head.rank;
  check.that(k == head.rank, Rule::CMP_HEAD_10, head.at.shape + whole * k,
             "members cannot have a box in a head whose shape is dynamic in dimension", k);
}

void check_member(Checks& check, const Descriptor& member, const Descriptor& head, std::uint32_t ordinal) {
  if (member.buffers_unknown) return;  // its sections were not read
  const std::uint64_t flags = member.at.start + flags_at;
  const bool has_role = member.has(facts::flag::composite_member);
  if (is_spatial(head)) {
    check_shard(check, member, head);
    check_type(check, member, head);
  }
  if (is_overlay(head))
    check_role(check, member, head, ordinal);
  else if (is_group(head))
    check.that(!has_role, Rule::CMP_SECT_02, flags, "group member with a composite member section, flags",
               hex(member.flags));
  else if (is_spatial(head))
    check.that(!has_role, Rule::CMP_SECT_01, flags, "partition member with a composite member section, flags",
               hex(member.flags));
}

bool has_box(const Descriptor& member, const Descriptor& head) {
  return member.has(facts::flag::shard) && !member.buffers_unknown && member.rank == head.rank &&
         first_dynamic(member) == member.rank && first_dynamic(head) == head.rank;
}

}  // namespace hurray::reference
