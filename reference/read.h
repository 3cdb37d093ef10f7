// Reads a whole input on one surface: what it holds, or the first rule that it breaks.
#pragma once

#include <memory>
#include <vector>

#include "reference/descriptor.h"

namespace hurray::reference {

/// One tensor of the input, head or not, in pre-order; a head is followed by its members.
struct Tensor {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  Descriptor descriptor;
  std::uint32_t enclosing = none;  // position of the head that binds this tensor, in Reading::tensors
  std::uint32_t depth = 0;         // heads above this one
  std::uint32_t members_seen = 0;  // heads: direct members that arrived
  bool complete = true;            // heads: all members arrived and are complete
  /// Whether it has values: neither it nor its buffers nor, for a head, any member breaks a rule, waived or not, and the
  /// text says what each element is. What lookup and merge rely on; false on the surface `descriptor`.
  bool readable = false;
  std::uint32_t first_buffer = 0;  // position of its first buffer in Reading::buffers; descriptor.buffer_count of them
  std::uint32_t skip = 0;          // tensors in this subtree, itself included: the next sibling is at this + skip
  std::string_view name;           // files: the name in the index
};

struct Reading {
  std::vector<Tensor> tensors;
  /// Views of byte_size bytes each; shorter, and unchecked, only where the rule that forbids it is waived. Empty on the
  /// surface `descriptor`, which carries none.
  std::vector<Bytes> buffers;
  std::vector<std::unique_ptr<std::uint8_t[]>> gathered;  // owns buffers that were split over frames
  std::optional<Violation> violation;  // none: accepted
  /// Permissive mode: something was left out (torn composite, unknown tag); what is shown is not the whole input.
  bool partial = false;

  bool accepted() const { return !violation.has_value(); }
};

/// `input` must outlive the reading, whose views point into it. Never throws for any input; memory is at most 64 KiB
/// plus a small multiple of the input's size.
[[nodiscard]] Reading read(Bytes input, Surface surface, const Waivers& waivers);

/// One tensor of a file by its name in the index (file-format.md, Random-Access Reader): touches header, trailer, index,
/// the tensor's descriptor and buffers and, for a head, those of the members that it binds; nothing else, so rules that
/// the rest breaks do not show. No tensor where the index has no such name.
[[nodiscard]] Reading read_file_tensor(Bytes file, std::string_view name, const Waivers& waivers);

}  // namespace hurray::reference
