// Where the format leaves the verdict on a valid input open: a reader that rejects it is not wrong. The predicates follow
// conformance/readings.json; a test holds them against every case of the matrix.
#pragma once

#include <string_view>
#include <vector>

#include "fuzz/target.h"

namespace hurray::fuzz {

/// The readings that `reading`, which the reference accepts, touches; empty where every reader must accept.
[[nodiscard]] std::vector<std::string_view> openings(const reference::Reading& reading, Bytes input, facts::Surface surface);

/// The reading that leaves the strict rejection of an input for `broken` open; empty where every strict reader must reject.
[[nodiscard]] std::string_view open_rejection(const reference::Violation& broken, Bytes input, facts::Surface surface);

// The parts of openings(), in openings_tensor.cc and openings_carrier.cc; each appends what it finds.
void tensor_openings(const reference::Reading& reading, Bytes input, std::vector<std::string_view>& found);
void composite_openings(const reference::Reading& reading, std::vector<std::string_view>& found);
void framed_openings(Bytes input, std::vector<std::string_view>& found);
void file_openings(const reference::Reading& reading, Bytes input, std::vector<std::string_view>& found);

// The parts of open_rejection() that look at streams and files.
[[nodiscard]] bool has_several_streams(Bytes input);
[[nodiscard]] bool region_is_within_the_file(const reference::Violation& broken, Bytes input);
[[nodiscard]] bool buffers_fit_where_they_belong(const reference::Reading& lenient, Bytes input);

}  // namespace hurray::fuzz
