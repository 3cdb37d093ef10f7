#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "harness/commands.h"
#include "harness/promote.h"
#include "harness/report.h"

namespace hurray::harness {
namespace {

std::string file_name(const std::string& id) {
  std::string name;
  for (const char c : id) name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '@' ? c : '_';
  return name;
}

bool write(const std::filesystem::path& path, const char* data, std::size_t size) {
  std::ofstream out(path, std::ios::binary);
  out.write(data, static_cast<std::streamsize>(size));
  out.close();
  return static_cast<bool>(out);
}

void export_corpus(Globals& globals, const std::string& folder) {
  const auto matrix = load(globals, generators::Breadth::standard);
  if (!matrix) return;
  const std::filesystem::path root(folder);
  std::error_code error;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const generators::Case& c : matrix->cases) {
    const std::string relative = fmt::format("{}/{}.bin", surface_name(c.surface), file_name(c.id));
    std::filesystem::create_directories((root / relative).parent_path(), error);
    const std::vector<std::uint8_t> bytes = c.bytes();
    if (!write(root / relative, reinterpret_cast<const char*>(bytes.data()), bytes.size()))
      return fail(globals, 4, fmt::format("{}: cannot be written", (root / relative).string()));
    list.push_back({{"file", relative},
                    {"id", c.id},
                    {"rule", c.rule},
                    {"surface", surface_name(c.surface)},
                    {"twin", c.base},
                    {"expect", {{"strict", expectation_text(c.expect[0])}, {"permissive", expectation_text(c.expect[1])}}}});
  }
  const std::string index = list.dump(1) + "\n";
  if (!write(root / "index.json", index.data(), index.size()))
    return fail(globals, 4, fmt::format("{}/index.json: cannot be written", folder));
  fmt::print("{} inputs and index.json in {}\n", matrix->cases.size(), folder);
}

struct PromoteOptions {
  std::string file, surface, rule, name, why;
};

/// Entries of a data file, one a line, so that a diff shows what was added.
std::string listed(const nlohmann::json& entries) {
  std::string text = "[";
  for (std::size_t at = 0; at < entries.size(); ++at) text += (at == 0 ? "\n  " : ",\n  ") + entries[at].dump();
  return text + "\n]\n";
}

/// Adds the entry to the file's array; the file is made if need be. False where it cannot be read or written.
bool add_entry(const std::filesystem::path& path, const nlohmann::json& entry) {
  nlohmann::json entries = nlohmann::json::array();
  if (std::filesystem::exists(path)) {
    std::ifstream in(path);
    entries = nlohmann::json::parse(in, nullptr, false);
  }
  if (!entries.is_array()) return false;
  entries.push_back(entry);
  const std::string text = listed(entries);
  return write(path, text.data(), text.size());
}

std::size_t next_number(const generators::Matrix& matrix) {
  std::size_t number = 1;
  for (const generators::Case& one : matrix.cases)
    if (one.is_base() && one.id.compare(0, 9, "promoted-") == 0) number = std::max<std::size_t>(number, std::stoul(one.id.substr(9)) + 1);
  return number;
}

void promote_finding(Globals& globals, const PromoteOptions& o) {
  Finding finding;
  std::ifstream in(o.file, std::ios::binary);
  finding.bytes.assign(std::istreambuf_iterator<char>(in), {});
  if (!in) return fail(globals, 4, o.file + ": cannot be read");
  const auto surface = std::find(facts::surface_names.begin(), facts::surface_names.end(), o.surface);
  finding.surface = static_cast<facts::Surface>(surface - facts::surface_names.begin());
  finding.rule = o.rule;
  finding.name = o.name;
  finding.why = o.why;
  const auto matrix = load(globals, generators::Breadth::standard);
  if (!matrix) return;
  if (const std::string known = known_case(finding, *matrix); !known.empty()) {
    fmt::print("nothing to do: these bytes are the case {}\n", known);
    return;
  }
  const Promotion promotion = promote(finding, *matrix, next_number(*matrix));
  if (!promotion.error.empty()) return fail(globals, 4, fmt::format("{}: {}", o.file, promotion.error));
  const std::filesystem::path folder = data_folder(globals);
  if (!add_entry(folder / "bases" / "promoted.json", promotion.base) || !add_entry(folder / "cases" / "promoted.json", promotion.entry))
    return fail(globals, 4, fmt::format("{}: promoted.json cannot be read as an array, or not be written", folder.string()));
  fmt::print("{} in conformance/cases/promoted.json, its twin in conformance/bases/promoted.json\n{}\nwrite its vector with make_corpus --update\n",
             promotion.entry["id"].get<std::string>(), promotion.twin);
}

void add_promote_command(CLI::App& corpus, Globals& globals) {
  CLI::App* command = corpus.add_subcommand("promote", "Makes a finding a case of the matrix, with the nearest valid twin");
  auto options = std::make_shared<PromoteOptions>();
  command->add_option("FILE", options->file, "the input, best made small before (hurray-conform minimize)")->required();
  command->add_option("--surface", options->surface, "descriptor, bare, framed or file")->required()
      ->check(CLI::IsMember(std::vector<std::string>(facts::surface_names.begin(), facts::surface_names.end())));
  command->add_option("--rule", options->rule, "the rule that it breaks")->required()->type_name("ID");
  command->add_option("--name", options->name, "of the case: RULE/NAME; numbered without")->type_name("NAME");
  command->add_option("--why", options->why, "where it was found, for the entry's notes")->type_name("TEXT");
  command->callback([&globals, options] { promote_finding(globals, *options); });
}

}  // namespace

void add_corpus_command(CLI::App& app, Globals& globals) {
  CLI::App* corpus = app.add_subcommand("corpus", "The inputs of the matrix as files");
  corpus->require_subcommand(1);
  CLI::App* command = corpus->add_subcommand("export", "Writes every input as a file, with an index of what is expected");
  auto folder = std::make_shared<std::string>();
  command->add_option("DIR", *folder, "where to write; made if need be")->required();
  command->callback([&globals, folder] { export_corpus(globals, *folder); });
  add_promote_command(*corpus, globals);
}

}  // namespace hurray::harness
