// What the bytes of a fuzz target are: an input on a surface, or one behind a prefix that the target reads itself.
#pragma once

#include "fuzz/mutator/mutator.h"

namespace hurray::fuzz::mutator {

enum class InputKind : std::uint8_t {
  descriptor, bare, framed, file,
  after_carrier,  // fz_roundtrip: one byte, bare, framed or file by its remainder of 3
  after_cuts,     // fz_chunked: one byte, bare where even, else framed; four bytes that say where to cut
  sections,       // fz_kv_index: sections.h
};

/// The kind that a name of the enumeration stands for; nothing where it is none.
[[nodiscard]] std::optional<InputKind> input_kind(std::string_view name);

/// mutate(), with the prefix kept, now and then drawn anew.
std::size_t mutate_kind(Bytes input, Bytes other, InputKind kind, std::uint64_t seed, std::span<std::uint8_t> out, Report* report = nullptr);

}  // namespace hurray::fuzz::mutator
