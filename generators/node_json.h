// Parts of a node in JSON: names of tags, layouts, schemes, values.
#pragma once

#include <string>

#include "conformance/facts/limits.h"
#include "generators/json_reader.h"
#include "generators/model_json.h"

namespace hurray::generators {

/// A name of `table` or a tag as "0xf0".
template <typename Table>
std::uint8_t read_tag(JsonReader& reader, const nlohmann::json& value, const std::string& path, const Table& table,
                      const char* what) {
  if (value.is_string()) {
    const std::string& name = value.get_ref<const std::string&>();
    if (const auto* row = facts::by_name(table, name)) return row->tag;
    if (name.substr(0, 2) == "0x")
      if (const auto number = whole_number(std::string_view(name)); number && number->magnitude <= 0xFF)
        return static_cast<std::uint8_t>(number->magnitude);
  }
  std::string known;
  for (const auto& row : table) known += std::string(row.name) + ", ";
  reader.fail(path, std::string("expected ") + what + " (" + known + "or a tag as \"0xf0\"), found " + value.dump());
  return 0;
}

Layout read_layout(JsonReader& reader, const nlohmann::json& value, const std::string& path);
Scheme read_scheme(JsonReader& reader, const nlohmann::json& value, const std::string& path);
Shape read_shape(JsonReader& reader, const nlohmann::json& value, const std::string& path);

/// Reads `value` (null: iota) into node.elements, whose type, shape and layout are known by now.
void read_values(JsonReader& reader, const nlohmann::json& value, const std::string& path, Lengths lengths, Node& node);

KvEntry read_kv(JsonReader& reader, const nlohmann::json& value, const std::string& path);
nlohmann::json print_kv(const KvEntry& entry);

nlohmann::json print_layout(const Layout& layout);
nlohmann::json print_scheme(const Scheme& scheme);
nlohmann::json print_values(const Node& node, Detail detail);

/// A number as a JSON number, beyond 2^53 - 1 as a decimal string.
nlohmann::json print_number(std::uint64_t value);
nlohmann::json print_number(std::int64_t value);
nlohmann::json print_real(double value);
std::string print_tag(std::uint8_t tag);
std::string print_hex(const Bytes& bytes);
nlohmann::json print_numbers(const std::vector<std::uint64_t>& values);

}  // namespace hurray::generators
