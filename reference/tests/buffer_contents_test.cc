#include "reference/tests/descriptor_expect.h"

namespace hurray::reference::tests {
namespace {

namespace layouts = facts::layout_tag;
using Contents = std::vector<std::vector<std::uint8_t>>;

std::vector<std::uint8_t> u64s(std::initializer_list<std::uint64_t> values) { return ByteString().u64s(values); }
std::vector<std::uint8_t> u32s(std::initializer_list<std::uint64_t> values) { return ByteString().u32s(values); }

/// A descriptor with what stands in its buffers; byte_size follows the contents.
struct TensorBytes {
  DescriptorBytes descriptor;
  Contents contents;
};

std::optional<Violation> violation_of(TensorBytes tensor, const Waivers& waivers) {
  tensor.descriptor.buffers.clear();
  for (const auto& bytes : tensor.contents) tensor.descriptor.buffers.push_back({.byte_size = bytes.size()});
  const std::vector<std::uint8_t> bytes = tensor.descriptor.bytes();
  const auto [descriptor, violation, lawful] = read_descriptor(bytes, 0, waivers);
  if (violation) return violation;
  std::vector<Bytes> views;
  std::vector<std::uint64_t> positions;
  std::uint64_t position = bytes.size();
  for (const auto& content : tensor.contents) {
    views.emplace_back(content);
    positions.push_back(position);
    position += content.size();
  }
  return check_buffers(descriptor, views, positions, waivers).violation;
}

void expect_accepted(const TensorBytes& tensor) {
  const std::optional<Violation> violation = violation_of(tensor, Waivers::none());
  EXPECT_FALSE(violation) << described(violation);
}

void expect_broken(const TensorBytes& tensor, Rule rule) {
  SCOPED_TRACE(std::string(facts::facts_of(rule).id));
  const std::optional<Violation> strict = violation_of(tensor, Waivers::none());
  ASSERT_TRUE(strict) << "accepted";
  EXPECT_EQ(strict->rule, rule) << described(strict);
  const std::optional<Violation> waived = violation_of(tensor, Waivers::none().waive(rule));
  EXPECT_FALSE(waived) << "waived: " << described(waived);
}

TensorBytes coo(std::vector<std::uint64_t> shape, std::vector<std::uint8_t> indices, bool sorted = false) {
  const std::size_t nnz = indices.size() / 8 / shape.size();
  return {with_layout(layouts::coo, std::move(shape), ByteString().u64(nnz).u8(sorted ? 1 : 0).zeros(7), {}),
          {std::vector<std::uint8_t>(4 * nnz), std::move(indices)}};
}

TEST(BufferContents, KeepCoordinatesInBoundsAndUnique) {
  expect_accepted(coo({3, 4}, u64s({2, 3, 0, 0, 1, 2})));
  expect_accepted(coo({3, 4}, u64s({2, 3, 0, 0}), true));  // a wrong is_sorted flag is no reader's duty
  expect_accepted(coo({3, 4}, {}));
  expect_broken(coo({3, 4}, u64s({0, 0, 3, 0})), Rule::LAY_COO_07);
  expect_broken(coo({3, 4}, u64s({0, 0, 1, 4})), Rule::LAY_COO_07);
  expect_broken(coo({3, 4}, u64s({0, 0, 1, ~std::uint64_t{0}})), Rule::LAY_COO_07);
  expect_broken(coo({3, 4}, u64s({1, 2, 1, 2})), Rule::LAY_COO_08);
  expect_broken(coo({3, 4}, u64s({1, 2, 0, 0, 2, 2, 1, 2})), Rule::LAY_COO_08);
  expect_accepted(coo({facts::limit::dynamic, 4}, u64s({77, 2, 76, 3})));
}

TEST(BufferContents, NameTheEntryThatRepeatsAnother) {
  const std::optional<Violation> violation =
      violation_of(coo({3, 4}, u64s({1, 2, 0, 0, 2, 2, 1, 2})), Waivers::none());
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->message.text(), "coordinates stored before, entry 3");
}

/// CSR of 4 x 5, or CSC of 5 x 4.
TensorBytes compressed(std::uint8_t layout, std::vector<std::uint8_t> indices, std::vector<std::uint8_t> pointers) {
  const std::size_t nnz = indices.size() / 8;
  std::vector<std::uint64_t> shape{4, 5};
  if (layout == layouts::csc) std::swap(shape[0], shape[1]);
  return {with_layout(layout, shape, ByteString().u64(nnz).zeros(8), {}),
          {std::vector<std::uint8_t>(4 * nnz), std::move(indices), std::move(pointers)}};
}

TEST(BufferContents, KeepPointersAndIndicesOfCompressedMatrices) {
  struct Rules {
    std::uint8_t layout;
    Rule ends, monotone, increasing, bounds;
  };
  for (const Rules& rules :
       {Rules{layouts::csr, Rule::LAY_CSR_06, Rule::LAY_CSR_07, Rule::LAY_CSR_08, Rule::LAY_CSR_09},
        Rules{layouts::csc, Rule::LAY_CSC_06, Rule::LAY_CSC_07, Rule::LAY_CSC_08, Rule::LAY_CSC_09}}) {
    const auto with = [&](std::initializer_list<std::uint64_t> indices, std::initializer_list<std::uint64_t> pointers) {
      return compressed(rules.layout, u64s(indices), u64s(pointers));
    };
    expect_accepted(with({0, 3, 2, 1, 4}, {0, 2, 3, 5, 5}));
    expect_accepted(with({}, {0, 0, 0, 0, 0}));
    expect_broken(with({0, 3, 2, 1, 4}, {1, 2, 3, 5, 5}), rules.ends);
    expect_broken(with({0, 3, 2, 1, 4}, {0, 2, 3, 4, 4}), rules.ends);
    expect_broken(with({0, 3, 2, 1, 4}, {0, 2, 3, 5, 6}), rules.ends);
    expect_broken(with({0, 3, 2, 1, 4}, {0, 3, 2, 5, 5}), rules.monotone);
    expect_broken(with({0, 3, 2, 1, 4}, {0, 2, std::uint64_t{1} << 63, 5, 5}), rules.monotone);
    expect_broken(with({3, 3, 2, 1, 4}, {0, 2, 3, 5, 5}), rules.increasing);
    expect_broken(with({0, 3, 2, 4, 1}, {0, 2, 3, 5, 5}), rules.increasing);
    expect_broken(with({0, 5, 2, 1, 4}, {0, 2, 3, 5, 5}), rules.bounds);
    expect_broken(with({0, 3, 2, 1, ~std::uint64_t{0}}, {0, 2, 3, 5, 5}), rules.bounds);
  }
}

/// The example of layouts/csf.md: shape [2, 3, 4], four entries.
TensorBytes fibers() {
  return {with_layout(layouts::csf, {2, 3, 4}, ByteString().u64(4).u32s({0, 1, 2}).zeros(8), {}),
          {std::vector<std::uint8_t>(16), u64s({0, 2}), u64s({0, 1}), u64s({0, 2, 3}), u64s({0, 2, 1}), u64s({0, 1, 2, 4}),
           u64s({1, 3, 0, 2})}};
}
TensorBytes fibers(std::size_t buffer, std::vector<std::uint8_t> bytes) {
  TensorBytes tensor = fibers();
  tensor.contents[buffer] = std::move(bytes);
  return tensor;
}

TEST(BufferContents, KeepTheTreeOfFibers) {
  expect_accepted(fibers());
  expect_broken(fibers(1, u64s({1, 2})), Rule::LAY_CSF_07);
  expect_broken(fibers(5, u64s({1, 1, 2, 4})), Rule::LAY_CSF_07);
  expect_broken(fibers(4, u64s({2, 2, 1})), Rule::LAY_CSF_08);
  expect_broken(fibers(6, u64s({1, 3, 2, 0})), Rule::LAY_CSF_08);
  expect_broken(fibers(2, u64s({0, 2})), Rule::LAY_CSF_09);
  expect_broken(fibers(6, u64s({1, 3, 0, 4})), Rule::LAY_CSF_09);
  expect_broken(fibers(5, u64s({0, 3, 2, 4})), Rule::LAY_CSF_15);
  expect_broken(fibers(1, u64s({0, 1})), Rule::LAY_CSF_16);
  expect_broken(fibers(1, u64s({0, 3})), Rule::LAY_CSF_16);
  expect_broken(fibers(1, u64s({0})), Rule::LAY_CSF_16);
  expect_broken(fibers(1, {}), Rule::LAY_CSF_16);
  expect_broken(fibers(3, u64s({0, 2, 2})), Rule::LAY_CSF_16);
  expect_broken(fibers(5, u64s({0, 1, 2, 5})), Rule::LAY_CSF_16);
  expect_broken(fibers(0, std::vector<std::uint8_t>(15)), Rule::LAY_CSF_16);
}

TEST(BufferContents, BoundFibersByTheDimensionOfTheirLevel) {
  TensorBytes tensor = fibers();
  tensor.descriptor.fields = ByteString().u64(4).u32s({2, 0, 1}).zeros(8);  // levels bounded by 4, 2, 3
  expect_broken(tensor, Rule::LAY_CSF_09);
  tensor.descriptor.shape = {3, 4, 2};
  expect_accepted(tensor);
}

TEST(BufferContents, KeepAnEmptyTreeEmpty) {
  TensorBytes tensor = fibers();
  tensor.descriptor.fields = ByteString().u64(0).u32s({0, 1, 2}).zeros(8);
  tensor.contents = {{}, u64s({0, 0}), {}, u64s({0}), {}, u64s({0}), {}};
  expect_accepted(tensor);
  const auto with = [&tensor](std::size_t buffer, std::vector<std::uint8_t> bytes) {
    TensorBytes changed = tensor;
    changed.contents[buffer] = std::move(bytes);
    return changed;
  };
  expect_broken(with(1, u64s({0, 1})), Rule::LAY_CSF_10);
  expect_broken(with(1, u64s({0, 0, 0})), Rule::LAY_CSF_10);
  expect_broken(with(1, {}), Rule::LAY_CSF_10);
  expect_broken(with(0, {0, 0, 0, 0}), Rule::LAY_CSF_17);
  expect_broken(with(4, u64s({0})), Rule::LAY_CSF_17);
  expect_broken(with(3, u64s({0, 0})), Rule::LAY_CSF_18);
  expect_broken(with(5, u64s({1})), Rule::LAY_CSF_18);
}

/// Four pages of two tokens; three sequences of two, one and one page.
TensorBytes paged(bool wide, std::initializer_list<std::uint64_t> table, std::initializer_list<std::uint64_t> seq) {
  ByteString fields;
  fields.u32(2).u64(4).u32(0).u32(3).u8(0).u32(7).u8(wide ? 1 : 0).zeros(6);
  return {with_layout(layouts::block_paged, {7, 1, 1}, fields, {}),
          {std::vector<std::uint8_t>(32), wide ? u64s(table) : u32s(table), wide ? u64s(seq) : u32s(seq)}};
}

TEST(BufferContents, KeepBlockTablesAndSequencePointers) {
  for (const bool wide : {false, true}) {
    expect_accepted(paged(wide, {0, 3, 1, 0}, {0, 2, 3, 4}));
    expect_broken(paged(wide, {0, 3, 1, 4}, {0, 2, 3, 4}), Rule::LAY_BP_09);
    expect_broken(paged(wide, {0, 3, 0xFFFFFFFF, 0}, {0, 2, 3, 4}), Rule::LAY_BP_09);
    expect_broken(paged(wide, {0, 3, 1, 0}, {1, 2, 3, 4}), Rule::LAY_BP_08);
    expect_broken(paged(wide, {0, 3, 1, 0}, {0, 2, 3, 3}), Rule::LAY_BP_08);
    expect_broken(paged(wide, {0, 3, 1, 0}, {0, 2, 3, 5}), Rule::LAY_BP_08);
    expect_broken(paged(wide, {0, 3, 1, 0}, {0, 2, 3}), Rule::LAY_BP_08);
    expect_broken(paged(wide, {0, 3, 1, 0}, {0, 4, 3, 4}), Rule::LAY_BP_19);
  }
  TensorBytes torn_pool = paged(false, {0, 3, 1, 0}, {0, 2, 3, 4});
  torn_pool.contents[0].resize(31);
  expect_broken(torn_pool, Rule::LAY_BP_09);  // page 3 is not whole
}

TEST(BufferContents, AcceptAnEmptyBatch) {
  ByteString fields;
  fields.u32(2).u64(0).u32(0).u32(0).u8(0).u32(7).u8(0).zeros(6);
  expect_accepted({with_layout(layouts::block_paged, {0, 1, 1}, fields, {}), {{}, {}, u32s({0})}});
}

TensorBytes scaled(std::uint8_t type, std::vector<std::uint8_t> section, std::vector<std::uint64_t> shape, Contents contents) {
  DescriptorBytes d;
  d.type = type;
  d.shape = std::move(shape);
  d.quantization = std::move(section);
  return {d, std::move(contents)};
}

TEST(BufferContents, KeepChannelParametersUsable) {
  const auto with = [](std::uint64_t scale, std::uint64_t zero_point) {
    ByteString section;
    section.u8(2).u8(1).u16(0).u32s({0, 1, 2}).u8(3).zeros(3);
    return scaled(facts::tag::int4, section, {2, 2}, {{0, 0}, u32s({0x3F800000, scale}), u32s({7, zero_point})});
  };
  const std::uint64_t lowest = 0xFFFFFFF8;
  expect_accepted(with(0x80000001, lowest));
  for (const std::uint64_t scale : {0x00000000u, 0x80000000u, 0x7F800000u, 0xFF800000u, 0x7FC00000u, 0x7F800001u})
    expect_broken(with(scale, 0), Rule::Q_PCA_10);
  for (const std::uint64_t zero_point : std::initializer_list<std::uint64_t>{8, lowest - 1})
    expect_broken(with(0x3F800000, zero_point), Rule::Q_PCA_11);
}

TEST(BufferContents, FindZeroPointsBehindScalesInASharedBuffer) {
  ByteString section;
  section.u8(2).u8(1).u16(0).u32s({0, 1, 1}).u8(3).zeros(3);
  const auto with = [&section](std::uint64_t zero_point) {
    return scaled(facts::tag::int4, section, {2, 2}, {{0, 0}, u32s({0x3F800000, 0x3F800000, 7, zero_point})});
  };
  expect_accepted(with(1));
  expect_broken(with(8), Rule::Q_PCA_11);
}

TEST(BufferContents, KeepBlockScalesUsableInEveryScaleType) {
  struct Scale {
    std::uint8_t type;
    std::uint64_t bits;
    bool usable;
  };
  for (const Scale& scale :
       {Scale{1, 0x3C00, true}, Scale{1, 0x8001, true}, Scale{1, 0x0000, false}, Scale{1, 0x8000, false},
        Scale{1, 0x7C00, false}, Scale{1, 0xFC01, false}, Scale{2, 0x3F80, true}, Scale{2, 0x0001, true},
        Scale{2, 0x8000, false}, Scale{2, 0x7F80, false}, Scale{2, 0x7FC0, false}, Scale{3, 0x3F800000, true},
        Scale{3, 0, false}, Scale{3, 0x7F800000, false}}) {
    ByteString section, scales;
    section.u8(3).u8(1).u16(1).u32s({0, 2, 1, facts::limit::no_buffer}).u8(scale.type).zeros(3);
    if (scale.type == 3) scales.u32(0x3F800000).u32(scale.bits);
    else scales.u16(0x3C00).u16(scale.bits);
    const TensorBytes tensor = scaled(facts::tag::int8, section, {4}, {{1, 2, 3, 4}, scales});
    if (scale.usable) expect_accepted(tensor);
    else expect_broken(tensor, Rule::Q_PBA_13);
  }
}

TEST(BufferContents, LetNf4ScalesBeZeroButNotNegative) {
  const auto with = [](std::uint64_t scale) {
    return scaled(facts::tag::uint4, ByteString().u8(4).u8(1).u16(0).u32s({0, 8, 1}), {8}, {{1, 2, 3, 4}, u32s({scale})});
  };
  for (const std::uint64_t scale : {0x00000000u, 0x80000000u, 0x3F800000u}) expect_accepted(with(scale));
  for (const std::uint64_t scale : {0xBF800000u, 0x80000001u, 0x7F800000u, 0x7FC00000u})
    expect_broken(with(scale), Rule::Q_NF4_08);
}

TEST(BufferContents, ReserveTwoMicroscalingExponents) {
  const auto with = [](std::uint8_t scale) {
    const Contents contents{std::vector<std::uint8_t>(32), {127, scale}};
    return scaled(facts::tag::int8, ByteString().u8(5).u8(1).u16(0).u32s({0, 16, 1}), {32}, contents);
  };
  expect_accepted(with(1));
  expect_accepted(with(254));
  for (const std::uint8_t scale : Octets{0, 255}) expect_broken(with(scale), Rule::Q_MX_07);
}

TensorBytes exponents(DescriptorBytes descriptor, std::vector<std::uint8_t> bytes) {
  descriptor.type = facts::tag::float8_e8m0;
  return {std::move(descriptor), {std::move(bytes)}};
}

/// Whether each byte of a buffer, set to a reserved code alone, is an element: '#' for yes.
std::string elements_of(const DescriptorBytes& descriptor, std::size_t size) {
  std::string found;
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<std::uint8_t> bytes(size, 127);
    bytes[i] = i % 2 == 0 ? 0x00 : 0xFF;
    const std::optional<Violation> violation = violation_of(exponents(descriptor, bytes), Waivers::none());
    EXPECT_TRUE(!violation || violation->rule == Rule::TYPE_E8M0_01) << described(violation);
    found += violation ? '#' : '.';
  }
  return found;
}

