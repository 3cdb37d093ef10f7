#include "harness/value_trace.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "generators/element.h"
#include "reference/members.h"
#include "reference/readable.h"
#include "reference/source.h"

namespace hurray::harness {
namespace {

using nlohmann::ordered_json;
using reference::Descriptor;
using reference::Pattern;
using reference::Reading;
using reference::Tensor;
using reference::ValueStatus;
using Index = std::vector<std::uint64_t>;

const char* reason(ValueStatus status) {
  switch (status) {
    case ValueStatus::ok: return "";
    case ValueStatus::no_values: return "there is no value: a group, a torn composite, an unknown type or layout, or a dynamic dimension";
    case ValueStatus::out_of_range: return "the index lies outside the shape";
    case ValueStatus::too_large: return "the element does not fit";
  }
  return "";
}

std::string type_name(std::uint8_t tag) {
  const facts::ElementType* type = facts::element_type(tag);
  return type != nullptr ? std::string(type->name) : fmt::format("{:#04x}", tag);
}

std::string hex(std::uint8_t type_tag, Pattern bits) {
  const facts::ElementType* type = facts::element_type(type_tag);
  const unsigned digits = type != nullptr ? (type->bits + 3u) / 4u : 2;
  std::string text;
  for (unsigned k = digits; k-- > 0;) text += "0123456789abcdef"[static_cast<unsigned>(bits >> (4 * k)) & 15];
  return "0x" + text;
}

Pattern pattern(std::span<const std::uint8_t> little_endian) {
  Pattern value = 0;
  for (std::size_t k = little_endian.size(); k-- > 0;) value = value << 8 | little_endian[k];
  return value;
}

/// {"type", "bits", "value"} of an element.
ordered_json element(std::uint8_t type_tag, Pattern bits) {
  const generators::Bits both{static_cast<std::uint64_t>(bits), static_cast<std::uint64_t>(bits >> 64)};
  return {{"type", type_name(type_tag)}, {"bits", hex(type_tag, bits)}, {"value", generators::element_literal({type_tag}, both)}};
}

/// Of an element that lookup has found: every tensor it comes from is readable.
class Tracer {
 public:
  explicit Tracer(const Reading& reading) : reading_(reading) {}

  /// What `tensor` has at `index`, seen in element type `type_tag`.
  ordered_json trace(std::uint32_t tensor, const Index& index, std::uint8_t type_tag) const {
    return reading_.tensors[tensor].descriptor.is_head() ? composite(tensor, index, type_tag) : leaf(tensor, index, type_tag);
  }

 private:
  const Descriptor& descriptor(std::uint32_t tensor) const { return reading_.tensors[tensor].descriptor; }

  ordered_json leaf(std::uint32_t tensor, const Index& index, std::uint8_t type_tag) const {
    const Descriptor& d = descriptor(tensor);
    const facts::Layout* layout = facts::layout(d.layout_tag);
    ordered_json out{{"tensor", layout != nullptr ? std::string(layout->name) : "unknown layout"}, {"local", index}};
    const reference::Source source{reading_, tensor};
    const std::optional<std::int64_t> position =
        source.sparse() ? reference::find_stored(d, source.buffers(), index) : source.address().position(index.data());
    if (!position) return out["stored"] = nullptr, out;
    out["position"] = *position;
    out["stored"] = element(d.type_tag, source.elements().at(*position));
    if (source.quantized()) add_decoding(source, *position, index, type_tag, out);
    out["result"] = element(type_tag, source.value_at(*position, index.data(), type_tag));
    return out;
  }

