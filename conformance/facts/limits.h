// Every limit of the format and of this suite's reader, each with where it comes from.
#pragma once

#include <cstdint>

namespace hurray::facts::limit {

inline constexpr std::uint8_t magic[4] = {0x48, 0x52, 0x52, 0x59};                                    // metadata.md, Fixed Header
inline constexpr std::uint8_t file_magic[8] = {0x48, 0x52, 0x52, 0x59, 0x46, 0x49, 0x4C, 0x45};       // file-format.md, File Header
inline constexpr std::uint8_t version_major = 1, version_minor = 0;                                   // metadata.md, Fixed Header
inline constexpr std::uint32_t rank = 64;                                                             // data-model.md, Rank
inline constexpr std::uint64_t dynamic = ~std::uint64_t{0};                                           // metadata.md, shape
inline constexpr std::uint32_t composite_depth = 8;                                                   // layouts/composite.md, Binding
inline constexpr std::uint32_t tiled_depth = 8;                                                       // layouts/tiled.md (recommended)
inline constexpr std::uint32_t open_member_count = 0xFFFFFFFF;                                        // layouts/composite.md, Head
inline constexpr std::uint32_t no_buffer = 0xFFFFFFFF;                                                // quantization/per-block-affine.md
inline constexpr std::uint32_t buffer_alignment = 64;                                                 // buffer-protocol.md, Minimum Alignment
inline constexpr std::uint32_t fixed_header = 20, buffer_handle = 16, statistics = 72,
                               extension_type = 20, composite_member = 16, composite_head = 8;        // metadata.md
inline constexpr std::uint32_t message_header = 12, descriptor_trailer = 16, data_prefix = 8;         // interchange.md, Message Framing
inline constexpr std::uint32_t payload = 1u << 30;  // interchange.md asks for a configured maximum; ours is 1 GiB
inline constexpr std::uint32_t file_header = 64, file_trailer = 40;                                   // file-format.md, File Layout
inline constexpr std::uint32_t file_alignment_min = 4096, file_alignment_max = 2097152;               // file-format.md, File Header
inline constexpr std::uint32_t descriptor_alignment = 8;                                              // file-format.md, Descriptor Placement

}  // namespace hurray::facts::limit
