// One plain tensor of a reading, made ready to be read element by element: layout, buffers and scheme together.
#pragma once

#include "reference/dequantize.h"
#include "reference/stored.h"

namespace hurray::reference {

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;  // parts point at each other
  Source& operator=(const Source&) = delete;

  /// no_values: opaque, a dynamic dimension, an unknown type, layout or scheme, or no buffers (surface `descriptor`).
  [[nodiscard]] ValueStatus prepare(const Reading& reading, std::uint32_t tensor);

  const Descriptor& descriptor() const { return *descriptor_; }
  std::span<const Bytes> buffers() const { return buffers_; }
  bool sparse() const { return sparse_; }
  bool quantized() const { return dequantizer_.active(); }
  const DenseAddress& address() const { return address_; }
  const Elements& elements() const { return elements_; }
  const Dequantizer& dequantizer() const { return dequantizer_; }

  /// Bits that can be copied from places that strides tell: dense, affine and not quantized.
  bool copyable() const { return !sparse_ && !quantized() && address_.is_affine(); }
  /// Of an affine tensor that is not empty: whether every element lies in the buffer.
  [[nodiscard]] bool holds_affine_box() const;
  /// The number of the quantization parameter that element `index` takes.
  [[nodiscard]] std::optional<std::int64_t> parameter(const std::uint64_t* index) const;
  /// The codes of a row that was loaded from it, turned in place into patterns of element type `view_type`: parameter
  /// base + terms[j] decodes row[j]. Does nothing to a tensor that is not quantized.
  [[nodiscard]] bool decode_row(std::int64_t base, std::span<const std::int64_t> terms, std::uint8_t view_type,
                                Pattern* row) const;
  /// The value of the stored element at `position`, which belongs to `index`, in element type `view_type`.
  [[nodiscard]] ValueStatus value_at(std::int64_t position, const std::uint64_t* index, std::uint8_t view_type,
                                     Pattern& value) const;

 private:
  const Descriptor* descriptor_ = nullptr;
  std::span<const Bytes> buffers_;
  bool sparse_ = false;
  DenseAddress address_;
  Elements elements_;
  Dequantizer dequantizer_;
};

/// The element type of a tensor's own view: float32 where it is quantized, else its type_tag.
[[nodiscard]] std::uint8_t view_type(const Descriptor& descriptor);

/// Whether a tensor whose own view has type `from`, quantized or not, is seen under a head of type `to`: in the same type,
/// or, quantized (AMB-01), in any signed floating-point type, to which its float32 is rounded.
[[nodiscard]] bool is_seen_as(const Descriptor& descriptor, std::uint8_t to);

/// How many elements a shape has; empty where a dimension is dynamic or the count does not fit 128 bits' low half.
[[nodiscard]] std::optional<std::uint64_t> element_count(const U64Array& shape);

[[nodiscard]] bool has_dynamic_dimension(const U64Array& shape);

}  // namespace hurray::reference
