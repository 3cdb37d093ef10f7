// Readers that do not read. They are part of every report: what they score is what the suite cannot see.
#pragma once

#include <array>
#include <string_view>

namespace hurray::harness {

inline constexpr std::array<std::string_view, 6> null_reader_names{"accept-all", "reject-all", "crash", "hang", "echo", "random"};

/// Serves the framed protocol on stdin and stdout until bye or the end of input. Returns the exit code.
int serve_null(std::string_view name);

}  // namespace hurray::harness
