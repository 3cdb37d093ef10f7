// Random composites of every element type: lookup goes down member by member, merge paints; both must say the same.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "reference/tests/reading_builder.h"

namespace hurray::reference {
namespace {

namespace tag = facts::tag;
namespace layout_tag = facts::layout_tag;

ByteVector counting(std::size_t n, float first = 0) {
  std::vector<float> numbers(n);
  std::iota(numbers.begin(), numbers.end(), first);
  return floats(numbers);
}

/// A random tensor of this shape: row-major, column-major, strided and, with `kinds` 5, COO or Morton.
void random_member(ReadingBuilder& b, std::mt19937& random, std::uint8_t type, const Indices& shape, unsigned kinds = 5) {
  std::uint64_t count = 1;
  for (const std::uint64_t extent : shape) count *= extent;
  const auto random_bytes = [&](std::uint64_t elements) {
    ByteVector bytes(elements * 16 + 3);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
  };
  switch (random() % kinds) {
    case 0: b.tensor(type, shape, {random_bytes(count)}); return;
    case 1: b.tensor(type, shape, {random_bytes(count)}, layout_tag::column_major); return;
    case 2: {
      std::vector<std::int64_t> strides(shape.size());
      for (std::int64_t& stride : strides) stride = static_cast<std::int64_t>(random() % 7) - 3;
      b.strided(type, shape, random_bytes(200), strides, 16 * 40);
      return;
    }
    case 3: {
      Indices coordinates;
      std::uint64_t nnz = 0;
      for (std::uint64_t position = random() % 3; position < count; position += 1 + random() % 4, ++nnz) {
        Indices index(shape.size());
        std::uint64_t rest = position;
        for (std::size_t axis = shape.size(); axis-- > 0; rest /= shape[axis]) index[axis] = rest % shape[axis];
        coordinates.insert(coordinates.end(), index.begin(), index.end());
      }
      b.coo(type, shape, random_bytes(nnz), coordinates);
      return;
    }
    default: {
      const std::uint32_t at = b.tensor(type, shape, {random_bytes(1u << (2 * shape.size()))}, layout_tag::morton);
      b.descriptor(at).layout.morton_bits = b.u32_array(std::vector<std::uint32_t>(shape.size(), 2));
      return;
    }
  }
}

/// An overlay of random members, some of them nested heads.
void random_overlay(ReadingBuilder& b, std::mt19937& random, std::uint8_t type, const Indices& shape, int depth) {
  random() % 2 == 0 ? b.replace(type, shape) : b.add(type, shape);
  random_member(b, random, type, shape);
  for (int correction = 0; correction < 3; ++correction) {
    Indices size(shape.size()), offset(shape.size());
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      size[axis] = random() % (shape[axis] + 1);
      offset[axis] = random() % (shape[axis] - size[axis] + 1);
    }
    const auto at = static_cast<std::uint32_t>(b.reading().tensors.size());
    if (depth > 0 && random() % 3 == 0)
      random_overlay(b, random, type, size, depth - 1);
    else
      random_member(b, random, type, size);
    b.at(at, offset);
  }
  b.close();
}

TEST(RandomOverlays, LookupAndMergeAreTheSameForEveryType) {
  std::mt19937 random{1};
  for (const facts::ElementType& type : facts::element_types)
    for (int round = 0; round < 40; ++round) {
      ReadingBuilder b;
      Indices shape(1 + random() % 3);
      for (std::uint64_t& extent : shape) extent = 1 + random() % 4;
      random_overlay(b, random, type.tag, shape, 2);
      ASSERT_TRUE(lookup_agrees_with_merge(b.reading())) << type.name << " round " << round;
    }
}

TEST(RandomCopies, OverlappingCorrectionsAreCutApartRight) {
  std::mt19937 random{2};
  for (const std::uint8_t type : {tag::float32, tag::uint8, tag::int4, tag::boolean, tag::float6_e2m3, tag::complex128})
    for (int round = 0; round < 100; ++round) {
      ReadingBuilder b;
      Indices shape(1 + random() % 4);
      for (std::uint64_t& extent : shape) extent = 1 + random() % 5;
      b.replace(type, shape);
      random_member(b, random, type, shape, 3);
      for (int correction = 0; correction < 6; ++correction) {
        Indices size(shape.size()), offset(shape.size());
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
          size[axis] = random() % (shape[axis] + 1);
          offset[axis] = random() % (shape[axis] - size[axis] + 1);
        }
        random_member(b, random, type, size, 3);
        b.at(offset);
      }
      b.close();
      ASSERT_TRUE(lookup_agrees_with_merge(b.reading())) << int{type} << " round " << round;
    }
}

TEST(LargeViews, AreFilledInSlabsWithoutSeams) {
  ReadingBuilder b;  // 3 x 300 x 400 float32, cut along the last two axes: several slabs, some in the middle of an outer index
  b.partition(tag::float32, {3, 300, 400});
  b.tensor(tag::float32, {3, 300, 150}, {counting(3 * 300 * 150)});
  b.tensor(tag::float32, {3, 100, 250}, {counting(3 * 100 * 250, 200000)});
  b.at({0, 0, 150});
  b.tensor(tag::float32, {3, 200, 250}, {counting(3 * 200 * 250, 400000)}, layout_tag::column_major);
  b.at({0, 100, 150}).close();
  EXPECT_TRUE(lookup_agrees_with_merge(b.reading()));
}

}  // namespace
}  // namespace hurray::reference
