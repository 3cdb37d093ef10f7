// Any bytes as the key-value section and the index of a file whose every other part is right: the fuzzer need not find
// the trailer's offsets and the checksum before it reaches the rules of these two.
#pragma once

#include "fuzz/target.h"

namespace hurray::fuzz {

/// Input: byte 0 the header's flags, bytes 1 and 2 the length of the key-value section, that section, the index. Sections
/// are cut where the input ends. Where the length is 0 the file has no key-value section.
[[nodiscard]] std::vector<std::uint8_t> wrap_sections(Bytes input);

/// An input that wraps to a file that is accepted; what the fuzzer starts from.
[[nodiscard]] std::vector<std::uint8_t> valid_sections();

}  // namespace hurray::fuzz
