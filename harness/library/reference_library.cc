// The bundled reference reader behind the C door. HURRAY_WAIVE in the environment, rule ids with commas between them,
// makes it a reader with known faults: what differential fuzzing is proven on.
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generators/corpus/reading_view.h"
#include "harness/include/hurray_reader.h"
#include "reference/merge.h"

namespace {

using namespace hurray;
using nlohmann::json;

template <typename Rows>
std::string names_of(const Rows& rows) {
  json names = json::array();
  for (const auto& row : rows) names.push_back(row.name);
  return names.dump();
}

void describe(const hurray_sink* sink) {
  const auto field = [sink](const char* key, const std::string& text) { sink->field(sink->context, key, text.c_str()); };
  field("name", "\"hurray-reference\"");
  field("version", "\"0.1.0\"");
  field("language", "\"C++\"");
  field("surfaces", json(facts::surface_names).dump());
  field("modes", json(facts::mode_names).dump());
  field("types", names_of(facts::element_types));
  field("layouts", names_of(facts::layouts));
  field("schemes", names_of(facts::schemes));
  field("devices", names_of(facts::devices));
  field("merge", R"({"rules":["partition","overlay"],"combine":["replace","add"],"lookup":true})");
}

template <typename Names>
int position_of(const Names& names, const char* wanted) {
  for (std::size_t at = 0; at < names.size(); ++at)
    if (names[at] == wanted) return static_cast<int>(at);
  return -1;
}

/// The mode's waivers and those that the environment adds.
reference::Waivers waivers_for(facts::Mode mode) {
  reference::Waivers waivers = reference::Waivers::of(mode);
  const char* more = std::getenv("HURRAY_WAIVE");
  const std::string ids = more == nullptr ? "" : std::string(",") + more + ",";
  for (std::size_t rule = 0; rule < facts::rule_count && !ids.empty(); ++rule)
    if (ids.find("," + std::string(facts::rules[rule].id) + ",") != std::string::npos) waivers.waive(static_cast<facts::Rule>(rule));
  return waivers;
}

int reject(const reference::Violation& broken, const hurray_sink* sink) {
  sink->field(sink->context, "rule", json(facts::facts_of(broken.rule).id).dump().c_str());
  sink->field(sink->context, "at", json(broken.at).dump().c_str());
  sink->field(sink->context, "message", json(broken.message.text()).dump(-1, ' ', false, json::error_handler_t::replace).c_str());
  return HURRAY_REJECT;
}

std::uint32_t position_of_item(const reference::Reading& reading, std::uint64_t item) {
  std::size_t position = 0;
  for (; item > 0 && position < reading.tensors.size(); --item) position += std::max<std::uint32_t>(reading.tensors[position].skip, 1);
  return static_cast<std::uint32_t>(position);
}

int answer_values(const hurray_request& request, const reference::Reading& reading, const hurray_sink* sink) {
  constexpr std::uint64_t most = 64u << 20;
  const std::uint32_t position = position_of_item(reading, request.item);
  std::vector<std::uint8_t> bytes(16);
  std::size_t size = bytes.size();
  reference::ValueStatus status = reference::ValueStatus::no_values;
  if (request.want == HURRAY_WANT_LOOKUP) {
    status = reference::lookup(reading, position, {request.index, request.rank}, bytes, size);
  } else if (const auto whole = reference::merged_size(reading, position); whole && *whole <= most) {
    bytes.resize(size = static_cast<std::size_t>(*whole));
    status = reference::merge(reading, position, bytes);
  }
  if (status != reference::ValueStatus::ok) return HURRAY_UNSUPPORTED;
  sink->body(sink->context, bytes.data(), size);
  return HURRAY_ACCEPT;
}

int read_input(const hurray_request* request, const hurray_sink* sink) {
  const int surface = position_of(facts::surface_names, request->surface);
  const int mode = position_of(facts::mode_names, request->mode);
  if (surface < 0 || mode < 0) return HURRAY_UNSUPPORTED;
  const auto on = static_cast<facts::Surface>(surface);
  const reference::Reading reading =
      reference::read({request->input, request->input_size}, on, waivers_for(static_cast<facts::Mode>(mode)));
  if (reading.violation) return reject(*reading.violation, sink);
  if (request->want == HURRAY_WANT_MERGE || request->want == HURRAY_WANT_LOOKUP) return answer_values(*request, reading, sink);
  if (request->want == HURRAY_WANT_VIEW) sink->field(sink->context, "view", generators::view_of(reading, on).dump().c_str());
  return HURRAY_ACCEPT;
}

}  // namespace

extern "C" const hurray_reader_v1* hurray_reader(void) {
  static const hurray_reader_v1 table{sizeof table, describe, read_input};
  return &table;
}
