#include "harness/commands.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

namespace hurray::harness {

void fail(Globals& globals, int exit_code, const std::string& message) {
  fmt::print(stderr, "hurray-conform: {}\n", message);
  globals.exit_code = exit_code;
}

std::filesystem::path data_folder(const Globals& globals) {
  std::filesystem::path folder = std::filesystem::path(globals.data).lexically_normal();
  if (folder.filename().empty()) folder = folder.parent_path();
  return folder.filename() == "conformance" ? folder : folder / "conformance";
}

std::optional<generators::Matrix> load(Globals& globals, generators::Breadth breadth) {
  const std::filesystem::path folder = data_folder(globals), root = folder.parent_path().empty() ? "." : folder.parent_path();
  if (!std::filesystem::is_directory(root / "conformance" / "rules")) {
    fail(globals, 4, fmt::format("{}: there is no conformance/rules in it; give the suite's folder with --data DIR or in "
                                 "HURRAY_CONFORMANCE_DATA", root.string()));
    return std::nullopt;
  }
  generators::LoadedMatrix loaded = generators::load_matrix(root, breadth);
  if (loaded.errors.empty()) return std::move(loaded.matrix);
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < loaded.errors.size() && i < most; ++i) fmt::print(stderr, "{}\n", loaded.errors[i].message);
  fail(globals, 4, fmt::format("the matrix in {} has {} fault{}, see above", root.string(), loaded.errors.size(),
                               loaded.errors.size() == 1 ? "" : "s"));
  return std::nullopt;
}

}  // namespace hurray::harness