  /// Scale and zero point of a quantized element, its float32 and, under a head of another type, what that rounds to.
  static void add_decoding(const reference::Source& source, std::int64_t position, const Index& index, std::uint8_t type_tag, ordered_json& out) {
    const std::int64_t number = source.parameter(index.data());
    const reference::Dequantizer::Parameters parameters = source.dequantizer().parameters(number);
    const facts::Scheme* scheme = facts::scheme(source.descriptor().quantization.scheme_tag);
    out["scheme"] = scheme != nullptr ? std::string(scheme->name) : "unknown scheme";
    out["parameter"] = number;
    out["scale"] = element(facts::tag::float32, std::bit_cast<std::uint32_t>(parameters.scale));
    out["zero_point"] = parameters.zero_point;
    if (type_tag != facts::tag::float32)
      out["decoded"] = element(facts::tag::float32, source.value_at(position, index.data(), facts::tag::float32));
  }

  ordered_json composite(std::uint32_t head, const Index& index, std::uint8_t type_tag) const {
    const Descriptor& view = descriptor(head);
    const std::uint8_t rule = view.layout.composition_rule, combine = view.layout.combine_op;
    ordered_json out{{"composite", rule < std::size(facts::composition_rules) ? std::string(facts::composition_rules[rule]) : "unknown rule"},
                     {"combine", combine < std::size(facts::combine_ops) ? std::string(facts::combine_ops[combine]) : "unknown"},
                     {"local", index}, {"members", ordered_json::array()}};
    const bool adds = combine == facts::combine_op::add;
    std::uint64_t number = 0;
    std::optional<Pattern> result;
    for (std::uint32_t m = reference::first_member(reading_, head); m != Tensor::none; m = reference::next_member(reading_, head, m), ++number) {
      ordered_json step{{"member", number}, {"covers", reference::covers(descriptor(m), index.data())}};
      if (step["covers"] == true) take(m, view, index, type_tag, adds, step, result);
      out["members"].push_back(std::move(step));
    }
    out["result"] = element(type_tag, *result);
    return out;
  }

  /// One covering member: it holds the index, replaces what lies below, is added to it, or lets it show through.
  void take(std::uint32_t member, const Descriptor& view, const Index& index, std::uint8_t type_tag, bool adds, ordered_json& step,
            std::optional<Pattern>& result) const {
    Index local(index.size());
    for (std::size_t axis = 0; axis < index.size(); ++axis) local[axis] = index[axis] - descriptor(member).shard_offset[axis];
    step["of"] = trace(member, local, type_tag);
    const std::optional<Pattern> own = value_of(member, local, type_tag, step["of"]);
    const bool first = !result;
    if (!own) {
      step["does"] = first ? "is zero where it stores nothing" : adds ? "adds nothing where it stores nothing" : "lets what lies below show through";
      if (first) result = Pattern{0};
      return;
    }
    const bool partition = view.layout.composition_rule == facts::composition_rule::partition;
    step["does"] = partition ? "holds it" : first ? "is the base" : adds ? "is added" : "replaces it";
    result = first || !adds ? *own : reference::add_elements(type_tag, *result, *own);
    if (adds && !first) step["sum"] = element(type_tag, *result);
  }

  /// Nothing where a sparse tensor stores nothing.
  std::optional<Pattern> value_of(std::uint32_t member, const Index& local, std::uint8_t type_tag, const ordered_json& traced) const {
    if (traced.contains("stored") && traced["stored"].is_null()) return std::nullopt;
    if (!descriptor(member).is_head())
      return reference::Source{reading_, member}.value_at(traced["position"].get<std::int64_t>(), local.data(), type_tag);
    std::array<std::uint8_t, 16> bytes{};
    std::size_t size = 0;
    static_cast<void>(reference::lookup(reading_, member, local, bytes, size));
    return pattern({bytes.data(), size});
  }

