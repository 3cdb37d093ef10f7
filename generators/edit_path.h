// Paths of edits: names and indices, and which of the two worlds they belong to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hurray::generators {

using PathStep = std::variant<std::string, std::size_t>;
using Path = std::vector<PathStep>;

/// "members[0].shape[1]" as members, 0, shape, 1; nothing where brackets or names are malformed.
[[nodiscard]] std::optional<Path> parse_path(std::string_view text);

/// Whether the path names something of the base format (see edit.h).
[[nodiscard]] bool is_model_path(const Path& path);

}  // namespace hurray::generators
