// The data files of conformance/ with the places of their entries, for messages that a data author can act on.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "generators/matrix.h"

namespace hurray::generators {

/// A parsed file. `shown` is its path as messages spell it (relative to the root).
struct DataFile {
  std::string shown, text;
  nlohmann::json entries;  // of read_data: always an array of objects

  /// "file:line" of the first `"key": "value"` at or after byte `from` (the file's start where it is not found).
  std::string place(std::string_view key, std::string_view value, std::size_t from = 0) const;
  /// Byte position of that pair; npos where there is none.
  std::size_t find(std::string_view key, std::string_view value, std::size_t from = 0) const;
};

/// Reads one file of any JSON; where it is none the error says at which line, and `entries` is an empty array.
[[nodiscard]] DataFile read_json(const std::filesystem::path& root, const std::filesystem::path& relative,
                                 std::vector<MatrixError>& errors);

/// Reads one file; where it is no JSON array of objects the error says at which line, and `entries` is empty.
[[nodiscard]] DataFile read_data(const std::filesystem::path& root, const std::filesystem::path& relative,
                                 std::vector<MatrixError>& errors);

/// The *.json files of a folder below `root`, sorted by name; a missing folder is empty.
[[nodiscard]] std::vector<std::filesystem::path> data_files(const std::filesystem::path& root, std::string_view folder);

/// The entry's string under `key`, or an empty one.
[[nodiscard]] std::string text_of(const nlohmann::json& entry, std::string_view key);

}  // namespace hurray::generators
