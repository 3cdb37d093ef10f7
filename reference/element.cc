#include "reference/element.h"

#include <algorithm>
#include <cfloat>

namespace hurray::reference {
namespace {

static_assert(FLT_EVAL_METHOD == 0, "float and double arithmetic must not carry excess precision");

std::int64_t floor_divide(std::int64_t value, std::int64_t by) { return value >= 0 ? value / by : -((-value + by - 1) / by); }

Pattern low_bits(int bits) { return bits < 128 ? (Pattern{1} << bits) - 1 : ~Pattern{0}; }

/// Bits [bit, bit + width) of `bytes`, width below 8.
Pattern load_packed(const std::uint8_t* bytes, std::int64_t bit, unsigned width) {
  const std::int64_t byte = floor_divide(bit, 8);
  const auto shift = static_cast<unsigned>(bit - byte * 8);
  unsigned value = static_cast<unsigned>(bytes[byte]) >> shift;
  if (shift + width > 8) value |= static_cast<unsigned>(bytes[byte + 1]) << (8 - shift);
  return value & ((1u << width) - 1);
}

Pattern load_wide_element(const std::uint8_t* bytes) {
  return (Pattern{load_little_endian<std::uint64_t>(bytes + 8)} << 64) | load_little_endian<std::uint64_t>(bytes);
}

void store_packed(std::uint8_t* bytes, std::uint64_t bit, unsigned width, unsigned value) {
  std::uint8_t* const byte = bytes + bit / 8;
  const auto shift = static_cast<unsigned>(bit % 8);
  const unsigned mask = ((1u << width) - 1) << shift;
  value <<= shift;
  byte[0] = static_cast<std::uint8_t>((byte[0] & ~mask) | (value & 0xFF));
  if (shift + width > 8) byte[1] = static_cast<std::uint8_t>((byte[1] & ~(mask >> 8)) | (value >> 8));
}

template <typename T>
void load_whole(const Elements& elements, std::int64_t base, std::span<const std::int64_t> terms, Pattern* row) {
  for (std::size_t j = 0; j < terms.size(); ++j) row[j] = load_little_endian<T>(elements.address(base + terms[j]));
}

template <unsigned Width>
void load_parts(const Elements& elements, std::int64_t base, std::span<const std::int64_t> terms, Pattern* row) {
  for (std::size_t j = 0; j < terms.size(); ++j)
    row[j] = load_packed(elements.address(0), (base + terms[j]) * Width, Width);
}

template <typename T>
void store_whole(std::uint8_t* bytes, std::span<const Pattern> row) {
  for (std::size_t j = 0; j < row.size(); ++j) store_little_endian(bytes + j * sizeof(T), static_cast<T>(row[j]));
}

/// The processor's addition rounds as the format demands; only what NaN comes out differs from machine to machine.
template <typename Float, typename Code>
void add_floats(FloatFormat format, std::uint8_t* bytes, std::span<const Pattern> row) {
  for (std::size_t j = 0; j < row.size(); ++j) {
    std::uint8_t* const at = bytes + j * sizeof(Code);
    const auto left = load_little_endian<Code>(at), right = static_cast<Code>(row[j]);
    const Float sum = std::bit_cast<Float>(left) + std::bit_cast<Float>(right);
    store_little_endian(at, sum == sum ? std::bit_cast<Code>(sum) : static_cast<Code>(add(format, left, right)));
  }
}

template <typename Code>
void add_integers(std::uint8_t* bytes, std::span<const Pattern> row) {
  for (std::size_t j = 0; j < row.size(); ++j) {
    std::uint8_t* const at = bytes + j * sizeof(Code);
    store_little_endian(at, static_cast<Code>(load_little_endian<Code>(at) + static_cast<Code>(row[j])));
  }
}

Pattern add_exponents(Pattern left, Pattern right) {
  constexpr Pattern nan = 0xFF;
  const Pattern high = std::max(left, right), low = std::min(left, right);
  if (low == 0 || high == nan) return nan;      // reserved codes
  if (high == low) return high + 1;             // twice the value; 0xFE becomes NaN
  if (high - low == 1) return high + (high & 1);  // half way between two powers: the even code
  return high;
}

Pattern add_complex(FloatFormat part, Pattern left, Pattern right) {
  const int bits = part.bits();
  const Pattern mask = low_bits(bits);
  return add(part, left & mask, right & mask) | (add(part, left >> bits, right >> bits) << bits);
}

}  // namespace

Pattern Elements::at(std::int64_t position) const {
  switch (bits_) {
    case 8: return *address(position);
    case 16: return load_little_endian<std::uint16_t>(address(position));
    case 32: return load_little_endian<std::uint32_t>(address(position));
    case 64: return load_little_endian<std::uint64_t>(address(position));
    case 128: return load_wide_element(address(position));
  }
  return load_packed(first_, position * bits_, bits_);
}

void load_row(const Elements& elements, std::int64_t base, std::span<const std::int64_t> terms, Pattern* row) {
  switch (elements.bits()) {
    case 1: return load_parts<1>(elements, base, terms, row);
    case 2: return load_parts<2>(elements, base, terms, row);
    case 4: return load_parts<4>(elements, base, terms, row);
    case 6: return load_parts<6>(elements, base, terms, row);
    case 8: return load_whole<std::uint8_t>(elements, base, terms, row);
    case 16: return load_whole<std::uint16_t>(elements, base, terms, row);
    case 32: return load_whole<std::uint32_t>(elements, base, terms, row);
    case 64: return load_whole<std::uint64_t>(elements, base, terms, row);
  }
  for (std::size_t j = 0; j < terms.size(); ++j) row[j] = elements.at(base + terms[j]);
}

Pattern ElementArray::load(std::uint64_t position) const {
  switch (bits) {
    case 8: return bytes[position];
    case 16: return load_little_endian<std::uint16_t>(bytes + position * 2);
    case 32: return load_little_endian<std::uint32_t>(bytes + position * 4);
    case 64: return load_little_endian<std::uint64_t>(bytes + position * 8);
    case 128: return load_wide_element(bytes + position * 16);
  }
  return load_packed(bytes, static_cast<std::int64_t>(position * bits), bits);
}

void ElementArray::store(std::uint64_t position, Pattern pattern) const { store_row(position, {&pattern, 1}); }

void ElementArray::fill_zero(std::uint64_t position, std::uint64_t count) const {
  std::uint64_t bit = position * bits;
  const std::uint64_t end = bit + count * bits;
  // Element by element up to a byte boundary (at most a group of eight), whole bytes, and the rest.
  for (; bit < end && bit % 8 != 0; bit += bits) store_packed(bytes, bit, bits, 0);
  const std::uint64_t whole_bytes = (end - bit) / 8;
  std::memset(bytes + bit / 8, 0, whole_bytes);
  bit += whole_bytes * 8;
  for (; bit < end; ++bit) store_packed(bytes, bit, 1, 0);
}

void ElementArray::copy_row(std::uint64_t position, const Elements& from, std::int64_t from_position,
                            std::uint64_t count) const {
  if (bits >= 8) {
    std::memcpy(bytes + position * (bits / 8u), from.address(from_position), count * (bits / 8u));
    return;
  }
  for (std::uint64_t j = 0; j < count; ++j)
    store_packed(bytes, (position + j) * bits, bits, static_cast<unsigned>(from.at(from_position + static_cast<std::int64_t>(j))));
}

void ElementArray::store_row(std::uint64_t position, std::span<const Pattern> row) const {
  switch (bits) {
    case 8: return store_whole<std::uint8_t>(bytes + position, row);
    case 16: return store_whole<std::uint16_t>(bytes + position * 2, row);
    case 32: return store_whole<std::uint32_t>(bytes + position * 4, row);
    case 64: return store_whole<std::uint64_t>(bytes + position * 8, row);
    case 128: return store_whole<Unsigned128>(bytes + position * 16, row);
  }
  for (std::size_t j = 0; j < row.size(); ++j) store_packed(bytes, (position + j) * bits, bits, static_cast<unsigned>(row[j]));
}

void ElementArray::add_row(std::uint64_t position, std::span<const Pattern> row) const {
  namespace tag = facts::tag;
  std::uint8_t* const first = bytes + position * (bits / 8u);  // of whole bytes
  switch (type_tag) {
    case tag::float32: return add_floats<float, std::uint32_t>(float32_format, first, row);
    case tag::float64: return add_floats<double, std::uint64_t>(float64_format, first, row);
    case tag::int8:
    case tag::uint8: return add_integers<std::uint8_t>(first, row);
    case tag::int16:
    case tag::uint16: return add_integers<std::uint16_t>(first, row);
    case tag::int32:
    case tag::uint32: return add_integers<std::uint32_t>(first, row);
    case tag::int64:
    case tag::uint64: return add_integers<std::uint64_t>(first, row);
  }
  if (const auto format = float_format(type_tag)) {
    for (std::size_t j = 0; j < row.size(); ++j) store(position + j, add(*format, load(position + j), row[j]));
    return;
  }
  for (std::size_t j = 0; j < row.size(); ++j) store(position + j, add_elements(type_tag, load(position + j), row[j]));
}

Pattern add_elements(std::uint8_t type_tag, Pattern left, Pattern right) {
  if (const auto format = float_format(type_tag)) return add(*format, left, right);
  const facts::ElementType* type = facts::element_type(type_tag);
  switch (type->kind) {
    case facts::Kind::binary_float:
    case facts::Kind::small_float: break;  // done above
    case facts::Kind::exponent: return add_exponents(left, right);
    case facts::Kind::signed_integer:
    case facts::Kind::unsigned_integer: return (left + right) & low_bits(type->bits);
    case facts::Kind::boolean: return left | right;
    case facts::Kind::complex: return add_complex(type->bits == 64 ? float32_format : float64_format, left, right);
  }
  return 0;
}

}  // namespace hurray::reference
