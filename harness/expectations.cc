#include "harness/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace hurray::harness {
namespace {

using nlohmann::json;

std::string read_entry(const json& entry, KnownFailure& known) {
  if (!entry.is_object()) return "is not an object";
  for (const auto& [key, value] : entry.items()) {
    if (!value.is_string()) return fmt::format("\"{}\" is not a text", key);
    if (key == "case") known.case_id = value;
    else if (key == "rule") known.rule = value;
    else if (key == "surface") known.surface = value;
    else if (key == "mode") known.mode = value;
    else if (key == "why") known.why = value;
    else return fmt::format("has an unknown key \"{}\" (known: case, rule, surface, mode, why)", key);
  }
  if (known.case_id.empty() == known.rule.empty()) return "needs either \"case\" or \"rule\"";
  if (known.why.empty()) return "needs a \"why\"";
  return {};
}

/// What one entry met in this run.
struct Met {
  bool any = false, all_ran = true, any_failed = false;
};

}  // namespace

bool KnownFailure::covers(const generators::Case& c, facts::Mode in_mode) const {
  if (case_id.empty() ? c.rule != rule : c.id != case_id) return false;
  if (!surface.empty() && surface != facts::surface_names[static_cast<std::size_t>(c.surface)]) return false;
  return mode.empty() || mode == facts::mode_names[static_cast<std::size_t>(in_mode)];
}

std::string KnownFailure::text() const {
  std::string place = surface.empty() ? "" : " on " + surface;
  if (!mode.empty()) place += " in mode " + mode;
  return (case_id.empty() ? "rule " + rule : "case " + case_id) + place;
}

Expectations read_expectations(const std::filesystem::path& file) {
  Expectations read;
  std::ifstream in(file);
  if (!in) {
    read.error = fmt::format("{}: cannot be read", file.string());
    return read;
  }
  json data;
  try {
    data = json::parse(in);
  } catch (const json::parse_error& error) {
    read.error = fmt::format("{}: {}", file.string(), error.what());
    return read;
  }
  if (!data.is_array()) read.error = fmt::format("{}: is not a JSON array of entries", file.string());
  for (std::size_t i = 0; read.error.empty() && i < data.size(); ++i) {
    KnownFailure known;
    const std::string wrong = read_entry(data[i], known);
    if (!wrong.empty()) read.error = fmt::format("{}: entry {} {}", file.string(), i + 1, wrong);
    read.entries.push_back(std::move(known));
  }
  return read;
}

std::vector<std::string> apply_expectations(const Expectations& expectations, const generators::Matrix& matrix,
                                            std::vector<Result>& results) {
  std::vector<std::string> stale;
  std::vector<bool> ran(matrix.cases.size() * facts::mode_names.size());
  for (const Result& result : results)
    if (result.ran) ran[result.task.case_index * facts::mode_names.size() + static_cast<std::size_t>(result.task.mode)] = true;
  for (const KnownFailure& known : expectations.entries) {
    Met met;
    for (std::size_t i = 0; i < matrix.cases.size(); ++i)
      for (std::size_t mode = 0; mode < facts::mode_names.size(); ++mode)
        if (known.covers(matrix.cases[i], static_cast<facts::Mode>(mode))) {
          met.any = true;
          met.all_ran = met.all_ran && ran[i * facts::mode_names.size() + mode];
        }
    const auto covered = [&](const Result& result) {
      return result.ran && known.covers(matrix.cases[result.task.case_index], result.task.mode);
    };
    for (Result& result : results)
      if (covered(result) && result.failed()) {
        met.any_failed = true;
        result.judgement = Judgement::expected_failure;
        result.detail += fmt::format(" [expected: {}]", known.why);
      }
    if (!met.any) stale.push_back(fmt::format("{} matches nothing in the matrix; remove the entry", known.text()));
    if (!met.any || met.any_failed || !met.all_ran) continue;
    stale.push_back(fmt::format("{} passes now; remove the entry", known.text()));
    for (Result& result : results)
      if (covered(result) && result.judgement == Judgement::pass) result.judgement = Judgement::unexpected_pass;
  }
  return stale;
}

}  // namespace hurray::harness
