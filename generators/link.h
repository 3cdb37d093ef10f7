// Recomputes every derived field of a document: lengths, counts, offsets, padding, checksum.
#pragma once

#include "generators/document.h"

namespace hurray::generators {

/// `alignment` is the file's data_buffer_alignment. Frozen fields keep their bytes; everything else follows from what
/// stands in the document. A derived field keeps its width.
void link(Document& document, std::uint64_t alignment);

/// CRC-32C (Castagnoli) as iSCSI and file-format.md use it: reflected, initial and final complement.
[[nodiscard]] std::uint32_t crc32c(const Bytes& bytes);

}  // namespace hurray::generators