TEST(BufferContents, ReserveTwoExponentCodesInElementsAlone) {
  DescriptorBytes row_major = with_layout(layouts::row_major, {2, 3}, {}, {});
  row_major.byte_offset = 2;
  EXPECT_EQ(elements_of(row_major, 10), "..######..");
  DescriptorBytes empty = with_layout(layouts::row_major, {0, 3}, {}, {});
  EXPECT_EQ(elements_of(empty, 3), "...");
  DescriptorBytes morton = with_layout(layouts::morton, {3, 2}, ByteString().u32s({2, 2}), {});
  EXPECT_EQ(elements_of(morton, 16), "#####.#.........");
  DescriptorBytes stored = with_layout(layouts::coo, {9}, ByteString().u64(2).zeros(8), {});
  EXPECT_EQ(violation_of({stored, {std::vector<std::uint8_t>(8), u64s({0, 4})}}, Waivers::none()), std::nullopt);
  stored.type = facts::tag::float8_e8m0;
  expect_broken({stored, {{127, 0}, u64s({0, 4})}}, Rule::TYPE_E8M0_01);
  expect_accepted({stored, {{127, 1, 0}, u64s({0, 4})}});
}

TEST(BufferContents, FollowStridesToTheBytesThatHoldElements) {
  DescriptorBytes strided = with_layout(layouts::strided, {2, 3}, u64s({7, 2}), {});
  EXPECT_EQ(elements_of(strided, 13), "#.#.#..#.#.#.");
  strided.fields = u64s({~std::uint64_t{4}, 0});  // -5
  strided.byte_offset = 6;
  EXPECT_EQ(elements_of(strided, 8), ".#....#.");
  strided.shape = {std::uint64_t{1} << 40, 3};  // aliases: far more elements than bytes
  strided.fields = u64s({0, 3});
  strided.byte_offset = 0;
  EXPECT_EQ(elements_of(strided, 8), "#..#..#.");
}

