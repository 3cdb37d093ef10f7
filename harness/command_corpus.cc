#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "harness/commands.h"
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

}  // namespace

void add_corpus_command(CLI::App& app, Globals& globals) {
  CLI::App* corpus = app.add_subcommand("corpus", "The inputs of the matrix as files");
  corpus->require_subcommand(1);
  CLI::App* command = corpus->add_subcommand("export", "Writes every input as a file, with an index of what is expected");
  auto folder = std::make_shared<std::string>();
  command->add_option("DIR", *folder, "where to write; made if need be")->required();
  command->callback([&globals, folder] { export_corpus(globals, *folder); });
}

}  // namespace hurray::harness
