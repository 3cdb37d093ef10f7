#include <algorithm>
#include <bit>

#include "generators/edit.h"
#include "generators/json_reader.h"
#include "generators/link.h"
#include "generators/written_target.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_repeats = 100000;

class WrittenEditor {
 public:
  explicit WrittenEditor(Document& document) : fields_(document.fields) {}

  std::string keep(const Json& edit) {
    for (const Json& path : edit["keep"]) {
      const WrittenTarget target = find(path.get_ref<const std::string&>());
      if (!target.error.empty()) return target.error;
      bool any = false;
      for (std::size_t k = target.first; k < target.last; ++k) {
        if (fields_[k].derived == Derived::none) continue;
        fields_[k].frozen = any = true;
      }
      if (!any) return path.dump() + ": nothing derived to keep";
    }
    return {};
  }

  std::string apply(const Json& edit) {
    for (const auto& [verb, operand] : edit.items()) {
      if (verb == "append_bytes") return append(operand, edit);
      if (verb == "swap") return swap(operand);
      const bool known = verb == "set" || verb == "add" || verb == "xor" || verb == "raw" || verb == "insert" ||
                         verb == "remove" || verb == "duplicate";
      if (!known) continue;
      const WrittenTarget target = find(operand.get_ref<const std::string&>());
      if (!target.error.empty()) return target.error;
      if (verb == "remove") return remove(target);
      if (verb == "duplicate") return duplicate(target);
      if (verb == "insert") return insert(target, edit);
      if (!target.single()) return operand.dump() + ": names several fields; " + verb + " takes one";
      if (verb == "raw") return raw(target, edit["bytes"]);
      if (verb == "set") return set(target, edit["to"], operand.dump());
      return arithmetic(target, verb == "add" ? edit["by"] : edit["with"], verb == "add", operand.dump());
    }
    return edit.dump() + ": no verb that acts on written fields";
  }

  std::string cut(const Json& edit) {
    const bool after = edit.contains("cut_after");
    const Json& path = edit[after ? "cut_after" : "cut_at"];
    const WrittenTarget target = find(path.get_ref<const std::string&>());
    if (!target.error.empty()) return target.error;
    std::int64_t at = 0;
    for (std::size_t k = 0; k < (after && !target.slice ? target.last : target.first); ++k)
      at += static_cast<std::int64_t>(fields_[k].bytes.size());
    if (target.slice) at += static_cast<std::int64_t>(target.from + (after ? target.width : 0));
    const std::optional<WholeNumber> plus = edit.contains("plus") ? whole_number(edit["plus"]) : WholeNumber{};
    if (!plus || plus->magnitude > INT32_MAX) return edit.dump() + ": \"plus\" is not a whole number";
    at += plus->negative ? -static_cast<std::int64_t>(plus->magnitude) : static_cast<std::int64_t>(plus->magnitude);
    return truncate(at, edit);
  }

 private:
  WrittenTarget find(const std::string& path) const { return find_written(fields_, path); }

  static void touch(Field& field) {
    field.edited = true;
    if (field.derived != Derived::none) field.frozen = true;
  }

  std::uint64_t value_of(const WrittenTarget& target) const {
    const Bytes& bytes = fields_[target.first].bytes;
    return from_little_endian(std::span(bytes).subspan(target.from, target.width));
  }

  void put(const WrittenTarget& target, const Bytes& value) {
    Field& field = fields_[target.first];
    const auto at = field.bytes.begin() + static_cast<std::ptrdiff_t>(target.from);
    const auto next = field.bytes.erase(at, at + static_cast<std::ptrdiff_t>(target.width));
    field.bytes.insert(next, value.begin(), value.end());
    touch(field);
  }

  static Bytes number_bytes(std::uint64_t magnitude, bool negative, std::size_t width) {
    Bytes out = little_endian(negative ? 0 - magnitude : magnitude, width);
    if (negative)
      for (std::size_t k = 8; k < width; ++k) out[k] = 0xFF;
    return out;
  }

