// The written input as a list of labelled fields. Every field knows which part of the input it stands in and, if its
// value follows from the rest, how: so that an edit can move bytes about and everything that depends on them follows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "generators/bytes.h"
#include "generators/model.h"

namespace hurray::generators {

enum class FieldKind : std::uint8_t { number, real, bytes, text };

/// Where a field stands. What counts as payload, descriptor, section or index is decided by this alone.
enum class Part : std::uint8_t {
  descriptor, quantization,                // both count in descriptor_length
  message_header, transport, frame_offset,  // the last two are payload
  data,
  padding,
  file_header, kv, index, trailer
};

/// How a derived field's value follows from the other fields; `none` for a field that says something of its own.
enum class Derived : std::uint8_t {
  none,
  descriptor_length, quantization_length,
  payload_length, total_data_bytes, byte_offset_in_buffer,
  padding_before_descriptor, padding_before_data, padding_before_section,
  first_descriptor_offset, tensor_count,
  kv_count, index_count, key_length, length_of_next,
  entry_descriptor_offset, entry_descriptor_length, entry_data_offset, entry_data_length,
  index_offset, index_length, kv_offset, kv_length, index_checksum
};

inline constexpr std::uint32_t no_node = ~std::uint32_t{0};

struct Field {
  std::string label;
  Bytes bytes;
  FieldKind kind = FieldKind::number;
  Part part = Part::descriptor;
  Derived derived = Derived::none;
  std::uint32_t node = no_node;     // pre-order number of the tensor that the field belongs to or points at
  std::uint32_t message = 0;        // 1, 2, … in a framed stream
  std::string buffer;               // "data[i]" where this part of a frame holds (a share of) buffer i
  bool frozen = false;              // set by an edit, or kept: not recomputed
  bool edited = false;
};

/// Collects fields in wire order. The context (node, part, message, prefix) applies to every field added after it.
class Document {
 public:
  explicit Document(bool labelled) : labelled_(labelled) {}

  std::vector<Field> fields;
  std::uint32_t node = no_node, message = 0;
  Part part = Part::descriptor;
  std::string prefix;               // of the labels, without the final dot; empty: none

  void number(std::string_view name, std::uint64_t value, std::size_t width, Derived derived = Derived::none);
  void number_at(std::string_view name, std::size_t k, std::uint64_t value, std::size_t width);
  void real(std::string_view name, double value);
  void real32(std::string_view name, float value);
  void bytes(std::string_view name, Bytes value, FieldKind kind = FieldKind::bytes);
  void reserved(std::string_view name, std::size_t width) { bytes(name, Bytes(width, 0)); }

  /// Adds `.name` to the prefix for the lifetime of the returned object.
  class Scope {
   public:
    Scope(Document& document, std::string_view name);
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { document_.prefix.resize(length_); }

   private:
    Document& document_;
    std::size_t length_;
  };

 private:
  Field& add(std::string_view name, Bytes value, FieldKind kind);
  bool labelled_;
};

/// A tensor of the model in pre-order with its node path as edits spell it (`head`, `members[0]`, `members[1].head` …).
struct PlacedNode {
  const Node* node;
  std::string path;
};
[[nodiscard]] std::vector<PlacedNode> place_nodes(const Model& model);

}  // namespace hurray::generators
