// The constants of the Hurray 1.0 draft that reader and writer have in common: tags, names, widths, limits.
// Nothing here computes; a table stands once, in its .def file, and everyone else reads the arrays below.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hurray::facts {

enum class Surface : std::uint8_t { descriptor, bare, framed, file };
enum class Mode : std::uint8_t { strict, permissive };
inline constexpr std::array<std::string_view, 4> surface_names{"descriptor", "bare", "framed", "file"};
inline constexpr std::array<std::string_view, 2> mode_names{"strict", "permissive"};

enum class Kind : std::uint8_t {
  binary_float, small_float, exponent, signed_integer, unsigned_integer, boolean, complex
};

struct ElementType {
  std::string_view name;  // as the reader protocol spells it
  std::uint8_t tag;
  std::uint8_t bits;
  std::uint8_t packing;      // elements per packing group; 1 for whole-byte types
  std::uint8_t group_bytes;  // bytes of one packing group
  std::uint8_t tier;
  Kind kind;
};

namespace tag {
#define ELEMENT_TYPE(name, tag, bits, packing, group_bytes, tier, kind) inline constexpr std::uint8_t name = tag;
#include "conformance/facts/element_types.def"
#undef ELEMENT_TYPE
}  // namespace tag

constexpr std::string_view spelled(std::string_view name) { return name == "boolean" ? "bool" : name; }

inline constexpr ElementType element_types[] = {
#define ELEMENT_TYPE(name, tag, bits, packing, group_bytes, tier, kind) \
  {spelled(#name), tag, bits, packing, group_bytes, tier, Kind::kind},
#include "conformance/facts/element_types.def"
#undef ELEMENT_TYPE
};

enum class Addressing : std::uint8_t { dense, sparse, indirect, virtual_ };

struct Layout {
  std::string_view name;
  std::uint8_t tag;
  Addressing addressing;
  std::uint8_t min_rank;
  std::uint8_t max_rank;
};

namespace layout_tag {
#define LAYOUT(name, tag, spelled, addressing, min_rank, max_rank) inline constexpr std::uint8_t name = tag;
#include "conformance/facts/layouts.def"
#undef LAYOUT
}  // namespace layout_tag

inline constexpr Layout layouts[] = {
#define LAYOUT(name, tag, spelled, addressing, min_rank, max_rank) \
  {spelled, tag, Addressing::addressing, min_rank, max_rank},
#include "conformance/facts/layouts.def"
#undef LAYOUT
};

struct Scheme {
  std::string_view name;
  std::uint8_t tag;
  std::uint8_t length;
};

namespace scheme_tag {
#define SCHEME(name, tag, spelled, length) inline constexpr std::uint8_t name = tag;
#include "conformance/facts/schemes.def"
#undef SCHEME
}  // namespace scheme_tag

inline constexpr Scheme schemes[] = {
#define SCHEME(name, tag, spelled, length) {spelled, tag, length},
#include "conformance/facts/schemes.def"
#undef SCHEME
};

struct Device {
  std::string_view name;
  std::uint8_t tag;
  std::array<bool, 4> memory_class_valid;  // indexed by memory_class 0..3
};

namespace device_tag {
#define DEVICE(name, tag, spelled, standard, host_pinned, unified, peer) inline constexpr std::uint8_t name = tag;
#include "conformance/facts/devices.def"
#undef DEVICE
}  // namespace device_tag

inline constexpr Device devices[] = {
#define DEVICE(name, tag, spelled, standard, host_pinned, unified, peer) \
  {spelled, tag, {standard, host_pinned, unified, peer}},
#include "conformance/facts/devices.def"
#undef DEVICE
};

inline constexpr std::string_view composition_rules[] = {"", "partition", "overlay", "group"};
inline constexpr std::string_view combine_ops[] = {"none", "replace", "add"};
inline constexpr std::string_view member_roles[] = {"correction", "base"};
inline constexpr std::string_view memory_classes[] = {"standard", "host-pinned", "unified", "peer"};

namespace composition_rule {
inline constexpr std::uint8_t partition = 0x01, overlay = 0x02, group = 0x03;
}
namespace combine_op {
inline constexpr std::uint8_t none = 0x00, replace = 0x01, add = 0x02;
}
namespace member_role {
inline constexpr std::uint8_t correction = 0x00, base = 0x01;
}

namespace flag {
inline constexpr std::uint32_t quantization = 1u << 0, shard = 1u << 1, extension_type = 1u << 2, statistics = 1u << 3,
                               composite_member = 1u << 4, defined = 0x1f;
}

namespace message_type {
inline constexpr std::uint32_t client_hello = 0x01, server_hello = 0x02, tensor_request = 0x03, tensor_descriptor = 0x04,
                               tensor_data = 0x05, tensor_data_end = 0x06, tensor_put = 0x07, tensor_put_ack = 0x08,
                               error = 0x09, ping = 0x0A, pong = 0x0B, rdma_register = 0x0C, rdma_ready = 0x0D;
}

namespace file_flag {
inline constexpr std::uint32_t has_kv_metadata = 1u << 0, sorted_index = 1u << 1, has_index_crc32c = 1u << 2,
                               defined = 0x7;
}

constexpr bool is_private(std::uint8_t tag) { return tag >= 0xF0 && tag <= 0xFE; }

template <typename Row, std::size_t N>
constexpr const Row* by_tag(const Row (&table)[N], std::uint8_t tag) {
  for (const Row& row : table)
    if (row.tag == tag) return &row;
  return nullptr;
}

template <typename Row, std::size_t N>
constexpr const Row* by_name(const Row (&table)[N], std::string_view name) {
  for (const Row& row : table)
    if (row.name == name) return &row;
  return nullptr;
}

constexpr const ElementType* element_type(std::uint8_t tag) { return by_tag(element_types, tag); }
constexpr const Layout* layout(std::uint8_t tag) { return by_tag(layouts, tag); }
constexpr const Scheme* scheme(std::uint8_t tag) { return by_tag(schemes, tag); }
constexpr const Device* device(std::uint8_t tag) { return by_tag(devices, tag); }

}  // namespace hurray::facts
