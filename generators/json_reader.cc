#include "generators/json_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace hurray::generators {

std::optional<WholeNumber> whole_number(std::string_view text) {
  WholeNumber out;
  if (!text.empty() && text.front() == '-') {
    out.negative = true;
    text.remove_prefix(1);
  }
  const bool hexadecimal = text.substr(0, 2) == "0x";
  if (hexadecimal) text.remove_prefix(2);
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, out.magnitude, hexadecimal ? 16 : 10);
  if (code != std::errc{} || stop != end) return std::nullopt;
  return out;
}

std::optional<WholeNumber> whole_number(const nlohmann::json& value) {
  if (value.is_number_unsigned()) return WholeNumber{false, value.get<std::uint64_t>()};
  if (value.is_number_integer()) {
    const std::int64_t number = value.get<std::int64_t>();
    return WholeNumber{number < 0, number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number)};
  }
  if (value.is_string()) return whole_number(std::string_view(value.get_ref<const std::string&>()));
  return std::nullopt;
}

std::optional<Bytes> hex_bytes(std::string_view text) {
  if (text.substr(0, 2) == "0x") text.remove_prefix(2);
  Bytes out;
  int high = -1;
  for (const char c : text) {
    if (c == ' ') continue;
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    if (digit < 0) return std::nullopt;
    if (high >= 0) out.push_back(static_cast<std::uint8_t>(high * 16 + digit));
    high = high >= 0 ? -1 : digit;
  }
  if (high >= 0) return std::nullopt;
  return out;
}

std::optional<std::string> literal_of(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
  if (value.is_number_unsigned()) return std::to_string(value.get<std::uint64_t>());
  if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
  if (!value.is_number_float()) return std::nullopt;
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value.get<double>());
  return std::string(text.data(), end.ptr);
}

std::uint64_t JsonReader::natural(const Json& value, const std::string& path, std::uint64_t most) {
  const std::optional<WholeNumber> number = whole_number(value);
  if (number && !(number->negative && number->magnitude != 0) && number->magnitude <= most) return number->magnitude;
  fail(path, "expected a whole number from 0 to " + std::to_string(most) + ", found " + value.dump());
  return 0;
}

std::int64_t JsonReader::integer(const Json& value, const std::string& path, std::int64_t least, std::int64_t most) {
  const std::optional<WholeNumber> number = whole_number(value);
  constexpr std::uint64_t limit = std::uint64_t{1} << 63;
  if (number && number->magnitude <= (number->negative ? limit : limit - 1)) {
    const auto signed_value = static_cast<std::int64_t>(number->negative ? 0 - number->magnitude : number->magnitude);
    if (signed_value >= least && signed_value <= most) return signed_value;
  }
  fail(path, "expected a whole number from " + std::to_string(least) + " to " + std::to_string(most) + ", found " + value.dump());
  return 0;
}

double JsonReader::real(const Json& value, const std::string& path) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (value == "-0.0") return -0.0;
  fail(path, "expected a number, \"nan\", \"inf\", \"-inf\" or \"-0.0\", found " + value.dump());
  return 0;
}

bool JsonReader::boolean(const Json& value, const std::string& path) {
  if (value.is_boolean()) return value.get<bool>();
  fail(path, "expected true or false, found " + value.dump());
  return false;
}

std::string JsonReader::text(const Json& value, const std::string& path) {
  if (value.is_string()) return value.get<std::string>();
  fail(path, "expected a string, found " + value.dump());
  return {};
}

Bytes JsonReader::hex(const Json& value, const std::string& path) {
  if (value.is_string())
    if (std::optional<Bytes> bytes = hex_bytes(value.get_ref<const std::string&>())) return std::move(*bytes);
  fail(path, "expected bytes as hexadecimal digits, found " + value.dump());
  return {};
}

bool JsonReader::object(const Json& value, const std::string& path, std::initializer_list<std::string_view> keys) {
  if (!value.is_object()) {
    fail(path, "expected an object, found " + value.dump());
    return false;
  }
  for (const auto& [key, ignored] : value.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::string known;
    for (const std::string_view each : keys) known += (known.empty() ? "" : ", ") + std::string(each);
    fail(path + "." + key, "unknown key; known are " + known);
    return false;
  }
  return true;
}

bool JsonReader::array(const Json& value, const std::string& path) {
  if (value.is_array()) return true;
  fail(path, "expected a list, found " + value.dump());
  return false;
}

const JsonReader::Json* JsonReader::find(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto at = object.find(key);
  return at == object.end() ? nullptr : &*at;
}

}  // namespace hurray::generators
