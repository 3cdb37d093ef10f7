// The fields of a composite head (layouts/composite.md, Head Layout-Specific Fields).
#include "reference/descriptor_reader.h"

namespace hurray::reference {

void read_composite_head(DescriptorReader& reader) {
  namespace rules = facts::composition_rule;
  namespace ops = facts::combine_op;
  Checks& check = reader.check;
  LayoutFields& fields = reader.descriptor.layout;
  const std::uint64_t at = reader.in.position();
  const std::uint8_t rule = fields.composition_rule = reader.in.u8();
  const std::uint8_t op = fields.combine_op = reader.in.u8();
  const bool zero = all_zero(reader.in.array<std::uint8_t>(2));
  const std::uint32_t count = fields.member_count = reader.in.u32();
  if (reader.in.overran()) return;

  check.that(rule != 0x00, Rule::CMP_RULE_01, at, "composition_rule", hex(rule));
  check.that(rule != 0xFF, Rule::CMP_RULE_02, at, "composition_rule", hex(rule));
  check.that(rule < 0x04 || rule > 0xEF, Rule::CMP_RULE_03, at, "reserved composition_rule", hex(rule));
  check.that(!facts::is_private(rule), Rule::CMP_RULE_04, at, "unknown composition_rule", hex(rule));
  check.that(rule != rules::partition || op == ops::none, Rule::CMP_OP_01, at + 1, "partition with combine_op", hex(op));
  check.that(rule != rules::group || op == ops::none, Rule::CMP_OP_02, at + 1, "group with combine_op", hex(op));
  check.that(rule != rules::overlay || op == ops::replace || op == ops::add, Rule::CMP_OP_03, at + 1,
             "overlay with combine_op", hex(op));
  check.that(zero, Rule::CMP_RSV_01, at + 2, "head reserved bytes are not zero");
  check.that(count != facts::limit::open_member_count, Rule::CMP_COUNT_01, at + 4, "member_count", hex(count));
  check.that(rule != rules::overlay || count > 0, Rule::CMP_COUNT_03, at + 4, "overlay with member_count", count);
}

}  // namespace hurray::reference
