#include "reference/storage_size.h"

#include <algorithm>

namespace hurray::reference {

Wide wide_multiply(Wide left, Wide right) {
  constexpr Wide word = ~std::uint64_t{0};
  if (left <= word && right <= word) return std::min(left * right, wide_cap);  // the common case, without a division
  if (left == 0 || right == 0) return 0;
  return left > wide_cap / right ? wide_cap : left * right;
}

Wide wide_add(Wide left, Wide right) { return std::min(left + right, wide_cap); }

std::optional<Packing> packing_of(const Descriptor& d) {
  if (const facts::ElementType* const type = facts::element_type(d.type_tag)) return Packing{type->packing, type->group_bytes};
  const std::uint32_t width = d.extension_bit_width;
  if (!facts::is_private(d.type_tag) || width == 0) return std::nullopt;
  if (width % 8 == 0 && d.extension_packing == 1) return Packing{1, width / 8};
  if (width < 8 && d.extension_packing * width == 8) return Packing{d.extension_packing, 1};
  return std::nullopt;
}

Wide packed_bytes(Wide count, Packing packing) {
  if (packing.elements == 1) return wide_multiply(count, packing.bytes);
  const Wide groups = count / packing.elements, rest = count % packing.elements;
  const Wide last = (rest * packing.bytes + packing.elements - 1) / packing.elements;
  return wide_add(wide_multiply(groups, packing.bytes), last);
}

bool has_dynamic_dimension(const Descriptor& d) {
  for (std::size_t k = 0; k < d.shape.size(); ++k)
    if (d.shape[k] == facts::limit::dynamic) return true;
  return false;
}

bool is_empty(const Descriptor& d) {
  for (std::size_t k = 0; k < d.shape.size(); ++k)
    if (d.shape[k] == 0) return true;
  return false;
}

Wide element_count(const Descriptor& d) {
  if (is_empty(d)) return 0;
  Wide count = 1;
  for (std::size_t k = 0; k < d.shape.size(); ++k) count = wide_multiply(count, d.shape[k]);
  return count;
}

}  // namespace hurray::reference
