// The checks of one head or one member, without state (layouts/composite.md, Head Descriptor and Per-member checks).
#pragma once

#include "reference/checks.h"
#include "reference/descriptor.h"

namespace hurray::reference {

/// `enclosing` is the head that binds this one, nullptr at the top level; `depth` the number of heads above.
void check_head(Checks& check, const Descriptor& head, const Descriptor* enclosing, std::size_t depth);

/// `ordinal` is the member's position among its siblings, from 0.
void check_member(Checks& check, const Descriptor& member, const Descriptor& head, std::uint32_t ordinal);

/// Whether the member's box can be placed in the head's index space. Always true in strict mode.
bool has_box(const Descriptor& member, const Descriptor& head);

}  // namespace hurray::reference
