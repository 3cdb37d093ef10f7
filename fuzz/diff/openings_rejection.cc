// Which rejections the format leaves open: rules of class `either`, and the corners of other rules that a reading names.
#include <algorithm>

#include "fuzz/diff/lenient.h"
#include "fuzz/diff/openings.h"
#include "reference/storage_size.h"

namespace hurray::fuzz {
namespace {

using facts::Rule;
using reference::Reading;

/// Any more is far beyond what a bound of the reader's own could be (OPEN-11: up to hundreds either, thousands reject).
constexpr unsigned most_open_tile_levels = 999;

std::uint32_t heads_in_a_chain(const Reading& reading) {
  std::uint32_t longest = 0;
  for (const reference::Tensor& tensor : reading.tensors)
    if (tensor.descriptor.is_head()) longest = std::max(longest, tensor.depth + 1);
  return longest;
}

bool names_private_device(const Reading& reading) {
  return std::any_of(reading.tensors.begin(), reading.tensors.end(), [](const reference::Tensor& tensor) {
    for (std::size_t k = 0; k < tensor.descriptor.buffer_count; ++k)
      if (facts::is_private(tensor.descriptor.buffer(k).device_tag)) return true;
    return false;
  });
}

/// Scale and zero-point in one buffer, by equal indices.
bool shares_parameters(const Reading& reading) {
  return std::any_of(reading.tensors.begin(), reading.tensors.end(), [](const reference::Tensor& tensor) {
    const reference::Quantization& q = tensor.descriptor.quantization;
    return q.scale_buffer_index != facts::limit::no_buffer && q.scale_buffer_index == q.zero_point_buffer_index;
  });
}

bool hilbert_buffer_is_longer(const Reading& reading) {
  return std::any_of(reading.tensors.begin(), reading.tensors.end(), [](const reference::Tensor& tensor) {
    const reference::Descriptor& d = tensor.descriptor;
    const facts::ElementType* type = facts::element_type(d.type_tag);
    if (d.layout_tag != facts::layout_tag::hilbert || type == nullptr || d.buffer_count == 0) return false;
    return reference::Wide{d.buffer(0).byte_size} > reference::element_count(d) * type->bits / 8;
  });
}

/// The descriptor is not decoded to its end; the input bounds its levels, each of which takes twelve bytes or more.
bool may_be_hundreds_of_levels(Bytes input) { return input.size() / 12 <= most_open_tile_levels; }

}  // namespace

std::string_view open_rejection(const reference::Violation& broken, Bytes input, facts::Surface surface) {
  const Rule rule = broken.rule;
  if (facts::facts_of(rule).rule_class == facts::RuleClass::either) return "a rule of class either";
  if (rule == Rule::Q_PCA_10 || rule == Rule::Q_PCA_11) return "OPEN-22";
  if (rule == Rule::VER_02) return "AMB-33";
  if (rule == Rule::FILE_KV_07) return broken.at < input.size() && facts::is_private(input[static_cast<std::size_t>(broken.at)]) ? "OPEN-01" : "";
  if (rule == Rule::LAY_TILE_05) return may_be_hundreds_of_levels(input) ? "OPEN-11" : "";
  if (rule == Rule::FILE_IDX_10) return region_is_within_the_file(broken, input) ? "OPEN-14" : "";
  if (rule == Rule::CMP_TORN_01) return surface == facts::Surface::framed && has_several_streams(input) ? "AMB-38" : "";
  const bool looks_further = rule == Rule::CMP_DEPTH_01 || rule == Rule::BUF_MEM_03 || rule == Rule::BUF_MEM_04 || rule == Rule::DESC_BUF_11 ||
                             rule == Rule::Q_PBA_09 || rule == Rule::LAY_HIL_05 || rule == Rule::FILE_DATA_02;
  if (!looks_further) return {};
  const Reading lenient = read_leniently(input, surface, reference::Waivers::none()).reading;
  if (rule == Rule::CMP_DEPTH_01) return heads_in_a_chain(lenient) == facts::limit::composite_depth + 1 ? "AMB-05" : "";
  if (rule == Rule::DESC_BUF_11 || rule == Rule::Q_PBA_09) return shares_parameters(lenient) ? "AMB-16" : "";
  if (rule == Rule::LAY_HIL_05) return hilbert_buffer_is_longer(lenient) ? "OPEN-12" : "";
  if (rule == Rule::FILE_DATA_02) return buffers_fit_where_they_belong(lenient, input) ? "OPEN-08" : "";
  return names_private_device(lenient) ? "OPEN-01" : "";
}

}  // namespace hurray::fuzz
