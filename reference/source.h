// One readable plain tensor of a reading, made ready to be read element by element: layout, buffers and scheme together.
#pragma once

#include "reference/dequantize.h"
#include "reference/read.h"
#include "reference/stored.h"

namespace hurray::reference {

class Source {
 public:
  /// `reading` must outlive it.
  Source(const Reading& reading, std::uint32_t tensor);

  const Descriptor& descriptor() const { return descriptor_; }
  std::span<const Bytes> buffers() const { return buffers_; }
  bool sparse() const { return sparse_; }
  bool quantized() const { return dequantizer_.active(); }
  const DenseAddress& address() const { return address_; }
  const Elements& elements() const { return elements_; }
  const Dequantizer& dequantizer() const { return dequantizer_; }

  /// Bits that can be copied from places that strides tell: dense, affine and not quantized.
  bool copyable() const { return !quantized() && address_.is_affine(); }
  /// The number of the quantization parameter that element `index` takes.
  [[nodiscard]] std::int64_t parameter(const std::uint64_t* index) const;
  /// The codes of a row that was loaded from it, turned in place into patterns of element type `view_type`: parameter
  /// base + terms[j] decodes row[j]. Does nothing to a tensor that is not quantized.
  void decode_row(std::int64_t base, std::span<const std::int64_t> terms, std::uint8_t view_type, Pattern* row) const;
  /// The value of the stored element at `position`, which belongs to `index`, in element type `view_type`.
  [[nodiscard]] Pattern value_at(std::int64_t position, const std::uint64_t* index, std::uint8_t view_type) const;

 private:
  const Descriptor& descriptor_;
  std::span<const Bytes> buffers_;
  bool sparse_;
  DenseAddress address_;
  Elements elements_;
  Dequantizer dequantizer_;
};

/// How many elements a static shape has; empty where the count does not fit 64 bits.
[[nodiscard]] std::optional<std::uint64_t> element_count(const U64Array& shape);

}  // namespace hurray::reference