  static bool fits(const WholeNumber& number, std::size_t width) {
    if (width >= 8) return !number.negative || number.magnitude <= std::uint64_t{1} << 63;
    const std::uint64_t limit = std::uint64_t{1} << (8 * width);
    return number.negative ? number.magnitude <= limit / 2 : number.magnitude < limit;
  }

  std::string set(const WrittenTarget& target, const Json& value, const std::string& path) {
    if (value.is_object()) return set_from(target, value, path);
    const bool resizable = target.kind == FieldKind::text || target.kind == FieldKind::bytes;
    if (target.kind == FieldKind::text && value.is_string()) {
      const std::string& text = value.get_ref<const std::string&>();
      return put(target, Bytes(text.begin(), text.end())), "";
    }
    if (resizable && value.is_string()) {
      const std::optional<Bytes> bytes = hex_bytes(value.get_ref<const std::string&>());
      if (!bytes) return path + ": " + value.dump() + " is not hexadecimal";
      return put(target, *bytes), "";
    }
    if (resizable && value.is_array()) return set_list(target, value, path);
    if (target.kind == FieldKind::real) return set_real(target, value, path);
    const std::optional<WholeNumber> number = value.is_boolean() ? WholeNumber{false, value.get<bool>() ? 1u : 0u} : whole_number(value);
    if (!number) return path + ": " + value.dump() + " is not a whole number";
    if (!fits(*number, target.width)) return path + ": " + value.dump() + " does not fit " + std::to_string(target.width) + " bytes";
    return put(target, number_bytes(number->magnitude, number->negative, target.width)), "";
  }

  std::string set_list(const WrittenTarget& target, const Json& value, const std::string& path) {
    Bytes bytes;
    for (const Json& each : value) {
      const std::optional<WholeNumber> number = whole_number(each);
      if (!number || number->negative || number->magnitude > 0xFF) return path + ": " + each.dump() + " is not a byte";
      bytes.push_back(static_cast<std::uint8_t>(number->magnitude));
    }
    return put(target, bytes), "";
  }

  std::string set_real(const WrittenTarget& target, const Json& value, const std::string& path) {
    JsonReader reader;
    if (value.is_string() && value.get_ref<const std::string&>().substr(0, 2) == "0x") {
      const std::optional<WholeNumber> bits = whole_number(value);
      if (!bits || !fits(*bits, target.width)) return path + ": " + value.dump() + " is not a bit pattern of the field";
      return put(target, little_endian(bits->magnitude, target.width)), "";
    }
    const double number = reader.real(value, path);
    if (!reader.ok()) return reader.error();
    return put(target, real_bytes(number, target.width)), "";
  }

  static Bytes real_bytes(double number, std::size_t width) {
    return width == 4 ? little_endian(std::bit_cast<std::uint32_t>(static_cast<float>(number)), 4)
                      : little_endian(std::bit_cast<std::uint64_t>(number), width);
  }

  std::string set_from(const WrittenTarget& target, const Json& value, const std::string& path) {
    const Json* of = JsonReader::find(value, "of");
    if (of == nullptr || !of->is_string()) return path + ": expected {\"of\": PATH, \"plus\": N}, found " + value.dump();
    const WrittenTarget source = find(of->get_ref<const std::string&>());
    if (!source.error.empty()) return source.error;
    if (!source.single() || source.width > 8) return of->dump() + ": is not a number of at most 8 bytes";
    const std::optional<WholeNumber> plus = value.contains("plus") ? whole_number(value["plus"]) : WholeNumber{};
    if (!plus) return path + ": \"plus\" is not a whole number";
    const std::uint64_t sum = value_of(source) + (plus->negative ? 0 - plus->magnitude : plus->magnitude);
    return put(target, little_endian(sum, target.width)), "";
  }

