#pragma once

#include <string>

#include "generators/bytes.h"

namespace hurray::generators {

inline std::string to_hex(const Bytes& bytes) {
  std::string out;
  for (const std::uint8_t byte : bytes) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

}  // namespace hurray::generators
