#include "generators/model_json.h"

#include "generators/build.h"
#include "generators/node_json.h"
#include "generators/quantization.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;

/// What a node takes from where it stands.
struct Surroundings {
  const Node* head = nullptr;  // the head that encloses it
  std::size_t position = 0;    // among its siblings
  std::size_t depth = 0;       // heads above
};

constexpr std::size_t most_depth = 256;

bool is_composite(const Json& value) { return value.is_object() && value.contains("head"); }

class ModelReader {
 public:
  explicit ModelReader(Lengths lengths) : lengths_(lengths) {}

  Model read(const Json& base) {
    Model model;
    if (!reader_.object(base, "base", {"name", "why", "tensor", "head", "members", "items", "framed", "file", "surfaces", "expect"}))
      return model;  // the last two speak to the matrix, not to the writer
    if (const Json* name = JsonReader::find(base, "name")) model.name = reader_.text(*name, "name");
    if (const Json* why = JsonReader::find(base, "why")) model.why = reader_.text(*why, "why");
    read_items(base, model);
    if (const Json* framed = JsonReader::find(base, "framed")) model.framed = read_framed(*framed);
    if (const Json* file = JsonReader::find(base, "file")) model.file = read_file(*file);
    return model;
  }

  const std::string& error() const { return reader_.error(); }

 private:
  void read_items(const Json& base, Model& model) {
    if (base.contains("tensor") + base.contains("head") + base.contains("items") != 1)
      return reader_.fail("base", "expected exactly one of \"tensor\", \"head\" and \"items\"");
    if (const Json* tensor = JsonReader::find(base, "tensor")) model.items.push_back(read_tensor(*tensor, "tensor", {}));
    if (base.contains("head")) model.items.push_back(read_composite(base, "", {}));
    const Json* items = JsonReader::find(base, "items");
    if (items == nullptr || !reader_.array(*items, "items")) return;
    for (std::size_t k = 0; k < items->size(); ++k) {
      const std::string path = "items[" + std::to_string(k) + "]";
      const Json& item = (*items)[k];
      if (is_composite(item) && reader_.object(item, path, {"head", "members"})) {
        model.items.push_back(read_composite(item, path, {}));
      } else if (reader_.object(item, path, {"tensor"})) {
        model.items.push_back(read_tensor(item.value("tensor", Json()), path + ".tensor", {}));
      }
    }
  }

  Node read_composite(const Json& value, const std::string& path, const Surroundings& around) {
    const std::string below = path.empty() ? "" : path + ".";
    Node node;
    if (around.depth > most_depth) reader_.fail(path, "composites nested more deeply than this writer goes");
    if (!reader_.ok()) return node;
    const Json& head = value["head"];
    if (!reader_.object(head, below + "head",
                        {"type", "shape", "rule", "combine", "offset", "parent", "shard", "role", "statistics",
                         "extension", "name", "version_minor", "trailing"}))
      return node;
    node.head.emplace();
    read_common(head, below + "head", around, node);
    read_rule(head, below + "head", *node.head);
    const Json* members = JsonReader::find(value, "members");
    if (members == nullptr || !reader_.array(*members, below + "members")) return node;
    for (std::size_t k = 0; k < members->size() && reader_.ok(); ++k) {
      const Json& member = (*members)[k];
      const std::string place = below + "members[" + std::to_string(k) + "]";
      const Surroundings inside{&node, k, around.depth + 1};
      if (is_composite(member)) {
        if (reader_.object(member, place, {"head", "members"})) node.members.push_back(read_composite(member, place, inside));
      } else {
        node.members.push_back(read_tensor(member, place, inside));
      }
    }
    return node;
  }

  void read_rule(const Json& value, const std::string& path, Head& head) {
    if (const Json* rule = JsonReader::find(value, "rule"))
      head.rule = read_spelled(*rule, path + ".rule", facts::composition_rules, "a composition rule");
    const bool overlay = head.rule == facts::composition_rule::overlay;
    head.combine = overlay ? facts::combine_op::replace : facts::combine_op::none;
    if (const Json* combine = JsonReader::find(value, "combine"))
      head.combine = read_spelled(*combine, path + ".combine", facts::combine_ops, "a combine operation");
  }