  std::string arithmetic(const WrittenTarget& target, const Json& operand, bool add, const std::string& path) {
    if (add && target.kind == FieldKind::real && operand.is_number()) {
      const double old = target.width == 4 ? double{std::bit_cast<float>(static_cast<std::uint32_t>(value_of(target)))}
                                           : std::bit_cast<double>(value_of(target));
      return put(target, real_bytes(old + operand.get<double>(), target.width)), "";
    }
    const std::optional<WholeNumber> number = whole_number(operand);
    if (!number) return path + ": " + operand.dump() + " is not a whole number";
    const std::uint64_t bits = number->negative ? 0 - number->magnitude : number->magnitude;
    Bytes bytes = little_endian(add ? value_of(target) + bits : value_of(target) ^ bits, std::min<std::size_t>(target.width, 8));
    const Bytes& old = fields_[target.first].bytes;
    for (std::size_t k = 8; k < target.width; ++k) bytes.push_back(old[target.from + k]);
    return put(target, bytes), "";
  }

  std::string raw(const WrittenTarget& target, const Json& hex) {
    const std::optional<Bytes> bytes = hex.is_string() ? hex_bytes(hex.get_ref<const std::string&>()) : std::nullopt;
    if (!bytes) return hex.dump() + ": expected bytes as hexadecimal digits";
    return put(target, *bytes), "";
  }

  /// A field beside `neighbour`, counting where it counts.
  static Field beside(const Field& neighbour, const std::string& label, Bytes bytes) {
    Field field;
    field.label = label;
    field.bytes = std::move(bytes);
    field.kind = FieldKind::bytes;
    field.part = neighbour.part;
    field.node = neighbour.node;
    field.message = neighbour.message;
    field.edited = true;
    return field;
  }

  std::string insert(const WrittenTarget& target, const Json& edit) {
    const Json& hex = edit["bytes"];
    const std::optional<Bytes> once = hex.is_string() ? hex_bytes(hex.get_ref<const std::string&>()) : std::nullopt;
    if (!once) return hex.dump() + ": expected bytes as hexadecimal digits";
    const std::optional<WholeNumber> times = edit.contains("times") ? whole_number(edit["times"]) : WholeNumber{false, 1};
    if (!times || times->negative || times->magnitude > most_repeats) return edit.dump() + ": \"times\" is not a number up to 100000";
    Bytes bytes;
    for (std::uint64_t k = 0; k < times->magnitude; ++k) bytes.insert(bytes.end(), once->begin(), once->end());
    if (target.slice) {
      WrittenTarget before = target;
      before.width = 0;
      return put(before, bytes), "";
    }
    const Field& next = fields_[target.first];
    Field field = beside(next, next.label + ".inserted", std::move(bytes));
    fields_.insert(fields_.begin() + static_cast<std::ptrdiff_t>(target.first), std::move(field));
    return {};
  }

  std::string remove(const WrittenTarget& target) {
    if (target.slice) return put(target, {}), "";
    fields_.erase(fields_.begin() + static_cast<std::ptrdiff_t>(target.first), fields_.begin() + static_cast<std::ptrdiff_t>(target.last));
    return {};
  }

  std::string duplicate(const WrittenTarget& target) {
    if (target.slice) {
      const Bytes& bytes = fields_[target.first].bytes;
      const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(target.from);
      const Bytes copy(from, from + static_cast<std::ptrdiff_t>(target.width));
      WrittenTarget after = target;
      after.from += target.width;
      after.width = 0;
      return put(after, copy), "";
    }
    std::vector<Field> copies(fields_.begin() + static_cast<std::ptrdiff_t>(target.first), fields_.begin() + static_cast<std::ptrdiff_t>(target.last));
    for (Field& copy : copies) copy.edited = true;
    fields_.insert(fields_.begin() + static_cast<std::ptrdiff_t>(target.last), copies.begin(), copies.end());
    return {};
  }

  std::string swap(const Json& paths) {
    WrittenTarget a = find(paths[0].get_ref<const std::string&>()), b = find(paths[1].get_ref<const std::string&>());
    if (!a.error.empty() || !b.error.empty()) return a.error.empty() ? b.error : a.error;
    if (a.slice != b.slice || (a.slice && a.width != b.width)) return paths.dump() + ": cannot change places";
    if (a.slice) {
      const std::uint64_t left = value_of(a), right = value_of(b);
      put(a, little_endian(right, a.width));
      put(b, little_endian(left, b.width));
      return {};
    }
    if (a.first > b.first) std::swap(a, b);
    if (b.first < a.last) return paths.dump() + ": one lies within the other";
    exchange(a, b);
    return {};
  }

