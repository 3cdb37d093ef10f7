// The decoded value of one tensor without composition: which stored element an index names, and what its scheme makes of it.
#pragma once

#include <optional>

#include "generators/oracle.h"
#include "generators/oracle/number.h"

namespace hurray::generators {

/// What a tensor itself says about an index. A sparse tensor may not store it.
struct StoredElement {
  bool stored = true;
  AdmissibleElement value;  // in the tensor's view type; zero where it is not stored
  std::optional<Number> unrounded = std::nullopt;  // what the scheme's formula gives before float32 rounds it
};

/// Nothing where the tensor has no value there that the format defines.
std::optional<StoredElement> stored_element(const Node& tensor, const Index& index);

}  // namespace hurray::generators
