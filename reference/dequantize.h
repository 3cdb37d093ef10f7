// From stored codes to float32 (quantization/*.md): int32 subtraction, one float32 product, nothing fused.
#pragma once

#include "reference/address.h"
#include "reference/element.h"

namespace hurray::reference {

/// How one tensor's codes become numbers. Parameters (one a channel, one a block, one a page slot) are numbered by a sum of
/// terms, one an axis, as positions are.
class Dequantizer {
 public:
  /// Of a readable tensor; one without a scheme is left as it is.
  Dequantizer(const Descriptor& descriptor, std::span<const Bytes> buffers);

  bool active() const { return scheme_ != 0; }
  /// What index `i` along `axis` adds to the number of the parameter.
  [[nodiscard]] std::int64_t parameter_term(std::size_t axis, std::uint64_t i) const;
  /// Parameter number `parameter`.
  struct Parameters {
    float scale;
    std::int32_t zero_point;
  };
  [[nodiscard]] Parameters parameters(std::int64_t parameter) const;
  /// The float32 of `code`. Where int32 cannot hold the difference of code and zero point it wraps; a NaN element keeps sign
  /// and payload, any other NaN is the positive quiet one.
  [[nodiscard]] float value(Pattern code, Parameters parameters) const;

 private:
  void prepare_parameters(const Descriptor& descriptor, std::span<const Bytes> buffers);
  float scale(Pattern code) const;
  std::int32_t integer(Pattern code) const;
  float small_float(Pattern code) const;

  const Quantization& section_;
  std::uint8_t scheme_;
  facts::Kind kind_ = facts::Kind::signed_integer;
  std::uint8_t bits_ = 8;
  std::optional<FloatFormat> element_format_;  // of a floating-point storage type
  std::uint8_t scale_type_ = 0;
  Elements scales_, zero_points_;
  bool has_zero_points_ = false;
  std::int64_t outer_steps_[facts::limit::rank];  // block schemes: parameters between neighbours along each other axis
};

}  // namespace hurray::reference
