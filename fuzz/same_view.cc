#include "fuzz/same_view.h"

namespace hurray::fuzz {
namespace {

using generators::Node;
using reference::Reading;

std::uint8_t layout_tag(const Node& node) {
  namespace layout = facts::layout_tag;
  if (node.head) return layout::composite;
  if (const auto* extension = std::get_if<generators::PrivateLayout>(&node.layout)) return extension->tag;
  constexpr std::uint8_t by_alternative[] = {layout::row_major, layout::column_major, layout::strided, layout::tiled, layout::morton, layout::coo,
                                             layout::csr, layout::csc, layout::csf, layout::block_paged, layout::hilbert};
  return by_alternative[node.layout.index()];
}

/// monostate and the schemes stand in tag order.
std::uint8_t scheme_tag(const Node& node) { return static_cast<std::uint8_t>(node.scheme.index()); }

bool same_numbers(const reference::U64Array& read, const std::vector<std::uint64_t>& written) {
  if (read.size() != written.size()) return false;
  for (std::size_t k = 0; k < written.size(); ++k)
    if (read[k] != written[k]) return false;
  return true;
}

class Comparison {
 public:
  Comparison(const Reading& reading, const char* property) : reading_(reading), property_(property) {}

  void node(const Node& node, std::uint32_t enclosing) {
    const std::uint32_t number = next_++;
    if (number >= reading_.tensors.size()) fail(property_, "tensor %u is missing", number);
    const reference::Tensor& tensor = reading_.tensors[number];
    const reference::Descriptor& read = tensor.descriptor;
    expect(tensor.enclosing == enclosing, number, "enclosing head");
    expect(read.type_tag == node.type, number, "type");
    expect(read.layout_tag == layout_tag(node), number, "layout");
    expect(same_numbers(read.shape, node.shape), number, "shape");
    expect(read.quantization.scheme_tag == scheme_tag(node), number, "scheme");
    expect(same_numbers(read.parent_shape, node.shard ? node.shard->parent : generators::Shape{}), number, "parent shape");
    expect(same_numbers(read.shard_offset, node.shard ? node.shard->offset : generators::Index{}), number, "offset");
    expect(read.has(facts::flag::composite_member) == node.role.has_value(), number, "member section");
    expect(!node.role || read.member_role == *node.role, number, "role");
    if (node.head) head(node, number);
  }

  void finish() const {
    if (next_ != reading_.tensors.size()) fail(property_, "%zu tensors where the model has %u", reading_.tensors.size(), next_);
  }

 private:
  void head(const Node& node, std::uint32_t number) {
    const reference::Tensor& tensor = reading_.tensors[number];
    expect(tensor.descriptor.layout.composition_rule == node.head->rule, number, "composition rule");
    expect(tensor.descriptor.layout.combine_op == node.head->combine, number, "combine");
    expect(tensor.descriptor.layout.member_count == node.members.size(), number, "member count");
    expect(tensor.complete, number, "completeness");
    for (const Node& member : node.members) this->node(member, number);
  }

  void expect(bool same, std::uint32_t number, const char* what) const {
    if (!same) fail(property_, "tensor %u differs in its %s", number, what);
  }

  const Reading& reading_;
  const char* property_;
  std::uint32_t next_ = 0;
};

}  // namespace

void expect_view(const generators::Model& model, const Reading& reading, const char* property) {
  if (!reading.accepted())
    fail(property, "rejected with %s at byte %llu: %.*s", std::string(facts::facts_of(reading.violation->rule).id).c_str(),
         static_cast<unsigned long long>(reading.violation->at), static_cast<int>(reading.violation->message.text().size()),
         reading.violation->message.text().data());
  Comparison comparison(reading, property);
  for (const Node& item : model.items) comparison.node(item, reference::Tensor::none);
  comparison.finish();
}

}  // namespace hurray::fuzz
