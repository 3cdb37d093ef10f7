#include "generators/matrix.h"

#include <algorithm>

namespace hurray::generators {

std::vector<std::uint8_t> ValueQuestion::expected() const {
  std::vector<Bits> preferred;
  for (const AdmissibleElement& element : elements) preferred.push_back(element.patterns.empty() ? Bits{} : element.patterns.front());
  std::vector<std::uint8_t> bytes = pack(type, preferred);
  if (kind == Kind::lookup && facts::element_type(type)->bits < 8) bytes.resize(1);
  return bytes;
}

std::optional<std::uint64_t> ValueQuestion::first_wrong(const std::vector<std::uint8_t>& answer) const {
  const std::size_t size = expected().size();
  std::vector<std::uint8_t> whole = answer;
  whole.resize(std::max(answer.size(), pack(type, std::vector<Bits>(elements.size())).size()), 0);
  const std::vector<Bits> given = unpack(type, whole, elements.size());
  const std::size_t per_element = std::max<std::size_t>(facts::element_type(type)->bits, 1);
  for (std::size_t at = 0; at < elements.size(); ++at) {
    const bool missing = answer.size() < size && (at + 1) * per_element > answer.size() * 8;
    if (missing || !elements[at].admits(type, given[at])) return at;
  }
  return answer.size() == size ? std::nullopt : std::optional<std::uint64_t>(elements.size());
}

}  // namespace hurray::generators
