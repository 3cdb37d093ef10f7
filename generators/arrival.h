// What has arrived of an input that ends too early, and everywhere that an input can end (layouts/composite.md,
// Torn composite; interchange.md, Streaming; file-format.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/facts/facts.h"
#include "generators/document.h"
#include "generators/edit.h"
#include "generators/model.h"

namespace hurray::generators {

/// Bytes that belong to each tensor, by its pre-order number.
[[nodiscard]] std::vector<std::size_t> bytes_by_node(const Document& document);

/// The composites that are whole in `document`, as {"rule", "shape", "members"} (a count); null where no composite is
/// torn, and where the edits do more than cut the input or raise a member_count: then nothing is claimed.
/// `before` is bytes_by_node of the document before `plan`.
[[nodiscard]] nlohmann::json whole_composites(const Model& model, const EditPlan& plan, const std::vector<std::size_t>& before,
                                              const Document& document);

/// What it is that ends too early where an input is cut.
enum class Torn : std::uint8_t { descriptor, data, message, between_messages, composite, file_magic, file };
inline constexpr std::string_view torn_names[] = {"descriptor", "data", "message", "between-messages", "composite", "file-magic", "file"};

/// One place to cut an input: `plus` bytes after the start of `field`. `coarse` are the starts of descriptors, messages
/// and frames and the middles of buffers; the others are every field's start, one byte to either side, and its middle.
struct Cut {
  std::string field;
  std::size_t plus = 0;
  std::size_t left = 0;  // bytes of the input that the cut leaves
  Torn torn = Torn::descriptor;
  bool coarse = false;
  nlohmann::json whole_composites;  // as above
};

/// Every cut that leaves an input which ends too early, in wire order; cuts between top-level items leave a shorter input
/// that is whole and are not among them, nor is a file that happens to end with the trailer's magic number.
[[nodiscard]] std::vector<Cut> cuts(const Model& model, facts::Surface surface);

}  // namespace hurray::generators