  /// The position of a name in `names`, or a byte as "0xf0".
  template <std::size_t N>
  std::uint8_t read_spelled(const Json& value, const std::string& path, const std::string_view (&names)[N], const char* what) {
    std::string known;
    for (std::size_t k = 0; k < N; ++k) {
      if (value.is_string() && !names[k].empty() && value.get_ref<const std::string&>() == names[k]) return static_cast<std::uint8_t>(k);
      if (!names[k].empty()) known += std::string(names[k]) + ", ";
    }
    const std::optional<WholeNumber> number = whole_number(value);
    if (number && !number->negative && number->magnitude <= 0xFF) return static_cast<std::uint8_t>(number->magnitude);
    reader_.fail(path, std::string("expected ") + what + " (" + known + "or a byte as \"0xf0\"), found " + value.dump());
    return 0;
  }

  /// What heads and tensors have in common.
  void read_common(const Json& value, const std::string& path, const Surroundings& around, Node& node) {
    if (around.head != nullptr) {
      node.type = around.head->type;
      node.shape = around.head->shape;
    }
    if (const Json* type = JsonReader::find(value, "type"))
      node.type = read_tag(reader_, *type, path + ".type", facts::element_types, "an element type");
    if (const Json* shape = JsonReader::find(value, "shape")) node.shape = read_shape(reader_, *shape, path + ".shape");
    if (node.shape.size() > 4096) reader_.fail(path + ".shape", "a rank above 4096 is beyond this writer");
    read_shard(value, path, around, node);
    read_role(value, path, around, node);
    if (const Json* statistics = JsonReader::find(value, "statistics"))
      node.statistics = read_statistics(*statistics, path + ".statistics");
    if (const Json* extension = JsonReader::find(value, "extension")) {
      if (*extension != false) node.extension = read_extension(*extension, path + ".extension");
    } else if (facts::is_private(node.type)) {
      node.extension.emplace();
    }
    if (const Json* name = JsonReader::find(value, "name")) node.name = reader_.text(*name, path + ".name");
    if (const Json* minor = JsonReader::find(value, "version_minor"))
      node.version_minor = static_cast<std::uint8_t>(reader_.natural(*minor, path + ".version_minor", 0xFF));
    if (const Json* trailing = JsonReader::find(value, "trailing")) node.trailing = reader_.hex(*trailing, path + ".trailing");
  }

  void read_shard(const Json& value, const std::string& path, const Surroundings& around, Node& node) {
    const Json* shard = JsonReader::find(value, "shard");
    const Json* offset = JsonReader::find(value, "offset");
    const Json* parent = JsonReader::find(value, "parent");
    if (shard != nullptr && !reader_.boolean(*shard, path + ".shard")) return;
    const bool positioned = around.head != nullptr && around.head->head->rule != facts::composition_rule::group;
    if (!positioned && offset == nullptr && parent == nullptr && shard == nullptr) return;
    Box box;
    box.parent = parent != nullptr ? read_shape(reader_, *parent, path + ".parent")
                 : positioned     ? around.head->shape
                                  : node.shape;
    box.offset = offset != nullptr ? read_shape(reader_, *offset, path + ".offset") : Index(node.shape.size(), 0);
    const std::string wrong = "expected one number per dimension of the shape";
    if (lengths_ == Lengths::exact && offset != nullptr && box.offset.size() != node.shape.size()) reader_.fail(path + ".offset", wrong);
    if (lengths_ == Lengths::exact && parent != nullptr && box.parent.size() != node.shape.size()) reader_.fail(path + ".parent", wrong);
    // A member whose rank is not its head's still has one number per dimension of its own.
    box.offset.resize(node.shape.size(), 0);
    for (std::size_t k = box.parent.size(); k < node.shape.size(); ++k) box.parent.push_back(node.shape[k]);
    box.parent.resize(node.shape.size());
    node.shard = std::move(box);
  }

  void read_role(const Json& value, const std::string& path, const Surroundings& around, Node& node) {
    const Json* role = JsonReader::find(value, "role");
    if (role != nullptr && *role == false) return;
    if (role != nullptr) {
      node.role = read_spelled(*role, path + ".role", facts::member_roles, "a member role");
    } else if (around.head != nullptr && around.head->head->rule == facts::composition_rule::overlay) {
      node.role = around.position == 0 ? facts::member_role::base : facts::member_role::correction;
    }
  }

