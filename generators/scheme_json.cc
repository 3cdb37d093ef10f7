#include "generators/element.h"
#include "generators/node_json.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t word_least = INT32_MIN, word_most = INT32_MAX;

struct Keys {
  JsonReader& reader;
  const Json& body;
  const std::string& path;

  std::uint32_t word(const char* key, std::uint32_t otherwise) const {
    const Json* value = JsonReader::find(body, key);
    return value == nullptr ? otherwise : static_cast<std::uint32_t>(reader.natural(*value, path + "." + key, 0xFFFFFFFF));
  }
  std::vector<Bits> elements(const char* key, std::uint8_t type) const {
    const Json* value = JsonReader::find(body, key);
    if (value == nullptr) return {};
    return reader.list(*value, path + "." + key, [&](const Json& each, const std::string& at) {
      const std::optional<std::string> literal = literal_of(each);
      const EncodedElement element = literal ? encode_element({type, nullptr}, *literal) : EncodedElement{{}, "expected a number"};
      if (!element.error.empty()) reader.fail(at, element.error);
      return element.bits;
    });
  }
  std::vector<float> floats(const char* key) const {
    std::vector<float> out;
    for (const Bits& bits : elements(key, facts::tag::float32)) out.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits.low)));
    return out;
  }
  std::vector<std::int32_t> zero_points() const {
    const Json* value = JsonReader::find(body, "zero_points");
    if (value == nullptr) return {};
    return reader.list(*value, path + ".zero_points", [&](const Json& each, const std::string& at) {
      return static_cast<std::int32_t>(reader.integer(each, at, word_least, word_most));
    });
  }
  /// Symmetric unless zero points are given.
  bool symmetric() const {
    const Json* value = JsonReader::find(body, "symmetric");
    return value == nullptr ? JsonReader::find(body, "zero_points") == nullptr : reader.boolean(*value, path + ".symmetric");
  }
};

Scheme read_per_tensor(const Keys& keys) {
  PerTensorAffine out;
  if (!keys.reader.object(keys.body, keys.path, {"scale", "zero_point"})) return out;
  if (const Json* scale = JsonReader::find(keys.body, "scale")) {
    const std::optional<std::string> literal = literal_of(*scale);
    const EncodedElement element =
        literal ? encode_element({facts::tag::float32, nullptr}, *literal) : EncodedElement{{}, "expected a number"};
    if (!element.error.empty()) keys.reader.fail(keys.path + ".scale", element.error);
    out.scale = std::bit_cast<float>(static_cast<std::uint32_t>(element.bits.low));
  }
  if (const Json* zero = JsonReader::find(keys.body, "zero_point"))
    out.zero_point = static_cast<std::int32_t>(keys.reader.integer(*zero, keys.path + ".zero_point", word_least, word_most));
  return out;
}

Scheme read_per_channel(const Keys& keys) {
  PerChannelAffine out;
  if (!keys.reader.object(keys.body, keys.path, {"axis", "scales", "zero_points", "symmetric"})) return out;
  out.axis = keys.word("axis", 0);
  out.symmetric = keys.symmetric();
  out.scales = keys.floats("scales");
  if (!out.symmetric) out.zero_points = keys.zero_points();
  return out;
}

Scheme read_per_block(const Keys& keys) {
  PerBlockAffine out;
  if (!keys.reader.object(keys.body, keys.path, {"axis", "block", "scale", "scales", "zero_points", "symmetric"})) return out;
  out.axis = keys.word("axis", 0);
  out.block = keys.word("block", out.block);
  if (const Json* scale = JsonReader::find(keys.body, "scale"))
    out.scale_type = read_tag(keys.reader, *scale, keys.path + ".scale", facts::element_types, "the scales' type");
  out.symmetric = keys.symmetric();
  out.scales = keys.elements("scales", out.scale_type);
  if (!out.symmetric) out.zero_points = keys.zero_points();
  return out;
}

Scheme read_nf4(const Keys& keys) {
  Nf4 out;
  if (!keys.reader.object(keys.body, keys.path, {"axis", "block", "scales"})) return out;
  out.axis = keys.word("axis", 0);
  out.block = keys.word("block", out.block);
  out.scales = keys.floats("scales");
  return out;
}

