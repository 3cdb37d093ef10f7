#include "harness/reference_reader.h"

#include <algorithm>

#include "generators/corpus/reading_view.h"
#include "harness/report.h"
#include "harness/serve.h"
#include "reference/read.h"

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
            {"schemes", names_of(facts::schemes)}, {"devices", names_of(facts::devices)}};
  }

  Answer read(const json& request, std::span<const std::uint8_t> input) override {
    const std::size_t surface = position_of(facts::surface_names, request, "surface");
    const std::size_t mode = position_of(facts::mode_names, request, "mode");
    if (surface == facts::surface_names.size() || mode == facts::mode_names.size())
      return {{{"verdict", "unsupported"}, {"message", "no such surface or mode in protocol 1"}}, {}};
    const auto on = static_cast<facts::Surface>(surface);
    const reference::Reading reading = reference::read(input, on, waivers_[mode]);
    if (!reading.violation) return {{{"verdict", "accept"}, {"view", generators::view_of(reading, on)}}, {}};
    const reference::Violation& broken = *reading.violation;
    return {{{"verdict", "reject"},
             {"rule", facts::facts_of(broken.rule).id},
             {"at", broken.at},
             {"message", broken.message.text()}}, {}};
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
