#include "harness/reference_reader.h"

#include <algorithm>

#include "generators/corpus/reading_view.h"
#include "harness/report.h"
#include "harness/serve.h"
#include "reference/merge.h"

namespace hurray::harness {
namespace {

using nlohmann::json;

template <typename Rows>
json names_of(const Rows& rows) {
  json names = json::array();
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

template <std::size_t N>
std::size_t position_of(const std::array<std::string_view, N>& names, const json& request, const char* key) {
  const auto found = request.find(key);
  if (found == request.end() || !found->is_string()) return N;
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), found->get_ref<const std::string&>()) - names.begin());
}

bool wants(const json& request, const char* what) {
  const auto wanted = request.find("want");
  return wanted != request.end() && wanted->is_array() && std::find(wanted->begin(), wanted->end(), what) != wanted->end();
}

Answer accepted(const reference::Reading& reading, facts::Surface surface) {
  Answer answer{R"({"verdict":"accept","view":)", {}};
  generators::append_view(answer.header, reading, surface);
  answer.header += '}';
  return answer;
}

Answer unsupported(const char* why) { return {json{{"verdict", "unsupported"}, {"message", why}}.dump(), {}}; }

/// The position of the item that the request is about among the tensors; past the end where there is none.
std::uint32_t item_position(const json& request, const reference::Reading& reading) {
  const auto item = request.find("item");
  std::uint64_t left = item == request.end() ? 0 : number_of(*item).value_or(~std::uint64_t{0});
  std::size_t position = 0;
  while (left > 0 && position < reading.tensors.size()) {
    position += reading.tensors[position].skip;
    --left;
  }
  return static_cast<std::uint32_t>(position);
}

Answer merged(const json& request, const reference::Reading& reading) {
  constexpr std::uint64_t most = FrameCaps{}.body;
  const std::uint32_t position = item_position(request, reading);
  const std::optional<std::uint64_t> size = reference::merged_size(reading, position);
  if (!size) return unsupported("the item has no values");
  if (*size > most) return unsupported("the merged view is larger than an answer may be");
  Answer answer{R"({"verdict":"accept"})", std::vector<std::uint8_t>(*size)};
  if (reference::merge(reading, position, answer.body) != reference::ValueStatus::ok) return unsupported("the item has no values");
  return answer;
}

Answer looked_up(const json& request, const reference::Reading& reading) {
  std::vector<std::uint64_t> index;
  if (const auto given = request.find("index"); given != request.end() && given->is_array())
    for (const json& coordinate : *given) index.push_back(number_of(coordinate).value_or(~std::uint64_t{0}));
  Answer answer{R"({"verdict":"accept"})", std::vector<std::uint8_t>(16)};
  std::size_t size = 0;
  const auto status = reference::lookup(reading, item_position(request, reading), index, answer.body, size);
  if (status != reference::ValueStatus::ok) return unsupported("there is no value at that index");
  answer.body.resize(size);
  return answer;
}

class ReferenceReader final : public Served {
 public:
  explicit ReferenceReader(const reference::Waivers& waived) {
    for (std::size_t mode = 0; mode < waivers_.size(); ++mode) {
      waivers_[mode] = reference::Waivers::of(static_cast<facts::Mode>(mode));
      for (std::size_t rule = 0; rule < facts::rule_count; ++rule)
        if (waived.has(static_cast<facts::Rule>(rule))) waivers_[mode].waive(static_cast<facts::Rule>(rule));
    }
  }

  json ready() override {
    return {{"op", "ready"}, {"protocol", 1}, {"name", "hurray-reference"}, {"version", suite_version},
            {"language", "C++"}, {"surfaces", facts::surface_names}, {"modes", facts::mode_names},
            {"types", names_of(facts::element_types)}, {"layouts", names_of(facts::layouts)},
            {"schemes", names_of(facts::schemes)}, {"devices", names_of(facts::devices)},
            {"merge", {{"rules", {"partition", "overlay"}}, {"combine", {"replace", "add"}}, {"lookup", true}}}};
  }

  Answer read(const json& request, std::span<const std::uint8_t> input) override {
    const std::size_t surface = position_of(facts::surface_names, request, "surface");
    const std::size_t mode = position_of(facts::mode_names, request, "mode");
    if (surface == facts::surface_names.size() || mode == facts::mode_names.size())
      return unsupported("no such surface or mode in protocol 1");
    const auto on = static_cast<facts::Surface>(surface);
    const reference::Reading reading = reference::read(input, on, waivers_[mode]);
    if (!reading.violation && wants(request, "merge")) return merged(request, reading);
    if (!reading.violation && wants(request, "lookup")) return looked_up(request, reading);
    if (!reading.violation) return accepted(reading, on);
    const reference::Violation& broken = *reading.violation;
    return {json{{"verdict", "reject"},
                 {"rule", facts::facts_of(broken.rule).id},
                 {"at", broken.at},
                 {"message", broken.message.text()}}.dump(-1, ' ', false, json::error_handler_t::replace), {}};
  }

 private:
  std::array<reference::Waivers, 2> waivers_;
};

}  // namespace

int serve_reference(const reference::Waivers& waived) {
  ReferenceReader reader(waived);
  return serve(reader);
}

}  // namespace hurray::harness
