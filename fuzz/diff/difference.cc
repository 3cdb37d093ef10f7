#include "fuzz/diff/difference.h"

#include <algorithm>

#include "fuzz/diff/lenient.h"
#include "fuzz/diff/openings.h"
#include "generators/corpus/reading_view.h"
#include "harness/view.h"

namespace hurray::fuzz {
namespace {

using facts::Mode;
using facts::Rule;
using reference::Descriptor;
using reference::Reading;
using reference::Waivers;

std::string id_of(Rule rule) { return std::string(facts::facts_of(rule).id); }

template <typename Row>
bool undeclared(const Row* known, const std::set<std::string, std::less<>>& declared) {
  return known != nullptr && declared.count(known->name) == 0;
}

/// Unknown and private tags are there to be judged; what a table knows is asked only of a reader that declares it.
bool within_declaration(const Reading& reading, const harness::Declaration& declares) {
  return std::none_of(reading.tensors.begin(), reading.tensors.end(), [&](const reference::Tensor& tensor) {
    const Descriptor& d = tensor.descriptor;
    if (undeclared(facts::element_type(d.type_tag), declares.types) || undeclared(facts::layout(d.layout_tag), declares.layouts)) return true;
    if (undeclared(facts::scheme(d.quantization.scheme_tag), declares.schemes)) return true;
    for (std::size_t k = 0; k < d.buffer_count; ++k)
      if (undeclared(facts::device(d.buffer(k).device_tag), declares.devices)) return true;
    return false;
  });
}

Difference difference(DifferenceKind kind, const DiffInput& input, std::string detail) {
  Difference found;
  found.kind = kind;
  found.surface = input.surface;
  found.mode = input.mode;
  found.detail = std::move(detail);
  return found;
}

std::string said(const DiffAnswer& answer) {
  return answer.message.empty() ? std::string{} : " (it says: " + answer.message.substr(0, 200) + ")";
}

/// What permissive mode may let pass although its entry says reject (conformance/rules/, `tolerates`).
constexpr std::string_view tolerated[] = {
#define TOLERATED(id) id,
#include "tolerated.inc"
#undef TOLERATED
};

bool is_tolerated(Rule rule) { return std::find(std::begin(tolerated), std::end(tolerated), facts::facts_of(rule).id) != std::end(tolerated); }

bool may_accept(const Reading& reading, const DiffInput& input) {
  if (!open_rejection(*reading.violation, input.bytes, input.surface).empty()) return true;
  return input.mode == Mode::permissive && is_tolerated(reading.violation->rule);
}

std::optional<Difference> compare_rejected(const DiffReader& reader, const DiffInput& input, const Reading& reading, const DiffAnswer& answer) {
  if (answer.verdict == HURRAY_REJECT) return std::nullopt;
  const LenientReading lenient = read_leniently(input.bytes, input.surface, Waivers::of(input.mode));
  if (!within_declaration(lenient.reading, reader.declares()) || may_accept(reading, input)) return std::nullopt;
  Difference found = difference(DifferenceKind::false_accept, input, "");
  found.rule = id_of(reading.violation->rule);
  for (const Rule rule : lenient.waived)
    if (rule != reading.violation->rule) found.more.push_back(id_of(rule));
  found.detail = std::string(answer.accepted() ? "the reader accepts" : "the reader answers unsupported") + ", the reference stops at byte " +
                 std::to_string(reading.violation->at) + ": " + std::string(reading.violation->message.text());
  return found;
}

/// Whether the verdict on an input that the reference accepts is open: by a reading, or since only permissive mode does.
bool may_reject(const DiffInput& input, const Reading& reading) {
  if (input.mode == Mode::permissive) {
    const Reading strict = reference::read(input.bytes, input.surface, Waivers::none());
    if (!strict.accepted() || reading.partial) return true;
  }
  return !openings(reading, input.bytes, input.surface).empty();
}

std::optional<Difference> compare_view(const DiffInput& input, const Reading& reading, const DiffAnswer& answer) {
  if (answer.view.is_null()) return std::nullopt;  // a reader need not show what it understood
  const nlohmann::json expected = generators::view_of(reading, input.surface);
  std::string wrong = harness::view_difference(expected, answer.view);
  if (wrong.empty()) return std::nullopt;
  // Where the verdict is open the rest of the view is too, but for what is complete.
  if (may_reject(input, reading)) wrong = harness::completeness_difference(expected, answer.view);
  if (wrong.empty()) return std::nullopt;
  Difference found = difference(DifferenceKind::wrong_view, input, wrong);
  found.rule = rule_of_view(wrong.substr(0, wrong.find(':')));
  return found;
}

std::optional<Difference> compare_accepted(const DiffReader& reader, const DiffInput& input, const Reading& reading, const DiffAnswer& answer) {
  if (!within_declaration(reading, reader.declares())) return std::nullopt;
  if (answer.accepted()) {
    if (auto found = compare_view(input, reading, answer)) return found;
    auto found = compare_values(reader, input, reading);
    return found && may_reject(input, reading) ? std::nullopt : found;
  }
  if (may_reject(input, reading)) return std::nullopt;
  const char* what = answer.verdict == HURRAY_REJECT ? "the reader rejects a valid input" : "the reader answers unsupported to what it declares";
  Difference found = difference(DifferenceKind::false_reject, input, what + said(answer));
  found.rule = answer.rule;
  return found;
}

}  // namespace

std::string Difference::line() const {
  std::string text = std::string(name_of(kind)) + " rule=" + (rule.empty() ? "none-named" : rule);
  for (std::size_t at = 0; at < more.size(); ++at) text += (at == 0 ? " also=" : ",") + more[at];
  return text + " surface=" + std::string(facts::surface_names[static_cast<std::size_t>(surface)]) +
         " mode=" + std::string(facts::mode_names[static_cast<std::size_t>(mode)]) + ": " + detail;
}

std::optional<Difference> compare(const DiffReader& reader, const DiffInput& input) {
  if (!reader.declares().reads(input.surface, input.mode)) return std::nullopt;
  const Reading reading = reference::read(input.bytes, input.surface, Waivers::of(input.mode));
  count_verdict(reading);
  const DiffAnswer answer = reader.ask({input.surface, input.mode, HURRAY_WANT_VIEW, 0, {}}, input.bytes);
  if (!answer.broken.empty()) return difference(DifferenceKind::broken_answer, input, answer.broken);
  return reading.accepted() ? compare_accepted(reader, input, reading, answer) : compare_rejected(reader, input, reading, answer);
}

}  // namespace hurray::fuzz
