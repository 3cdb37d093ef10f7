// Cases as text: corpus/vectors/<family>.json, for people who never run this suite.
#pragma once

#include <map>
#include <string>

#include "generators/corpus/isolate.h"
#include "generators/matrix.h"

namespace hurray::generators {

/// The vectors' file of a case: the family of its rule in lower case, or bases.json.
[[nodiscard]] std::string vector_file(const Case& one);

/// One vector as JSON text, wrapped so that a diff shows which fields changed.
[[nodiscard]] std::string vector_text(const Case& one, const Isolation& isolation);

/// Hex of the bytes; a run of eight or more equal bytes stands as xx*n between blanks.
[[nodiscard]] std::string folded_hex(const std::vector<std::uint8_t>& bytes);

}  // namespace hurray::generators