  /// Moves the fields; those of descriptors then count for the tensor whose descriptor they have come into.
  void exchange(const WrittenTarget& a, const WrittenTarget& b) {
    const auto at = [&](std::size_t k) { return fields_.begin() + static_cast<std::ptrdiff_t>(k); };
    std::vector<Field> left(at(a.first), at(a.last)), right(at(b.first), at(b.last)), middle(at(a.last), at(b.first));
    const auto settle = [](std::vector<Field>& moved, const Field& place) {
      for (Field& field : moved) {
        field.edited = true;
        if (place.part != Part::descriptor && place.part != Part::quantization) continue;
        field.part = place.part;
        field.node = place.node;
        field.message = place.message;
      }
    };
    const Field place_a = left.front(), place_b = right.front();
    settle(left, place_b);
    settle(right, place_a);
    std::vector<Field> all;
    for (std::vector<Field>* each : {&right, &middle, &left}) all.insert(all.end(), each->begin(), each->end());
    std::move(all.begin(), all.end(), at(a.first));
  }

  std::string append(const Json& hex, const Json& edit) {
    const std::optional<Bytes> bytes = hex.is_string() ? hex_bytes(hex.get_ref<const std::string&>()) : std::nullopt;
    if (!bytes) return hex.dump() + ": expected bytes as hexadecimal digits";
    if (!edit.contains("to")) {
      Field field;
      field.label = "appended";
      field.bytes = *bytes;
      field.part = Part::padding;
      field.edited = true;
      fields_.push_back(std::move(field));
      return {};
    }
    const std::string& path = edit["to"].get_ref<const std::string&>();
    const WrittenTarget target = find(path);
    if (!target.error.empty()) return target.error;
    const std::size_t last = end_of(target);
    Field field = beside(fields_[last], path + ".appended", *bytes);
    fields_.insert(fields_.begin() + static_cast<std::ptrdiff_t>(last + 1), std::move(field));
    return {};
  }

  /// The last field of a node's descriptor, or of the section that the path names.
  std::size_t end_of(const WrittenTarget& target) const {
    std::size_t last = target.last - 1;
    const std::uint32_t node = fields_[target.first].node;
    if (fields_[target.first].part == Part::descriptor || fields_[target.first].part == Part::quantization) {
      while (last > target.first && fields_[last].part != Part::descriptor && fields_[last].part != Part::quantization) --last;
      return last;
    }
    // A node path starts with what its carrier puts before the descriptor.
    for (std::size_t k = target.first; k < target.last; ++k)
      if (fields_[k].node == node && (fields_[k].part == Part::descriptor || fields_[k].part == Part::quantization)) last = k;
    return last;
  }

  std::string truncate(std::int64_t length, const Json& edit) {
    if (length < 0) return edit.dump() + ": cuts before the input starts";
    std::size_t left = static_cast<std::size_t>(length);
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      if (fields_[k].bytes.size() < left) {
        left -= fields_[k].bytes.size();
        continue;
      }
      fields_[k].bytes.resize(left);
      fields_[k].edited = true;
      fields_.resize(k + 1);
      return {};
    }
    return left == 0 ? std::string() : edit.dump() + ": cuts after the input's end";
  }

  std::vector<Field>& fields_;
};

}  // namespace

std::string edit_document(Document& document, const EditPlan& plan, std::uint64_t alignment) {
  if (plan.written.empty()) return {};
  WrittenEditor editor(document);
  for (const Json& edit : plan.written)
    if (edit.contains("keep"))
      if (std::string error = editor.keep(edit); !error.empty()) return error;
  for (const Json& edit : plan.written) {
    if (edit.contains("keep") || edit.contains("cut_at") || edit.contains("cut_after")) continue;
    if (std::string error = editor.apply(edit); !error.empty()) return error;
  }
  link(document, alignment);
  for (const Json& edit : plan.written)
    if (edit.contains("cut_at") || edit.contains("cut_after"))
      if (std::string error = editor.cut(edit); !error.empty()) return error;
  return {};
}

}  // namespace hurray::generators
