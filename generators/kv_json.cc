#include <bit>

#include "generators/node_json.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;

// file-format.md, KV Value Types; the names are the model's keys, by tag.
constexpr std::string_view kinds[] = {"", "string", "i64", "u64", "f64", "bool", "bytes"};

std::uint8_t tag_of(std::string_view kind) {
  for (std::uint8_t tag = 1; tag < std::size(kinds); ++tag)
    if (kinds[tag] == kind) return tag;
  return 0;
}

Bytes read_payload(JsonReader& reader, std::uint8_t tag, const Json& value, const std::string& path) {
  switch (tag) {
    case 0x01: {
      const std::string text = reader.text(value, path);
      return {text.begin(), text.end()};
    }
    case 0x02: return little_endian(static_cast<std::uint64_t>(reader.integer(value, path)), 8);
    case 0x03: return little_endian(reader.natural(value, path), 8);
    case 0x04: return little_endian(std::bit_cast<std::uint64_t>(reader.real(value, path)), 8);
    case 0x05: return {static_cast<std::uint8_t>(reader.boolean(value, path) ? 1 : 0)};
    default: return reader.hex(value, path);  // 06, and tags that only edits write
  }
}

Json print_payload(std::uint8_t tag, const Bytes& bytes) {
  const std::uint64_t number = from_little_endian(bytes);
  switch (tag) {
    case 0x01: return std::string(bytes.begin(), bytes.end());
    case 0x02: return print_number(static_cast<std::int64_t>(number));
    case 0x03: return print_number(number);
    case 0x04: return print_real(std::bit_cast<double>(number));
    case 0x05: return number != 0;
    default: return print_hex(bytes);
  }
}

void read_array(JsonReader& reader, const Json& value, const std::string& path, KvEntry& entry) {
  entry.tag = 0x07;
  if (!reader.object(value, path, {"of", "values"})) return;
  const Json* of = JsonReader::find(value, "of");
  entry.element_tag = of != nullptr && of->is_string() ? tag_of(of->get_ref<const std::string&>()) : std::uint8_t{0};
  if (entry.element_tag == 0) return reader.fail(path + ".of", "expected string, i64, u64, f64, bool or bytes");
  if (const Json* values = JsonReader::find(value, "values"))
    entry.values = reader.list(*values, path + ".values", [&](const Json& each, const std::string& at) {
      return read_payload(reader, entry.element_tag, each, at);
    });
}

}  // namespace

KvEntry read_kv(JsonReader& reader, const Json& value, const std::string& path) {
  KvEntry entry;
  if (!reader.object(value, path, {"key", "string", "i64", "u64", "f64", "bool", "bytes", "array"})) return entry;
  if (const Json* key = JsonReader::find(value, "key")) entry.key = reader.text(*key, path + ".key");
  else reader.fail(path, "expected \"key\"");
  bool found = false;
  for (const auto& [kind, payload] : value.items()) {
    if (kind == "key") continue;
    if (found) reader.fail(path, "expected one value, found a second: " + kind);
    found = true;
    if (kind == "array") {
      read_array(reader, payload, path + ".array", entry);
    } else {
      entry.tag = tag_of(kind);
      entry.values = {read_payload(reader, entry.tag, payload, path + "." + kind)};
    }
  }
  if (!found) reader.fail(path, "expected a value: string, i64, u64, f64, bool, bytes or array");
  return entry;
}

Json print_kv(const KvEntry& entry) {
  Json out = {{"key", entry.key}};
  if (entry.tag == 0x07) {
    Json values = Json::array();
    for (const Bytes& value : entry.values) values.push_back(print_payload(entry.element_tag, value));
    out["array"] = {{"of", kinds[entry.element_tag < std::size(kinds) ? entry.element_tag : 0]}, {"values", values}};
  } else {
    const std::string_view kind = kinds[entry.tag < std::size(kinds) ? entry.tag : 6];
    out[std::string(kind)] = print_payload(entry.tag, entry.values.empty() ? Bytes{} : entry.values.front());
  }
  return out;
}

}  // namespace hurray::generators
