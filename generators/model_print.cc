#include <cmath>

#include "generators/addressing.h"
#include "generators/build.h"
#include "generators/model_json.h"
#include "generators/node_json.h"
#include "generators/sparse.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_exact = (std::uint64_t{1} << 53) - 1;

Json print_shape(const Shape& shape) {
  Json out = Json::array();
  for (const std::uint64_t size : shape) out.push_back(size == facts::limit::dynamic ? Json("dynamic") : print_number(size));
  return out;
}

template <std::size_t N>
Json print_spelled(const std::string_view (&names)[N], std::uint8_t value) {
  if (value < N && !names[value].empty()) return std::string(names[value]);
  return print_tag(value);
}

Json print_statistics(const Statistics& s) {
  Json out = Json::object();
  if (s.nnz) out["nnz"] = print_number(*s.nnz);
  if (s.sparsity) out["sparsity"] = print_real(*s.sparsity);
  if (s.range) out["range"] = {print_real((*s.range)[0]), print_real((*s.range)[1]), print_real((*s.range)[2])};
  if (s.moments) out["moments"] = {print_real((*s.moments)[0]), print_real((*s.moments)[1])};
  if (s.n_of_m) out["n_of_m"] = *s.n_of_m;
  if (s.nan_inf) out["nan_inf"] = *s.nan_inf;
  return out;
}

Json print_extension(const ExtensionType& e) {
  return {{"bit_width", e.bit_width}, {"is_float", e.is_float}, {"is_signed", e.is_signed}, {"sign_bits", e.sign_bits},
          {"exponent_bits", e.exponent_bits}, {"mantissa_bits", e.mantissa_bits}, {"exponent_bias", e.exponent_bias},
          {"has_nan", e.has_nan}, {"has_inf", e.has_inf}};
}

class Printer {
 public:
  explicit Printer(Detail detail) : detail_(detail) {}

  Json composite(const Node& node) const {
    Json head = common(node);
    head["rule"] = print_spelled(facts::composition_rules, node.head->rule);
    head["combine"] = print_spelled(facts::combine_ops, node.head->combine);
    Json members = Json::array();
    for (const Node& member : node.members) members.push_back(member.head ? composite(member) : tensor(member));
    return {{"head", head}, {"members", members}};
  }

  Json tensor(const Node& node) const {
    Json out = common(node);
    out["layout"] = print_layout(resolved_layout(node));
    if (!std::holds_alternative<std::monostate>(node.scheme)) out["scheme"] = print_scheme(node.scheme);
    out["values"] = print_values(node, detail_);
    if (node.byte_offset) out["byte_offset"] = print_number(*node.byte_offset);
    const Node plain;
    const bool all = detail_ == Detail::explicit_;
    if (all || node.spare_bytes != plain.spare_bytes) out["spare_bytes"] = print_number(node.spare_bytes);
    if (all || node.padding != plain.padding) out["padding"] = print_tag(node.padding);
    if (all || node.device != plain.device) out["device"] = print_device(node.device);
    if (all || node.sync != plain.sync) out["sync"] = node.sync;
    if (all || node.memory != plain.memory) out["memory"] = print_spelled(facts::memory_classes, node.memory);
    if (all || node.alignment != plain.alignment) out["alignment"] = node.alignment;
    return out;
  }

 private:
  Json common(const Node& node) const {
    Json out;
    const facts::ElementType* type = facts::element_type(node.type);
    out["type"] = type != nullptr ? std::string(type->name) : print_tag(node.type);
    out["shape"] = print_shape(node.shape);
    if (node.shard) {
      out["offset"] = print_shape(node.shard->offset);
      out["parent"] = print_shape(node.shard->parent);
    } else {
      out["shard"] = false;
    }
    out["role"] = node.role ? print_spelled(facts::member_roles, *node.role) : Json(false);
    if (node.statistics) out["statistics"] = print_statistics(*node.statistics);
    if (node.extension) out["extension"] = print_extension(*node.extension);
    else if (facts::is_private(node.type)) out["extension"] = false;
    if (!node.name.empty()) out["name"] = node.name;
    if (detail_ == Detail::explicit_ || node.version_minor != 0) out["version_minor"] = node.version_minor;
    if (!node.trailing.empty()) out["trailing"] = print_hex(node.trailing);
    return out;
  }

  static Json print_device(std::uint8_t tag) {
    const facts::Device* device = facts::device(tag);
    return device != nullptr ? std::string(device->name) : print_tag(tag);
  }

  /// An edit may reach for an element of a list that the writer derives.
  Layout resolved_layout(const Node& node) const {
    Layout layout = node.layout;
    if (detail_ == Detail::brief) return layout;
    if (Morton* morton = std::get_if<Morton>(&layout)) morton->bits = morton_bits(*morton, node.shape);
    if (Csf* csf = std::get_if<Csf>(&layout)) csf->mode_order = mode_order(*csf, node.shape.size());
    return layout;
  }

  Detail detail_;
};

Json print_file(const FileOptions& file) {
  Json out = {{"alignment", file.alignment}, {"sorted", file.sorted}, {"checksum", file.checksum}, {"version_minor", file.version_minor}};
  for (const KvEntry& entry : file.kv) out["kv"].push_back(print_kv(entry));
  if (!file.index_order.empty()) out["index_order"] = print_numbers(file.index_order);
  if (file.count_hint) out["count_hint"] = print_number(*file.count_hint);
  return out;
}

}  // namespace

Json print_number(std::uint64_t value) { return value <= most_exact ? Json(value) : Json(std::to_string(value)); }

Json print_number(std::int64_t value) {
  const bool exact = value >= -static_cast<std::int64_t>(most_exact) && value <= static_cast<std::int64_t>(most_exact);
  return exact ? Json(value) : Json(std::to_string(value));
}

Json print_real(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0 && std::signbit(value)) return "-0.0";
  return value;
}

std::string print_tag(std::uint8_t tag) {
  constexpr char digits[] = "0123456789abcdef";
  return std::string("0x") + digits[tag >> 4] + digits[tag & 15];
}

std::string print_hex(const Bytes& bytes) {
  std::string out;
  for (const std::uint8_t byte : bytes) out += print_tag(byte).substr(2);
  return out;
}

Json print_numbers(const std::vector<std::uint64_t>& values) {
  Json out = Json::array();
  for (const std::uint64_t value : values) out.push_back(print_number(value));
  return out;
}

Json model_to_json(const Model& model, Detail detail) {
  const Printer printer(detail);
  Json out = Json::object();
  if (!model.name.empty()) out["name"] = model.name;
  if (!model.why.empty()) out["why"] = model.why;
  if (model.items.size() == 1) {
    const Node& node = model.items.front();
    if (node.head) out.update(printer.composite(node));
    else out["tensor"] = printer.tensor(node);
  } else {
    out["items"] = Json::array();
    for (const Node& node : model.items)
      out["items"].push_back(node.head ? printer.composite(node) : Json{{"tensor", printer.tensor(node)}});
  }
  const bool all = detail == Detail::explicit_;
  if (all || model.framed != FramedOptions{})
    out["framed"] = {{"stream_id", model.framed.stream_id}, {"frame_bytes", model.framed.frame_bytes}};
  if (all || model.file != FileOptions{}) out["file"] = print_file(model.file);
  return out;
}

Json print_model(const Model& model) { return model_to_json(model, Detail::brief); }

}  // namespace hurray::generators
