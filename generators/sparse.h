// The index structures of the sparse and indirect layouts: every buffer after the values (layouts/coo.md, csr.md,
// csc.md, csf.md, block-paged.md).
#pragma once

#include <string>
#include <vector>

#include "generators/bytes.h"
#include "generators/model.h"
#include "generators/storage.h"

namespace hurray::generators {

/// Appends the buffers that follow buffer 0. Coordinates are written as the model gives them, legal or not; an order
/// that the structure cannot spell (a CSR row after a later one) is an error.
[[nodiscard]] std::string append_structure(const Node& node, std::vector<Bytes>& buffers);

/// Stored elements of a layout that is not dense.
[[nodiscard]] ElementCount count_stored(const Node& node);

/// `mode_order` as written: the model's, or the identity.
[[nodiscard]] std::vector<std::uint32_t> mode_order(const Csf& layout, std::size_t rank);

}  // namespace hurray::generators
