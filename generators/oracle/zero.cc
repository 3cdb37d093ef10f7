#include "generators/oracle/zero.h"

#include <algorithm>

namespace hurray::generators {

bool lacks_a_zero(const Node& node) {
  const bool sparse = std::holds_alternative<Coo>(node.layout) || std::holds_alternative<Csr>(node.layout) ||
                      std::holds_alternative<Csc>(node.layout) || std::holds_alternative<Csf>(node.layout);
  if (!node.head && sparse && node.type == facts::tag::float8_e8m0) return true;
  return std::any_of(node.members.begin(), node.members.end(), lacks_a_zero);
}

}  // namespace hurray::generators
