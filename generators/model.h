// A composite as a person describes it: values and structure, no bytes. conformance/bases/*.json is this model in JSON.
// Everything that the writer can derive (sizes, counts, offsets, lengths, checksums) is absent here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "conformance/facts/facts.h"

namespace hurray::generators {

using Shape = std::vector<std::uint64_t>;
using Index = std::vector<std::uint64_t>;

/// The stored bit pattern of one element, at most 128 bits, low bits first.
struct Bits {
  std::uint64_t low = 0, high = 0;
  friend bool operator==(const Bits&, const Bits&) = default;
};

struct RowMajor { friend bool operator==(const RowMajor&, const RowMajor&) = default; };
struct ColumnMajor { friend bool operator==(const ColumnMajor&, const ColumnMajor&) = default; };
struct Strided {
  std::vector<std::int64_t> strides;  // elements
  friend bool operator==(const Strided&, const Strided&) = default;
};
/// One level of tiling; orders are layout tags 1, 2 or 3 (inner also 4, when another level follows).
struct TileLevel {
  Shape tile;
  std::uint8_t outer = 1, inner = 1;
  std::vector<std::int64_t> outer_strides, inner_strides;
  friend bool operator==(const TileLevel&, const TileLevel&) = default;
};
struct Tiled {
  std::vector<TileLevel> levels;  // outermost first
  friend bool operator==(const Tiled&, const Tiled&) = default;
};
struct Morton {
  std::vector<std::uint32_t> bits;  // empty: the fewest that hold the shape (at least 1)
  friend bool operator==(const Morton&, const Morton&) = default;
};
struct Coo {
  std::vector<Index> at;  // the coordinates of the stored values, in storage order
  bool sorted = true;
  friend bool operator==(const Coo&, const Coo&) = default;
};
struct Csr {
  std::vector<Index> at;  // [row, column], sorted by row then column
  friend bool operator==(const Csr&, const Csr&) = default;
};
struct Csc {
  std::vector<Index> at;  // [row, column], sorted by column then row
  friend bool operator==(const Csc&, const Csc&) = default;
};
struct Csf {
  std::vector<Index> at;  // full coordinates, sorted in mode order
  std::vector<std::uint32_t> mode_order;  // empty: identity
  friend bool operator==(const Csf&, const Csf&) = default;
};
struct BlockPaged {
  std::uint32_t page_size = 1;
  std::uint64_t pages = 0;
  std::vector<std::vector<std::uint64_t>> sequences;  // page ids of each sequence
  std::uint8_t kv_role = 0;
  std::uint32_t layer = 0;
  bool wide = false;  // 64-bit page ids
  friend bool operator==(const BlockPaged&, const BlockPaged&) = default;
};
struct Hilbert { friend bool operator==(const Hilbert&, const Hilbert&) = default; };
struct PrivateLayout {
  std::uint8_t tag = 0xF0;
  std::uint64_t id = 1;
  std::vector<std::uint8_t> data;
  friend bool operator==(const PrivateLayout&, const PrivateLayout&) = default;
};
using Layout = std::variant<RowMajor, ColumnMajor, Strided, Tiled, Morton, Coo, Csr, Csc, Csf, BlockPaged, Hilbert, PrivateLayout>;

struct PerTensorAffine {
  float scale = 1;
  std::int32_t zero_point = 0;
  friend bool operator==(const PerTensorAffine&, const PerTensorAffine&) = default;
};
struct PerChannelAffine {
  std::uint32_t axis = 0;
  bool symmetric = false;
  std::vector<float> scales;             // one a channel
  std::vector<std::int32_t> zero_points; // one a channel, empty when symmetric
  friend bool operator==(const PerChannelAffine&, const PerChannelAffine&) = default;
};
struct PerBlockAffine {
  std::uint32_t axis = 0, block = 2;
  bool symmetric = false;
  std::uint8_t scale_type = 0x03;         // float16, bfloat16 or float32
  std::vector<Bits> scales;               // bit patterns of scale_type, one a block
  std::vector<std::int32_t> zero_points;
  friend bool operator==(const PerBlockAffine&, const PerBlockAffine&) = default;
};
struct Nf4 {
  std::uint32_t axis = 0, block = 8;
  std::vector<float> scales;
  friend bool operator==(const Nf4&, const Nf4&) = default;
};
struct Mxfp {
  std::uint32_t axis = 0, block = 16;
  std::vector<std::uint8_t> scales;  // float8_e8m0 codes
  friend bool operator==(const Mxfp&, const Mxfp&) = default;
};
using Scheme = std::variant<std::monostate, PerTensorAffine, PerChannelAffine, PerBlockAffine, Nf4, Mxfp>;

struct Statistics {  // a value that is present sets its validity bit
  std::optional<std::uint64_t> nnz;
  std::optional<double> sparsity;
  std::optional<std::array<double, 3>> range;       // min, max, abs_max
  std::optional<std::array<double, 2>> moments;     // mean, stddev
  std::optional<std::array<std::uint8_t, 2>> n_of_m;
  std::optional<std::array<bool, 2>> nan_inf;
  friend bool operator==(const Statistics&, const Statistics&) = default;
};

struct ExtensionType {
  std::uint32_t bit_width = 16;
  bool is_float = false, is_signed = false;
  std::uint8_t sign_bits = 0, exponent_bits = 0, mantissa_bits = 0;
  std::uint32_t exponent_bias = 0;
  bool has_nan = false, has_inf = false;
  friend bool operator==(const ExtensionType&, const ExtensionType&) = default;
};

struct Box {
  Shape parent;
  Index offset;
  friend bool operator==(const Box&, const Box&) = default;
};

struct Head {
  std::uint8_t rule = facts::composition_rule::partition;
  std::uint8_t combine = facts::combine_op::none;
  friend bool operator==(const Head&, const Head&) = default;
};

/// A tensor or, with `head`, a composite of `members`.
struct Node {
  std::uint8_t type = 0x03;  // element type tag
  Shape shape;
  std::optional<Head> head;
  std::vector<Node> members;  // of a head
  Layout layout;              // of a tensor
  Scheme scheme;
  std::optional<Box> shard;
  std::optional<std::uint8_t> role;  // composite member section
  std::optional<Statistics> statistics;
  std::optional<ExtensionType> extension;
  /// Stored elements: dense layouts in row-major order of the shape, sparse in storage order, block-paged by slot of the
  /// page pool, private layouts: the raw bytes. Where elements of a strided tensor share storage there is one entry for
  /// each distinct place, in ascending order of its offset (shapes of any volume fit), or one for every element in
  /// row-major order with equal bits where they share. With a dimension of unknown size any number may be stored.
  std::vector<Bits> elements;
  std::uint8_t padding = 0;                       // byte that fills storage no element lies in
  std::optional<std::uint64_t> byte_offset;       // none: the least that works
  std::uint64_t spare_bytes = 0;                  // appended to buffer 0 where the layout allows more than it needs
  std::uint8_t device = 0, sync = 0, memory = 0;
  std::uint32_t alignment = 64;
  std::uint8_t version_minor = 0;
  std::vector<std::uint8_t> trailing;             // bytes inside descriptor_length after the last section
  std::string name;                               // in files; empty: derived from its position
  friend bool operator==(const Node&, const Node&) = default;
};


struct FramedOptions {
  std::uint32_t stream_id = 1;
  std::uint32_t frame_bytes = 0;  // most data bytes in one TENSOR_DATA; 0: one message a tensor
  friend bool operator==(const FramedOptions&, const FramedOptions&) = default;
};

struct KvEntry {
  std::string key;
  std::uint8_t tag = 1;                            // 01 string … 07 array
  std::vector<std::vector<std::uint8_t>> values;   // payloads without length prefixes; one, or the array's elements
  std::uint8_t element_tag = 0;                    // of an array
  friend bool operator==(const KvEntry&, const KvEntry&) = default;
};

struct FileOptions {
  std::uint32_t alignment = 4096;
  bool sorted = false, checksum = true;
  std::vector<KvEntry> kv;
  std::vector<std::uint64_t> index_order;          // positions of the tensors in pre-order; empty: write order
  std::optional<std::uint64_t> count_hint;         // none: the true count
  std::uint8_t version_minor = 0;
  friend bool operator==(const FileOptions&, const FileOptions&) = default;
};

struct Model {
  std::string name, why;
  std::vector<Node> items;
  FramedOptions framed;
  FileOptions file;
};

}  // namespace hurray::generators
