// One element's bit pattern: from a literal of the model (element-types.md), from a position (iota), and back to text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "generators/model.h"

namespace hurray::generators {

/// How elements of a type share bytes: `per_group` elements of `bits` each in `group_bytes` bytes, lowest bits first.
struct Packing {
  std::uint32_t bits = 8, per_group = 1, group_bytes = 1;
};

/// What an element is made of: its type tag and, for a private type, its extension section.
struct ElementFormat {
  std::uint8_t type = 0x03;
  const ExtensionType* extension = nullptr;
};

/// A tag that no table and no extension section describes has no packing: `bits` is 0.
[[nodiscard]] Packing packing_of(const ElementFormat& format);

struct EncodedElement {
  Bits bits;
  std::string error;  // not empty: what is wrong with the literal, without its path
};

/// Encodes one literal: a decimal number ("-1.5e3"), "nan", "-nan", "inf", "-inf", or a bit pattern ("0x7f"). A decimal is
/// rounded once, to the nearest pattern, ties to even; one beyond the type's range is an error, never an infinity.
/// Complex types take one literal per component through encode_complex.
[[nodiscard]] EncodedElement encode_element(const ElementFormat& format, std::string_view literal);
[[nodiscard]] EncodedElement encode_complex(std::uint8_t type, std::string_view real, std::string_view imaginary);

/// Element `position` of the pattern "iota": the integer itself, wrapped to what the type holds exactly (floats count
/// from 0 again at 2^(mantissa bits + 1), float8_e8m0 walks the codes 1 to 254, complex elements are [i, i + 1]).
[[nodiscard]] Bits iota_element(const ElementFormat& format, std::int64_t position);

/// The literal that encodes to `bits`, decimal where that is exact and short, else a bit pattern.
[[nodiscard]] std::string element_literal(const ElementFormat& format, const Bits& bits);

[[nodiscard]] bool is_complex(std::uint8_t type);

}  // namespace hurray::generators
