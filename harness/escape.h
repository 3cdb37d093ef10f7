// Text inside HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace hurray::harness {

/// Escapes markup; characters that XML 1.0 forbids and bytes that are no UTF-8 become '?'.
[[nodiscard]] std::string escaped(std::string_view text);

}  // namespace hurray::harness
