#include "harness/minimize/outcome.h"

#include <fmt/format.h>

#include "generators/corpus/reading_view.h"
#include "harness/view.h"
#include "reference/merge.h"

namespace hurray::harness {
namespace {

/// The last key of the path in front of a view difference: view[0].members[1].offset: … is offset.
std::string key_of(const std::string& difference) {
  const std::string path = difference.substr(0, difference.find(':'));
  const std::string key = path.substr(path.rfind('.') == std::string::npos ? 0 : path.rfind('.') + 1);
  return key.substr(0, key.find('['));
}

}  // namespace

std::string Outcome::text() const {
  std::string text(name_of(kind));
  if (kind == Observed::crash || kind == Observed::exit) text += fmt::format("({})", number);
  if (!rule.empty()) text += fmt::format(" naming {}", rule);
  if (is_breakdown(kind)) return text;
  if (!differs.empty()) return text + (differs == "values" ? ", with other values than the reference" : fmt::format(", with another {} in the view than the reference", differs));
  return text + (reference.empty() ? ", where the reference accepts" : fmt::format(", where the reference rejects with {}", reference));
}

std::string OutcomeFinder::open() {
  std::string error;
  return door_->open(declaration_, error) ? std::string{} : error;
}

Outcome OutcomeFinder::find(std::span<const std::uint8_t> input, std::string& error) {
  const Observation seen = door_->ask({++asked_, surface_, mode_, nullptr, input});
  if (seen.unstartable || seen.interrupted) {
    error = seen.unstartable ? seen.detail : "interrupted";
    return {};
  }
  Outcome outcome;
  outcome.kind = seen.kind;
  outcome.number = seen.number;
  if (is_breakdown(seen.kind)) return outcome;
  outcome.rule = seen.rule;
  const reference::Reading reading = reference::read(input, surface_, reference::Waivers::of(mode_));
  if (reading.violation) {
    outcome.reference = facts::facts_of(reading.violation->rule).id;
    return outcome;
  }
  if (seen.kind == Observed::reject || seen.kind == Observed::unsupported) return outcome;
  const nlohmann::json expected = generators::view_of(reading, surface_);
  if (declaration_.shows_views && !seen.view.is_null()) outcome.differs = key_of(view_difference(expected, seen.view));
  if (outcome.differs.empty()) outcome.differs = differing_values(input);
  return outcome;
}

std::string OutcomeFinder::differing_values(std::span<const std::uint8_t> input) {
  constexpr std::uint64_t most = 1u << 20;
  if (!declaration_.merge || surface_ == facts::Surface::descriptor) return {};
  const reference::Reading reading = reference::read(input, surface_, reference::Waivers::of(mode_));
  generators::ValueQuestion question;
  question.kind = generators::ValueQuestion::Kind::merge;
  for (std::uint32_t at = 0; at < reading.tensors.size(); at += reading.tensors[at].skip, ++question.item) {
    const std::optional<std::uint64_t> size = reference::merged_size(reading, at);
    if (!size || *size > most || !reading.tensors[at].complete) continue;
    std::vector<std::uint8_t> merged(static_cast<std::size_t>(*size));
    if (reference::merge(reading, at, merged) != reference::ValueStatus::ok) continue;
    const Observation seen = door_->ask({++asked_, surface_, mode_, &question, input});
    if (seen.kind != Observed::accept || seen.body != merged) return "values";
  }
  return {};
}

}  // namespace hurray::harness
