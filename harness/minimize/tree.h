// An input as its parts, so that a part can be taken out and everything that depends on it follows: lengths, counts,
// offsets, padding and the checksum. Whatever was wrong in the input stays wrong by as much.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generators/document.h"

namespace hurray::harness {

using generators::Field;

/// A tensor of the input, in the order in which the tensors stand there.
struct TreeNode {
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  std::string path;              // items[0].members[1], items[0].members[2].head
  std::uint32_t parent = none;   // the head that binds it
  bool is_head = false;
};

class Tree {
 public:
  /// Nothing where the parts do not give the input again: it is then no input of that surface, not even a broken one.
  [[nodiscard]] static std::optional<Tree> parse(std::span<const std::uint8_t> input, facts::Surface surface);

  [[nodiscard]] std::vector<std::uint8_t> bytes() const;

  const std::vector<TreeNode>& nodes() const { return nodes_; }
  const std::vector<Field>& fields() const { return document_.fields; }
  /// Nodes of which something is left.
  [[nodiscard]] std::vector<std::uint32_t> present() const;
  [[nodiscard]] std::vector<std::uint32_t> children(std::uint32_t head) const;
  [[nodiscard]] std::vector<std::uint32_t> top_level() const;
  [[nodiscard]] bool is_below(std::uint32_t node, std::uint32_t ancestor) const;  // or is the same
  [[nodiscard]] std::size_t size_of(std::uint32_t node) const;                   // bytes, with everything below

  /// The number in a field of a node's descriptor; nothing where there is no such field.
  [[nodiscard]] std::optional<std::uint64_t> number(std::uint32_t node, const std::string& name) const;
  void set(std::uint32_t node, const std::string& name, std::uint64_t value);
  /// Bytes of all fields of buffer `index`.
  [[nodiscard]] std::uint64_t buffer_size(std::uint32_t node, std::size_t index) const;
  /// Cuts buffer `index` to `size` bytes or fills it up with zeros, in the table and in the data; an empty frame goes.
  void resize_buffer(std::uint32_t node, std::size_t index, std::uint64_t size);

  using Condition = std::function<bool(const Field&)>;
  void remove(const Condition& condition);
  void change(const std::function<void(Field&)>& change);
  /// The node and everything below it, its index entry too; the head that binds it then counts one less.
  void remove_node(std::uint32_t node);
  /// Everything but the node and what is below it, and what belongs to no node; it then stands at the top.
  void keep_only(std::uint32_t node);
  /// Takes one axis out of the node's descriptor: its rank, and every field that has one value for each axis.
  void remove_axis(std::uint32_t node, std::uint64_t axis);
  /// Gives a scalar one axis without any index.
  void empty_scalar(std::uint32_t node);
  /// Joins the frames of each tensor into one.
  void join_frames();

 private:
  Tree() : document_(true) {}
  bool settle(std::span<const std::uint8_t> input);
  Field* find(std::uint32_t node, const std::string& name);
  const Field* find(std::uint32_t node, const std::string& name) const;

  generators::Document document_;
  std::vector<std::uint64_t> off_;  // by field: what a derived number is more than it should be
  std::vector<TreeNode> nodes_;
};

}  // namespace hurray::harness
