// New quantized tensors: a section of any scheme with the buffers of its parameters.
#include "fuzz/mutator/fresh.h"

namespace hurray::fuzz::mutator {

namespace lt = facts::layout_tag;

void Maker::quantize(Node& node) {
  if (node.layout_tag() == lt::block_paged && node.rank() == 3) return quantize_pages(node);
  constexpr std::uint8_t integers[] = {facts::tag::int8, facts::tag::uint8, facts::tag::int4, facts::tag::uint4};
  constexpr std::uint8_t small[] = {facts::tag::float8_e4m3, facts::tag::int8, facts::tag::float4_e2m1};
  const auto scheme = static_cast<std::uint8_t>(1 + random.below(5));
  const std::uint64_t axis = random.below(node.rank()), block = scheme == 5 ? 16 : scheme == 4 ? 8 : 2;
  const Part shape = arena.copy(node.shape);
  if (scheme >= 3) store(shape, static_cast<std::size_t>(8 * axis), 8, block * random.below(3));
  if (scheme == 5 && volume(shape) == 0) store(shape, static_cast<std::size_t>(8 * axis), 8, block);
  node = tensor(scheme == 4 ? std::uint8_t{facts::tag::uint4} : scheme == 5 ? random.any(small) : random.any(integers), shape);
  const std::uint64_t channels = node.size(static_cast<std::size_t>(axis));
  add_scheme(node, scheme, axis, block, std::min<std::uint64_t>(scheme == 2 ? channels : channels == 0 ? 0 : volume(node.shape) / block, 4096));
}

/// Pages of quantized elements: one scale a slot.
void Maker::quantize_pages(Node& node) {
  const std::uint64_t page = load(node.layout, 0, 4), slots = page * std::min<std::uint64_t>(load(node.layout, 4, 8), 64);
  node.header = arena.copy(node.header);
  node.header[at::type] = facts::tag::int8;
  if (!node.data.empty()) node.data[0] = values(facts::tag::int8, slots * volume(node.shape.subspan(8)));
  add_scheme(node, facts::scheme_tag::per_block_affine, 0, page, slots);
}

/// Appends the section and the buffers of its parameters.
void Maker::add_scheme(Node& node, std::uint8_t scheme, std::uint64_t axis, std::uint64_t block, std::uint64_t parameters) {
  const std::uint64_t length = facts::scheme(scheme)->length, first = node.buffers();
  const Part section = arena.zeros(static_cast<std::size_t>(4 + length));
  const bool symmetric = random.one_in(2);
  const auto floats = [&] {
    const Part out = arena.zeros(static_cast<std::size_t>(4 * parameters));
    for (std::size_t k = 0; k < parameters; ++k) store(out, 4 * k, 4, 0x3F800000);
    return out;
  };
  store(section, 0, 4, length);
  section[4] = scheme;
  section[5] = 1;
  if (scheme == 1) store(section, 8, 4, 0x3F800000);
  if (scheme == 2 || scheme == 3) {
    section[6] = symmetric ? 1 : 0;
    const std::size_t after = scheme == 3 ? 16 : 12;
    store(section, 8, 4, axis);
    if (scheme == 3) store(section, 12, 4, block);
    store(section, after, 4, first);
    store(section, after + 4, 4, symmetric ? facts::limit::no_buffer : first + 1);
    section[after + 8] = 3;
    add_buffer(node, floats());
    if (!symmetric) add_buffer(node, arena.zeros(static_cast<std::size_t>(4 * parameters)));
  }
  if (scheme >= 4) {
    store(section, 8, 4, axis);
    store(section, 12, 4, block);
    store(section, 16, 4, first);
    const Part codes = arena.zeros(static_cast<std::size_t>(parameters));
    std::fill(codes.begin(), codes.end(), std::uint8_t{0x7F});
    add_buffer(node, scheme == 4 ? floats() : codes);
  }
  node.section(Section::quantization) = section;
}

}  // namespace hurray::fuzz::mutator