  Node read_tensor(const Json& value, const std::string& path, const Surroundings& around) {
    Node node;
    if (!reader_.object(value, path,
                        {"type", "shape", "layout", "scheme", "values", "offset", "parent", "shard", "role", "statistics",
                         "extension", "byte_offset", "spare_bytes", "padding", "device", "sync", "memory", "alignment",
                         "version_minor", "trailing", "name"}))
      return node;
    read_common(value, path, around, node);
    if (const Json* layout = JsonReader::find(value, "layout")) node.layout = read_layout(reader_, *layout, path + ".layout");
    if (const Json* scheme = JsonReader::find(value, "scheme"); scheme != nullptr && *scheme != false)
      node.scheme = read_scheme(reader_, *scheme, path + ".scheme");
    read_storage(value, path, node);
    if (!reader_.ok()) return node;
    read_parameters(path, node);
    const Json* values = JsonReader::find(value, "values");
    if (reader_.ok()) read_values(reader_, values != nullptr ? *values : Json(), path + ".values", lengths_, node);
    return node;
  }

  void read_storage(const Json& value, const std::string& path, Node& node) {
    if (const Json* offset = JsonReader::find(value, "byte_offset")) node.byte_offset = reader_.natural(*offset, path + ".byte_offset");
    if (const Json* spare = JsonReader::find(value, "spare_bytes")) node.spare_bytes = reader_.natural(*spare, path + ".spare_bytes");
    if (const Json* padding = JsonReader::find(value, "padding")) node.padding = byte(*padding, path + ".padding");
    if (const Json* device = JsonReader::find(value, "device"))
      node.device = read_tag(reader_, *device, path + ".device", facts::devices, "a device");
    if (const Json* sync = JsonReader::find(value, "sync")) node.sync = byte(*sync, path + ".sync");
    if (const Json* memory = JsonReader::find(value, "memory"))
      node.memory = read_spelled(*memory, path + ".memory", facts::memory_classes, "a memory class");
    if (const Json* alignment = JsonReader::find(value, "alignment"))
      node.alignment = static_cast<std::uint32_t>(reader_.natural(*alignment, path + ".alignment", 0xFFFFFFFF));
  }

  std::uint8_t byte(const Json& value, const std::string& path) { return static_cast<std::uint8_t>(reader_.natural(value, path, 0xFF)); }

  template <typename Value>
  void match(std::vector<Value>& values, std::uint64_t count, const std::string& path) {
    if (values.empty() || values.size() == count) return;
    if (lengths_ == Lengths::exact)
      return reader_.fail(path, "expected " + std::to_string(count) + " parameters, found " + std::to_string(values.size()));
    const std::size_t given = values.size();
    for (std::size_t k = given; k < count; ++k) values.push_back(values[k - given]);
    values.resize(count);
  }

  void read_parameters(const std::string& path, Node& node) {
    const ParameterCount parameters = count_parameters(node);
    if (!parameters.error.empty()) return reader_.fail(path, parameters.error);
    const std::string place = path + ".scheme";
    if (PerChannelAffine* channel = std::get_if<PerChannelAffine>(&node.scheme)) {
      match(channel->scales, parameters.count, place + ".scales");
      match(channel->zero_points, parameters.count, place + ".zero_points");
    } else if (PerBlockAffine* block = std::get_if<PerBlockAffine>(&node.scheme)) {
      match(block->scales, parameters.count, place + ".scales");
      match(block->zero_points, parameters.count, place + ".zero_points");
    } else if (Nf4* nf4 = std::get_if<Nf4>(&node.scheme)) {
      match(nf4->scales, parameters.count, place + ".scales");
    } else if (Mxfp* mxfp = std::get_if<Mxfp>(&node.scheme)) {
      match(mxfp->scales, parameters.count, place + ".scales");
    }
    fill_parameters(node, parameters.count);
  }

  Statistics read_statistics(const Json& value, const std::string& path) {
    Statistics out;
    if (!reader_.object(value, path, {"nnz", "sparsity", "range", "moments", "n_of_m", "nan_inf"})) return out;
    if (const Json* nnz = JsonReader::find(value, "nnz")) out.nnz = reader_.natural(*nnz, path + ".nnz");
    if (const Json* sparsity = JsonReader::find(value, "sparsity")) out.sparsity = reader_.real(*sparsity, path + ".sparsity");
    out.range = tuple<double, 3>(value, path, "range", [&](const Json& v, const std::string& p) { return reader_.real(v, p); });
    out.moments = tuple<double, 2>(value, path, "moments", [&](const Json& v, const std::string& p) { return reader_.real(v, p); });
    out.n_of_m = tuple<std::uint8_t, 2>(value, path, "n_of_m", [&](const Json& v, const std::string& p) { return byte(v, p); });
    out.nan_inf = tuple<bool, 2>(value, path, "nan_inf", [&](const Json& v, const std::string& p) { return reader_.boolean(v, p); });
    return out;
  }

