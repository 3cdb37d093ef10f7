#include "generators/build.h"

#include "generators/arrival.h"
#include "generators/carriers.h"
#include "generators/edit.h"
#include "generators/link.h"
#include "generators/model_json.h"
#include "generators/raw_base.h"

namespace hurray::generators {
namespace {

void take_segments(Document& document, Built& out) {
  for (Field& field : document.fields)
    if (!field.bytes.empty()) out.segments.push_back({std::move(field.label), std::move(field.bytes), field.edited});
}

Built build_raw(const nlohmann::json& base, const nlohmann::json& edits, facts::Surface surface) {
  Built out;
  RawDocument raw = read_raw(base);
  const EditPlan plan = plan_edits(edits);
  out.error = raw.error.empty() ? plan.error : raw.error;
  if (out.error.empty() && raw.surface != surface) out.error = "the base stands on another surface only";
  if (out.error.empty() && !plan.model.empty()) out.error = "a base of bytes has no model: edit its fields with `raw`";
  if (out.error.empty()) out.error = edit_document(raw.document, plan, 1);
  if (out.error.empty()) take_segments(raw.document, out);
  return out;
}

}  // namespace

Built build(const nlohmann::json& base, const nlohmann::json& edits, facts::Surface surface, std::string_view node) {
  if (is_raw(base)) return build_raw(base, edits, surface);
  Built out;
  nlohmann::json edited = base;
  EditPlan plan = plan_edits(edits);
  if (plan.error.empty()) plan.error = edit_model(edited, plan);
  if (!plan.error.empty()) {
    out.error = std::move(plan.error);
    return out;
  }
  ModelOrError parsed = model_from_json(edited, plan.model.empty() ? Lengths::exact : Lengths::adapted);
  out.model = std::move(parsed.model);
  out.error = std::move(parsed.error);
  if (!out.error.empty()) return out;
  Written written = write_document(out.model, surface, node, true);
  out.error = std::move(written.error);
  const std::vector<std::size_t> before = bytes_by_node(written.document);
  if (out.error.empty()) out.error = edit_document(written.document, plan, out.model.file.alignment);
  if (!out.error.empty()) return out;
  if (surface != facts::Surface::descriptor) out.whole_composites = whole_composites(out.model, plan, before, written.document);
  take_segments(written.document, out);
  return out;
}

std::vector<std::uint8_t> write(const Model& model, facts::Surface surface) {
  const Written written = write_document(model, surface, {}, false);
  std::vector<std::uint8_t> out;
  if (!written.error.empty()) return out;
  for (const Field& field : written.document.fields) out.insert(out.end(), field.bytes.begin(), field.bytes.end());
  return out;
}

}  // namespace hurray::generators
