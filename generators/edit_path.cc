#include "generators/edit_path.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace hurray::generators {
namespace {

constexpr std::array<std::string_view, 22> node_keys{
    "type", "shape", "layout", "scheme", "values", "offset", "parent", "shard", "role", "statistics", "extension",
    "byte_offset", "spare_bytes", "padding", "device", "sync", "memory", "alignment", "version_minor", "trailing", "name",
    "members"};
constexpr std::array<std::string_view, 14> head_keys{
    "type", "shape", "rule", "combine", "offset", "parent", "shard", "role", "statistics", "extension", "name",
    "version_minor", "trailing", "members"};
constexpr std::array<std::string_view, 7> file_keys{"alignment", "sorted", "checksum", "kv", "index_order", "count_hint",
                                                    "version_minor"};
constexpr std::array<std::string_view, 4> whole_only{"shard", "statistics", "extension", "trailing"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

const std::string* name_at(const Path& path, std::size_t k) {
  return k < path.size() ? std::get_if<std::string>(&path[k]) : nullptr;
}

bool index_at(const Path& path, std::size_t k) { return k < path.size() && std::holds_alternative<std::size_t>(path[k]); }

/// Length of the node path that `path` starts with.
std::size_t node_length(const Path& path, bool& head) {
  std::size_t k = 0;
  head = false;
  while (const std::string* name = name_at(path, k)) {
    if ((*name == "items" || *name == "members") && index_at(path, k + 1)) {
      k += 2;
    } else if (*name == "tensor" || *name == "head") {
      const std::string* next = name_at(path, k + 1);
      if (next != nullptr && *next == "members" && index_at(path, k + 2)) {
        ++k;
        continue;
      }
      head = *name == "head";
      return k + 1;
    } else {
      break;
    }
  }
  return k;
}

}  // namespace

std::optional<Path> parse_path(std::string_view text) {
  Path path;
  if (text.empty()) return std::nullopt;
  std::size_t k = 0;
  while (k < text.size()) {
    if (text[k] == '[') {
      const std::size_t close = text.find(']', k);
      if (close == std::string_view::npos) return std::nullopt;
      std::size_t index = 0;
      const auto [end, code] = std::from_chars(text.data() + k + 1, text.data() + close, index);
      if (code != std::errc{} || end != text.data() + close) return std::nullopt;
      path.emplace_back(index);
      k = close + 1;
      continue;
    }
    if (text[k] == '.' && !path.empty()) ++k;
    const std::size_t end = std::min(text.find_first_of(".[", k), text.size());
    if (end == k) return std::nullopt;
    path.emplace_back(std::string(text.substr(k, end - k)));
    k = end;
  }
  return path;
}

bool is_model_path(const Path& path) {
  const std::string* root = name_at(path, 0);
  if (root == nullptr) return false;
  if (*root == "framed" || *root == "items") {
    if (*root == "framed" || path.size() <= 2) return true;
  }
  if (*root == "file") {
    const std::string* key = name_at(path, 1);
    return key == nullptr || contains(file_keys, *key);
  }
  bool head = false;
  const std::size_t length = node_length(path, head);
  if (length == path.size()) return true;
  const std::string* key = name_at(path, length);
  if (key == nullptr) return false;
  if (length == 0 && *key == "members") return true;
  if (length == 0 || !(head ? contains(head_keys, *key) : contains(node_keys, *key) || contains(head_keys, *key))) return false;
  const bool whole = length + 1 == path.size();
  // A file's padding before a buffer is `padding[i]`, the model's is a byte.
  return whole || !(contains(whole_only, *key) || *key == "padding");
}

}  // namespace hurray::generators
