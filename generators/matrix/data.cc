#include "generators/matrix/data.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace hurray::generators {
namespace {

std::size_t line_at(std::string_view text, std::size_t position) {
  position = std::min(position, text.size());
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) ++at;
  return at;
}

}  // namespace

std::size_t DataFile::find(std::string_view key, std::string_view value, std::size_t from) const {
  const std::string quoted_key = nlohmann::json(key).dump(), quoted_value = nlohmann::json(value).dump();
  for (std::size_t at = text.find(quoted_key, from); at != std::string::npos; at = text.find(quoted_key, at + 1)) {
    std::size_t next = skip_blanks(text, at + quoted_key.size());
    if (next >= text.size() || text[next] != ':') continue;
    next = skip_blanks(text, next + 1);
    if (text.compare(next, quoted_value.size(), quoted_value) == 0) return at;
  }
  return std::string::npos;
}

std::string DataFile::place(std::string_view key, std::string_view value, std::size_t from) const {
  const std::size_t at = find(key, value, from);
  return shown + ":" + std::to_string(at == std::string::npos ? 1 : line_at(text, at));
}

DataFile read_json(const std::filesystem::path& root, const std::filesystem::path& relative,
                   std::vector<MatrixError>& errors) {
  DataFile file{relative.generic_string(), "", nlohmann::json::array()};
  std::ifstream in(root / relative, std::ios::binary);
  if (!in) {
    errors.push_back({file.shown + ": cannot be read; is the root right?"});
    return file;
  }
  std::ostringstream all;
  all << in.rdbuf();
  file.text = std::move(all).str();
  try {
    file.entries = nlohmann::json::parse(file.text);
  } catch (const nlohmann::json::parse_error& error) {
    errors.push_back({file.shown + ":" + std::to_string(line_at(file.text, error.byte)) + ": no valid JSON: " + error.what()});
  }
  return file;
}

DataFile read_data(const std::filesystem::path& root, const std::filesystem::path& relative,
                   std::vector<MatrixError>& errors) {
  DataFile file = read_json(root, relative, errors);
  const bool fits = file.entries.is_array() &&
                    std::all_of(file.entries.begin(), file.entries.end(), [](const auto& entry) { return entry.is_object(); });
  if (!fits) {
    errors.push_back({file.shown + ":1: the file must hold one array of objects"});
    file.entries = nlohmann::json::array();
  }
  return file;
}

std::vector<std::filesystem::path> data_files(const std::filesystem::path& root, std::string_view folder) {
  std::vector<std::filesystem::path> found;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(root / folder, missing))
    if (entry.path().extension() == ".json") found.push_back(std::filesystem::path(folder) / entry.path().filename());
  std::sort(found.begin(), found.end());
  return found;
}

std::string text_of(const nlohmann::json& entry, std::string_view key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace hurray::generators
