// The edits of faults and cases: on the model's JSON before derivation, or on written fields after it.
//
//   {"set": PATH, "to": V}            V: number, decimal or 0x string, list of bytes, hex for byte fields, text for names;
//                                     or {"of": PATH, "plus": N}, another written field's value plus N
//   {"add": PATH, "by": N}            wraps in the field's width
//   {"xor": PATH, "with": N}
//   {"insert": PATH, "value": V}      into a list of the model, before that element (or one past the end)
//   {"insert": PATH, "bytes": HEX}    before a written field, counting where that field counts; with "times": N that often
//   {"remove": PATH}  {"duplicate": PATH}  {"swap": [PATH, PATH]}
//   {"raw": PATH, "bytes": HEX}       a written field's bytes, whatever their number
//   {"append_bytes": HEX}             at the end of the input; with "to": PATH at the end of that descriptor or section
//   {"cut_at": PATH, "plus": N}       the input ends N bytes after that field's start (N may be negative or left out)
//   {"cut_after": PATH}
//   {"keep": [PATH, …]}               derived fields that do not follow the written edits
//
// A path acts on the model where its first name after the node path is a key of the base format (shape, offset, layout,
// scheme, values, file.alignment …), and on written fields otherwise; the sections shard, statistics and extension are
// model keys only as a whole, `raw` and {"of": …} always mean written fields. A written path may end in .u8[k], .u16[k],
// .u32[k], .u64[k], .i32[k], .i64[k], .f32[k], .f64[k], and may name a group (`index[0]`, `members[1].quantization`).
// In a framed stream `data[i]` is the share of a frame that holds buffer i, where one frame holds all of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "generators/document.h"

namespace hurray::generators {

struct EditPlan {
  std::vector<nlohmann::json> model, written;  // in the order given
  std::string error;
};

/// Sorts edits by what they act on and checks their keys.
[[nodiscard]] EditPlan plan_edits(const nlohmann::json& edits);

/// Applies the model's edits to a base. Defaults that an edit reaches into are spelled out first, and the roles of an
/// overlay's members are settled before members move. Returns an error or nothing.
[[nodiscard]] std::string edit_model(nlohmann::json& base, const EditPlan& plan);

/// Applies the written edits and recomputes the derived fields that were neither edited nor kept, then cuts.
[[nodiscard]] std::string edit_document(Document& document, const EditPlan& plan, std::uint64_t alignment);

}  // namespace hurray::generators