TEST(BufferContents, FollowTilesToTheBytesThatHoldElements) {
  const auto tile = [](std::initializer_list<std::uint64_t> shape, std::uint8_t outer, std::uint8_t inner) {
    return ByteString().u64s(shape).u8(outer).u8(inner).zeros(2);
  };
  DescriptorBytes tiled = with_layout(layouts::tiled, {3, 3}, tile({2, 2}, 1, 1), {});
  EXPECT_EQ(elements_of(tiled, 16), "#####.#.##..#...");
  tiled.fields = tile({2, 2}, 2, 2);
  EXPECT_EQ(elements_of(tiled, 16), "#####.#.##..#...");
  tiled.shape = {2, 3};
  EXPECT_EQ(elements_of(tiled, 8), "######..");
  tiled.fields = tile({2, 2}, 1, 1);
  EXPECT_EQ(elements_of(tiled, 8), "#####.#.");
  tiled.shape = {3};
  tiled.fields = tile({4}, 1, 4).append(tile({2}, 1, 1));
  EXPECT_EQ(elements_of(tiled, 4), "###.");
  tiled.shape = {4, 2};
  tiled.fields = tile({2, 2}, 3, 1).u64s({2, 1});  // a gap of one tile
  EXPECT_EQ(elements_of(tiled, 12), "####....####");
}

}  // namespace
}  // namespace hurray::reference::tests
