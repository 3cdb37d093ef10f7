// The property of the raw-byte targets: any bytes on a surface get a verdict, and the same one wherever they lie.
#pragma once

#include "fuzz/target.h"

namespace hurray::fuzz {

/// Reads `input` strictly and holds it to: memory within 64 KiB + 32 times the input; and, for one input in eight, the
/// same verdict and tree on a misaligned copy, on a copy that ends at an unreadable page, and in a second read.
void check_any_bytes(Bytes input, facts::Surface surface);

/// Verdict, rule, position and shape of the tree; not where the views point to.
bool same_outcome(const reference::Reading& left, const reference::Reading& right);

/// The tensor numbers (in Reading::tensors) of the top-level items.
std::vector<std::uint32_t> top_level(const reference::Reading& reading);

}  // namespace hurray::fuzz
