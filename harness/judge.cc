#include "harness/judge.h"

#include <fmt/format.h>

#include "harness/view.h"

namespace hurray::harness {
namespace {

using generators::Case;
using generators::Expectation;
using generators::ValueQuestion;
using generators::Verdict;

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size() && i < 32; ++i) text += fmt::format("{:02x}", bytes[i]);
  return bytes.size() > 32 ? fmt::format("{}... ({} bytes)", text, bytes.size()) : text;
}

std::string value_difference(const ValueQuestion& question, const std::vector<std::uint8_t>& body) {
  const std::optional<std::uint64_t> wrong = question.first_wrong(body);
  if (!wrong) return {};
  if (body.empty()) return fmt::format("the value is {}, the reader gave nothing", hex(question.expected()));
  return fmt::format("element {} is wrong: the value is {}, the reader gave {}", *wrong, hex(question.expected()), hex(body));
}

std::string understood_wrongly(const Case& c, const Observation& seen, const Declaration& declaration) {
  if (c.question.kind != ValueQuestion::Kind::none) return value_difference(c.question, seen.body);
  if (c.view.is_null() || !declaration.shows_views || seen.view.is_null()) return {};
  return view_difference(c.view, seen.view);
}

std::string named(const Observation& seen) {
  std::string text = seen.rule;
  if (!seen.message.empty()) text += (text.empty() ? "" : ": ") + seen.message;
  return text.empty() ? text : fmt::format(" ({})", text);
}

Judged judge_accept(const Case& c, const Observation& seen, const Declaration& declaration) {
  if (seen.kind == Observed::reject) return {Judgement::false_reject, "rejected a valid input" + named(seen)};
  if (seen.kind == Observed::unsupported)
    return {Judgement::false_reject, "answered unsupported to something that it declares" + named(seen)};
  std::string wrong = understood_wrongly(c, seen, declaration);
  if (!wrong.empty()) return {Judgement::wrong_value, std::move(wrong)};
  const bool unseen = c.question.kind == ValueQuestion::Kind::none && !c.view.is_null() && seen.view.is_null();
  return {Judgement::pass, {}, unseen};
}

Judged judge_reject(const Observation& seen) {
  if (seen.kind == Observed::reject) return {Judgement::pass, {}};
  if (seen.kind == Observed::unsupported)
    return {Judgement::false_accept, "answered unsupported to something that it declares; that is no rejection" + named(seen)};
  return {Judgement::false_accept, "accepted an input that breaks the rule"};
}

Judged judge_either(const Case& c, const Observation& seen, const Expectation& expected) {
  const bool only_survives = c.question.kind != ValueQuestion::Kind::none && !c.question.claims;
  if (only_survives) return {Judgement::choice, fmt::format("{}: {}", expected.reading, seen.text())};
  if (seen.kind == Observed::unsupported)
    return {Judgement::false_reject, "answered unsupported to something that it declares" + named(seen)};
  if (seen.kind != Observed::reject && !c.whole_composites.is_null()) {
    std::string wrong = torn_shown_complete(c.whole_composites, seen.view);
    if (!wrong.empty()) return {Judgement::wrong_value, std::move(wrong)};
  }
  if (seen.kind != Observed::reject && !c.view.is_null()) {
    std::string wrong = completeness_difference(c.view, seen.view);
    if (!wrong.empty()) return {Judgement::wrong_value, std::move(wrong)};
  }
  // Whether to accept is the reader's choice; what an accepted composite is worth is not.
  if (seen.kind == Observed::accept && c.question.kind != ValueQuestion::Kind::none) {
    std::string wrong = value_difference(c.question, seen.body);
    if (!wrong.empty()) return {Judgement::wrong_value, std::move(wrong)};
  }
  return {Judgement::choice, fmt::format("{}: {}", expected.reading, seen.text())};
}

}  // namespace

Judged judge(const Case& c, facts::Mode mode, const Observation& seen, const Declaration& declaration) {
  if (is_breakdown(seen.kind)) return {Judgement::robustness, seen.detail};
  if (seen.kind == Observed::unsupported && declaration.may_decline) return {Judgement::not_applicable, "declined"};
  const Expectation& expected = c.expect[static_cast<std::size_t>(mode)];
  Judged judged;
  switch (expected.verdict) {
    case Verdict::accept: judged = judge_accept(c, seen, declaration); break;
    case Verdict::reject: judged = judge_reject(seen); break;
    case Verdict::either: return judge_either(c, seen, expected);
  }
  if (is_failure(judged.judgement) && !expected.reading.empty()) {
    judged.detail = fmt::format("{} (the expectation rests on {})", judged.detail, expected.reading);
    judged.judgement = Judgement::disputed;
  }
  return judged;
}

}  // namespace hurray::harness
