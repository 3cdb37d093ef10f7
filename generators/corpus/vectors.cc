#include "generators/corpus/vectors.h"

#include <algorithm>

namespace hurray::generators {
namespace {

using nlohmann::json;

constexpr std::size_t shortest_run = 8, line_width = 118;

std::string hex(std::uint8_t byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return {digits[byte >> 4], digits[byte & 15u]};
}

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string out;
  for (const std::uint8_t byte : bytes) out += hex(byte);
  return out;
}

json verdict(const Expectation& expectation) {
  switch (expectation.verdict) {
    case Verdict::accept: return "accept";
    case Verdict::reject: return "reject";
    case Verdict::either: return {{"either", expectation.reading}};
  }
  return nullptr;
}

json index_text(const Index& index) {
  json out = json::array();
  for (const std::uint64_t at : index) out.push_back(at >> 53 != 0 ? json(std::to_string(at)) : json(at));
  return out;
}

/// An exact answer is bytes; an open one is listed element by element, each with all that is admissible.
json question_text(const ValueQuestion& question) {
  const bool lookup = question.kind == ValueQuestion::Kind::lookup;
  json out{{"ask", lookup ? "lookup" : "merge"}, {"item", question.item}};
  if (lookup) out["index"] = index_text(question.index);
  if (!question.claims) return out;
  out["answer"] = hex(question.expected());
  json open = json::object();
  for (std::size_t at = 0; at < question.elements.size(); ++at) {
    const AdmissibleElement& element = question.elements[at];
    if (element.exact()) continue;
    json admissible = json::array();
    for (const Bits& pattern : element.patterns) admissible.push_back(hex(pack(question.type, {pattern})));
    if (element.any_nan) admissible.push_back("nan");
    if (element.any) admissible.push_back("any");
    open[std::to_string(at)] = {{"admissible", std::move(admissible)}, {"reading", element.reading}};
  }
  if (!open.empty()) out["open"] = std::move(open);
  return out;
}

std::string join(const std::vector<std::string>& items) {
  std::string out, line;
  for (const std::string& item : items) {
    if (!line.empty() && line.size() + item.size() + 2 > line_width) {
      out += "   " + line + ",\n";
      line.clear();
    }
    line += (line.empty() ? "" : ", ") + item;
  }
  return out + "   " + line;
}

}  // namespace

std::string vector_file(const Case& one) {
  if (one.is_base()) return "bases.json";
  std::string family = one.rule.substr(0, one.rule.find('-'));
  std::transform(family.begin(), family.end(), family.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return family + ".json";
}

std::string folded_hex(const std::vector<std::uint8_t>& bytes) {
  std::string out;
  bool after_run = false;
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t end = at;
    while (end < bytes.size() && bytes[end] == bytes[at]) ++end;
    const bool run = end - at >= shortest_run;
    if (!out.empty() && (run || after_run)) out += ' ';
    if (run) {
      out += hex(bytes[at]) + "*" + std::to_string(end - at);
      at = end;
    } else {
      out += hex(bytes[at++]);
    }
    after_run = run;
  }
  return out;
}

std::string vector_text(const Case& one, const Isolation& isolation) {
  std::string out = "  {\"id\": " + json(one.id).dump();
  if (!one.is_base()) out += ", \"rule\": " + json(one.rule).dump();
  out += ", \"surface\": " + json(facts::surface_names[static_cast<std::size_t>(one.surface)]).dump();
  out += ",\n   \"expect\": {\"strict\": " + verdict(one.expect[0]).dump() + ", \"permissive\": " + verdict(one.expect[1]).dump() + "}";
  if (!one.is_base()) out += ", \"twin\": " + json(one.base).dump();
  if (isolation.isolates) out += std::string(", \"isolates\": ") + (*isolation.isolates ? "true" : "false");
  if (!isolation.also.empty()) out += ", \"also\": " + json(isolation.also).dump();
  if (!one.view.is_null()) out += ",\n   \"view\": " + one.view.dump();
  if (!one.whole_composites.is_null()) out += ",\n   \"whole_composites\": " + one.whole_composites.dump();
  if (one.question.kind != ValueQuestion::Kind::none) out += ",\n   \"question\": " + question_text(one.question).dump();
  std::vector<std::string> segments;
  for (const Segment& segment : one.segments)
    segments.push_back("[" + json(segment.label + (segment.edited ? "*" : "")).dump() + ", \"" + folded_hex(segment.bytes) + "\"]");
  return out + ",\n   \"bytes\": [\n" + join(segments) + "]}";
}

}  // namespace hurray::generators