  const Reading& reading_;
};

std::string joined(const ordered_json& numbers) {
  std::string text;
  for (const auto& number : numbers) text += (text.empty() ? "" : ", ") + number.dump();
  return "[" + text + "]";
}

std::string shown(const ordered_json& element) {
  const std::string value = element["value"].get<std::string>(), bits = element["bits"].get<std::string>();
  return value == bits ? fmt::format("{} {}", element["type"].get<std::string>(), bits) : fmt::format("{} {} ({})", element["type"].get<std::string>(), value, bits);
}

void add_lines(const ordered_json& node, const std::string& indent, std::string& text);

void add_tensor(const ordered_json& tensor, const std::string& indent, std::string& text) {
  const std::string where = fmt::format("{}{} at local {}", indent, tensor["tensor"].get<std::string>(), joined(tensor["local"]));
  if (tensor["stored"].is_null()) return void(text += where + ": stores nothing there\n");
  text += fmt::format("{}: element {} of its data, {}\n", where, tensor["position"].get<std::int64_t>(), shown(tensor["stored"]));
  if (!tensor.contains("scheme")) return;
  text += fmt::format("{}{}: parameter {}, scale {}, zero point {}\n", indent, tensor["scheme"].get<std::string>(), tensor["parameter"].get<std::int64_t>(),
                      shown(tensor["scale"]), tensor["zero_point"].get<std::int64_t>());
  if (tensor.contains("decoded")) text += fmt::format("{}decoded {}\n", indent, shown(tensor["decoded"]));
  text += fmt::format("{}gives {}\n", indent, shown(tensor["result"]));
}

void add_composite(const ordered_json& composite, const std::string& indent, std::string& text) {
  const std::string combine = composite["combine"].get<std::string>();
  text += fmt::format("{}{}{} at {}\n", indent, composite["composite"].get<std::string>(), combine == "none" ? "" : " " + combine, joined(composite["local"]));
  std::uint64_t beside = 0;
  for (const auto& step : composite["members"]) {
    if (step["covers"] == false) {
      ++beside;
      continue;
    }
    text += fmt::format("{}  member {} {}\n", indent, step["member"].get<std::uint64_t>(), step["does"].get<std::string>());
    add_lines(step["of"], indent + "    ", text);
    if (step.contains("sum")) text += fmt::format("{}    sum {}\n", indent, shown(step["sum"]));
  }
  if (beside > 0) text += fmt::format("{}  {} other member{} not cover the index\n", indent, beside, beside == 1 ? " does" : "s do");
  text += fmt::format("{}gives {}\n", indent, shown(composite["result"]));
}

void add_lines(const ordered_json& node, const std::string& indent, std::string& text) {
  node.contains("composite") ? add_composite(node, indent, text) : add_tensor(node, indent, text);
}

}  // namespace

ordered_json trace_value(const Reading& reading, std::uint64_t item, const Index& index) {
  std::uint32_t tensor = 0;
  for (std::uint64_t k = 0; k < item && tensor < reading.tensors.size(); ++k) tensor += std::max<std::uint32_t>(reading.tensors[tensor].skip, 1);
  if (tensor >= reading.tensors.size()) return {{"error", fmt::format("there is no item {}", item)}};
  std::array<std::uint8_t, 16> bytes{};
  std::size_t size = 0;
  const Descriptor& descriptor = reading.tensors[tensor].descriptor;
  if (index.size() != descriptor.rank) return {{"error", fmt::format("the index has {} dimensions, item {} has {}", index.size(), item, descriptor.rank)}};
  const ValueStatus status = reference::lookup(reading, tensor, index, bytes, size);
  if (status != ValueStatus::ok) return {{"error", reason(status)}};
  const Pattern value = pattern({bytes.data(), size});
  const std::uint8_t type = reference::view_type(descriptor);
  ordered_json out{{"item", item}, {"index", index}};
  out.update(element(type, value));
  out["of"] = Tracer(reading).trace(tensor, index, type);
  return out;
}

std::string trace_text(const ordered_json& trace) {
  if (trace.contains("error")) return trace["error"].get<std::string>() + "\n";
  std::string text = fmt::format("item {} at {} is {}\n", trace["item"].get<std::uint64_t>(), joined(trace["index"]), shown(trace));
  add_lines(trace["of"], "  ", text);
  return text;
}

}  // namespace hurray::harness