Scheme read_mxfp(const Keys& keys) {
  Mxfp out;
  if (!keys.reader.object(keys.body, keys.path, {"axis", "block", "scales"})) return out;
  out.axis = keys.word("axis", 0);
  out.block = keys.word("block", out.block);
  if (const Json* scales = JsonReader::find(keys.body, "scales"))
    out.scales = keys.reader.list(*scales, keys.path + ".scales", [&](const Json& each, const std::string& at) {
      return static_cast<std::uint8_t>(keys.reader.natural(each, at, 0xFF));
    });
  return out;
}

Json print_element(std::uint8_t type, const Bits& bits) {
  const std::string literal = element_literal({type, nullptr}, bits);
  const Json number = Json::parse(literal, nullptr, false);
  return number.is_number() && literal != "-0.0" ? number : Json(literal);
}

Json print_floats(const std::vector<float>& values) {
  Json out = Json::array();
  for (const float value : values) out.push_back(print_element(facts::tag::float32, {std::bit_cast<std::uint32_t>(value), 0}));
  return out;
}

Json print(const PerTensorAffine& s) {
  return {{"scale", print_element(facts::tag::float32, {std::bit_cast<std::uint32_t>(s.scale), 0})}, {"zero_point", s.zero_point}};
}

Json print(const PerChannelAffine& s) {
  Json out = {{"axis", s.axis}, {"symmetric", s.symmetric}, {"scales", print_floats(s.scales)}};
  if (!s.symmetric) out["zero_points"] = s.zero_points;
  return out;
}

Json print(const PerBlockAffine& s) {
  const facts::ElementType* type = facts::element_type(s.scale_type);
  Json out = {{"axis", s.axis}, {"block", s.block}, {"symmetric", s.symmetric}, {"scales", Json::array()}};
  out["scale"] = type != nullptr ? std::string(type->name) : print_tag(s.scale_type);
  for (const Bits& scale : s.scales) out["scales"].push_back(print_element(s.scale_type, scale));
  if (!s.symmetric) out["zero_points"] = s.zero_points;
  return out;
}

Json print(const Nf4& s) { return {{"axis", s.axis}, {"block", s.block}, {"scales", print_floats(s.scales)}}; }
Json print(const Mxfp& s) { return {{"axis", s.axis}, {"block", s.block}, {"scales", s.scales}}; }

}  // namespace

Scheme read_scheme(JsonReader& reader, const Json& value, const std::string& path) {
  if (!value.is_object() || value.size() != 1) {
    reader.fail(path, "expected an object with the scheme's name as its only key, found " + value.dump());
    return {};
  }
  const std::string& name = value.begin().key();
  const std::string below = path + "." + name;
  const Keys keys{reader, value.begin().value(), below};
  const facts::Scheme* scheme = facts::by_name(facts::schemes, name);
  switch (scheme == nullptr ? 0 : scheme->tag) {
    case facts::scheme_tag::per_tensor_affine: return read_per_tensor(keys);
    case facts::scheme_tag::per_channel_affine: return read_per_channel(keys);
    case facts::scheme_tag::per_block_affine: return read_per_block(keys);
    case facts::scheme_tag::nf4: return read_nf4(keys);
    case facts::scheme_tag::mxfp: return read_mxfp(keys);
    default: break;  // a name of no scheme
  }
  reader.fail(path, "unknown scheme " + name + "; known are per-tensor-affine, per-channel-affine, per-block-affine, nf4, mxfp");
  return {};
}

Json print_scheme(const Scheme& scheme) {
  if (const PerTensorAffine* s = std::get_if<PerTensorAffine>(&scheme)) return {{"per-tensor-affine", print(*s)}};
  if (const PerChannelAffine* s = std::get_if<PerChannelAffine>(&scheme)) return {{"per-channel-affine", print(*s)}};
  if (const PerBlockAffine* s = std::get_if<PerBlockAffine>(&scheme)) return {{"per-block-affine", print(*s)}};
  if (const Nf4* s = std::get_if<Nf4>(&scheme)) return {{"nf4", print(*s)}};
  if (const Mxfp* s = std::get_if<Mxfp>(&scheme)) return {{"mxfp", print(*s)}};
  return nullptr;
}

}  // namespace hurray::generators
