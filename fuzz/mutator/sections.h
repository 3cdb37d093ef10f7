// The sections of a file by themselves, as fz_kv_index takes them: a byte of flags, the length of the key-value section,
// that section, the index. What they point at is in no input, so entries come from the entries that there are.
#pragma once

#include "fuzz/mutator/mutator.h"

namespace hurray::fuzz::mutator {

/// mutate() for them; `report` tells which fix was left out, edits are its Edit::carrier.
std::size_t mutate_sections(Bytes input, Bytes other, std::uint64_t seed, std::span<std::uint8_t> out, Report* report = nullptr);

}  // namespace hurray::fuzz::mutator
