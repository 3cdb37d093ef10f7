#include "generators/matrix/expand.h"

namespace hurray::generators {
namespace {

using nlohmann::json;

/// The reading that covers a permissive reader's latitude where the rule's entry names none.
std::string relief_reading(const json& rule) {
  const json relief = rule.value("permissive", json::object());
  if (relief.contains("reading")) return text_of(relief, "reading");
  const std::string kind = text_of(rule, "class");
  if (kind == "reject-implied") return "AMB-31";
  if (kind == "reject-should") return "AMB-39";
  return "PERM-01";
}

Expectation permissive_default(const Expectation& strict, const json& rule) {
  if (strict.verdict != Verdict::reject) return strict;
  const std::string relief = text_of(rule.value("permissive", json::object()), "expect");
  const std::string tolerates = text_of(rule.value("permissive", json::object()), "tolerates");
  if (!tolerates.empty()) return {Verdict::either, tolerates};
  if (relief == "accept") return {Verdict::accept, ""};
  if (relief == "either" || relief == "partial") return {Verdict::either, relief_reading(rule)};
  return {Verdict::reject, ""};
}

std::string parse(const json& verdict, const std::set<std::string>& readings, Expectation& out) {
  if (verdict == "accept" || verdict == "reject") {
    out = {verdict == "accept" ? Verdict::accept : Verdict::reject, ""};
    return "";
  }
  const std::string reading = verdict.is_object() ? text_of(verdict, "either") : "";
  if (reading.empty()) return R"(expects neither "accept" nor "reject" nor {"either": "AMB-…"})";
  if (readings.count(reading) == 0) return "names the reading " + reading + ", which conformance/readings.json does not have";
  out = {Verdict::either, reading};
  return "";
}

}  // namespace

ExpectedVerdicts expectations(const json& verdicts, const json& rule, bool fault, const std::set<std::string>& readings) {
  ExpectedVerdicts out;
  Expectation &strict = out.by_mode[0], &permissive = out.by_mode[1];
  if (verdicts.is_object() && verdicts.contains("strict")) {
    out.error = parse(verdicts.at("strict"), readings, strict);
  } else if (verdicts.is_object() && verdicts.contains("value")) {
    strict = {Verdict::accept, ""};
  } else if (fault && text_of(rule, "class").substr(0, 6) == "reject") {
    strict = {Verdict::reject, text_of(rule, "disputed_by")};
    if (!strict.reading.empty() && readings.count(strict.reading) == 0)
      out.error = "disputed_by names the reading " + strict.reading + ", which conformance/readings.json does not have";
  } else {
    out.error = "a fault of class " + text_of(rule, "class") + " and every case must say `expect.strict`";
  }
  permissive = permissive_default(strict, rule);
  if (out.error.empty() && verdicts.is_object() && verdicts.contains("permissive"))
    out.error = parse(verdicts.at("permissive"), readings, permissive);
  if (out.error.empty() && permissive.verdict == Verdict::either && readings.count(permissive.reading) == 0)
    out.error = "the permissive relief names the reading " + permissive.reading + ", which does not exist";
  return out;
}

}  // namespace hurray::generators