  template <typename Value, std::size_t N, typename Read>
  std::optional<std::array<Value, N>> tuple(const Json& value, const std::string& path, const std::string& key, Read read) {
    const Json* list = JsonReader::find(value, key);
    if (list == nullptr) return std::nullopt;
    std::array<Value, N> out{};
    const std::string place = path + "." + key;
    if (!list->is_array() || list->size() != N) {
      reader_.fail(place, "expected a list of " + std::to_string(N) + ", found " + list->dump());
      return out;
    }
    for (std::size_t k = 0; k < N; ++k) out[k] = read((*list)[k], place + "[" + std::to_string(k) + "]");
    return out;
  }

  ExtensionType read_extension(const Json& value, const std::string& path) {
    ExtensionType out;
    if (!reader_.object(value, path,
                        {"bit_width", "is_float", "is_signed", "sign_bits", "exponent_bits", "mantissa_bits",
                         "exponent_bias", "has_nan", "has_inf"}))
      return out;
    const auto word = [&](const char* key, std::uint32_t& into) {
      if (const Json* v = JsonReader::find(value, key)) into = static_cast<std::uint32_t>(reader_.natural(*v, path + "." + key, 0xFFFFFFFF));
    };
    const auto small = [&](const char* key, std::uint8_t& into) {
      if (const Json* v = JsonReader::find(value, key)) into = byte(*v, path + "." + key);
    };
    const auto truth = [&](const char* key, bool& into) {
      if (const Json* v = JsonReader::find(value, key)) into = reader_.boolean(*v, path + "." + key);
    };
    word("bit_width", out.bit_width);
    truth("is_float", out.is_float);
    truth("is_signed", out.is_signed);
    small("sign_bits", out.sign_bits);
    small("exponent_bits", out.exponent_bits);
    small("mantissa_bits", out.mantissa_bits);
    word("exponent_bias", out.exponent_bias);
    truth("has_nan", out.has_nan);
    truth("has_inf", out.has_inf);
    return out;
  }

  FramedOptions read_framed(const Json& value) {
    FramedOptions out;
    if (!reader_.object(value, "framed", {"stream_id", "frame_bytes"})) return out;
    if (const Json* id = JsonReader::find(value, "stream_id"))
      out.stream_id = static_cast<std::uint32_t>(reader_.natural(*id, "framed.stream_id", 0xFFFFFFFF));
    if (const Json* bytes = JsonReader::find(value, "frame_bytes"))
      out.frame_bytes = static_cast<std::uint32_t>(reader_.natural(*bytes, "framed.frame_bytes", 0xFFFFFFFF));
    return out;
  }

  FileOptions read_file(const Json& value) {
    FileOptions out;
    if (!reader_.object(value, "file", {"alignment", "sorted", "checksum", "kv", "index_order", "count_hint", "version_minor"}))
      return out;
    if (const Json* alignment = JsonReader::find(value, "alignment"))
      out.alignment = static_cast<std::uint32_t>(reader_.natural(*alignment, "file.alignment", 0xFFFFFFFF));
    if (const Json* sorted = JsonReader::find(value, "sorted")) out.sorted = reader_.boolean(*sorted, "file.sorted");
    if (const Json* checksum = JsonReader::find(value, "checksum")) out.checksum = reader_.boolean(*checksum, "file.checksum");
    if (const Json* order = JsonReader::find(value, "index_order")) out.index_order = read_shape(reader_, *order, "file.index_order");
    if (const Json* hint = JsonReader::find(value, "count_hint")) out.count_hint = reader_.natural(*hint, "file.count_hint");
    if (const Json* minor = JsonReader::find(value, "version_minor")) out.version_minor = byte(*minor, "file.version_minor");
    if (const Json* kv = JsonReader::find(value, "kv"))
      out.kv = reader_.list(*kv, "file.kv", [&](const Json& each, const std::string& at) { return read_kv(reader_, each, at); });
    return out;
  }

  JsonReader reader_;
  Lengths lengths_;
};

}  // namespace

ModelOrError model_from_json(const Json& base, Lengths lengths) {
  ModelReader reader(lengths);
  Model model = reader.read(base);
  return {std::move(model), reader.error()};
}

ParsedModel parse_model(const Json& base) {
  ModelOrError parsed = model_from_json(base, Lengths::exact);
  return {std::move(parsed.model), std::move(parsed.error)};
}

}  // namespace hurray::generators
