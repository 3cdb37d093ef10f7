// From stored codes to float32 (quantization/*.md): int32 subtraction, one float32 product, nothing fused.
#pragma once

#include "reference/address.h"
#include "reference/element.h"

namespace hurray::reference {

/// How one tensor's codes become numbers. Parameters (one a channel, one a block, one a page slot) are numbered by a sum of
/// terms, one an axis, as positions are.
class Dequantizer {
 public:
  /// A tensor without a scheme is left as it is. no_values: an unknown scheme or a storage type that it cannot decode.
  [[nodiscard]] ValueStatus prepare(const Descriptor& descriptor, const DenseAddress& address, std::span<const Bytes> buffers);

  bool active() const { return scheme_ != 0; }
  /// What index `i` along `axis` adds to the number of the parameter.
  [[nodiscard]] std::optional<std::int64_t> parameter_term(std::size_t axis, std::uint64_t i) const;
  /// Parameter number `parameter`; nothing where the buffers do not hold it. Reserved scale codes (float8_e8m0 00 and FF)
  /// are NaN.
  struct Parameters {
    float scale;
    std::int32_t zero_point;
  };
  [[nodiscard]] std::optional<Parameters> parameters(std::int64_t parameter) const;
  /// The float32 of `code`. Where int32 cannot hold the difference of code and zero point it wraps; a NaN element keeps sign
  /// and payload, any other NaN is the positive quiet one.
  [[nodiscard]] float value(Pattern code, Parameters parameters) const;

 private:
  [[nodiscard]] ValueStatus prepare_parameters(const Descriptor& descriptor, std::span<const Bytes> buffers);
  float scale(Pattern code) const;
  std::int32_t integer(Pattern code) const;
  float small_float(Pattern code) const;

  const Quantization* section_ = nullptr;
  const DenseAddress* address_ = nullptr;
  std::uint8_t scheme_ = 0;
  facts::Kind kind_ = facts::Kind::signed_integer;
  std::uint8_t bits_ = 8;
  std::optional<FloatFormat> element_format_;  // of a floating-point storage type
  std::int64_t slots_per_parameter_ = 0;       // block-paged and per block: parameters follow the page slots
  std::uint8_t scale_type_ = 0;
  Elements scales_, zero_points_;
  bool has_zero_points_ = false;
  std::int64_t outer_steps_[facts::limit::rank];  // block schemes: parameters between neighbours along each other axis
};

}  // namespace hurray::reference
