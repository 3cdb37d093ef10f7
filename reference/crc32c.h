// CRC-32C (Castagnoli), as the file index carries it (file-format.md, Trailer).
#pragma once

#include "reference/verdict.h"

namespace hurray::reference {

/// Reflected polynomial 0x82F63B78, initial value and final complement all ones; "123456789" gives 0xE3069283.
[[nodiscard]] std::uint32_t crc32c(Bytes bytes);

/// The same by table on every machine: what crc32c() does where the processor has no instruction for it.
[[nodiscard]] std::uint32_t crc32c_by_table(Bytes bytes);

}  // namespace hurray::reference
