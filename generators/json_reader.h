// Typed access to JSON that notes the first thing that is wrong, with its path, and goes on with a harmless value.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/bytes.h"

namespace hurray::generators {

class JsonReader {
 public:
  using Json = nlohmann::json;

  const std::string& error() const { return error_; }
  bool ok() const { return error_.empty(); }
  void fail(const std::string& path, const std::string& expected) {
    if (error_.empty()) error_ = path + ": " + expected;
  }

  /// Integers take a number or a decimal or 0x string within the type's range.
  std::uint64_t natural(const Json& value, const std::string& path, std::uint64_t most = ~std::uint64_t{0});
  std::int64_t integer(const Json& value, const std::string& path, std::int64_t least = INT64_MIN, std::int64_t most = INT64_MAX);
  double real(const Json& value, const std::string& path);
  bool boolean(const Json& value, const std::string& path);
  std::string text(const Json& value, const std::string& path);
  Bytes hex(const Json& value, const std::string& path);

  /// Checks that `value` is an object with no key but `keys`.
  bool object(const Json& value, const std::string& path, std::initializer_list<std::string_view> keys);
  bool array(const Json& value, const std::string& path);

  /// The member `key` of an object, or nothing.
  static const Json* find(const Json& object, std::string_view key);

  template <typename Read>
  auto list(const Json& value, const std::string& path, Read read) -> std::vector<decltype(read(value, path))> {
    std::vector<decltype(read(value, path))> out;
    if (!array(value, path)) return out;
    for (std::size_t k = 0; k < value.size(); ++k) out.push_back(read(value[k], path + "[" + std::to_string(k) + "]"));
    return out;
  }

 private:
  std::string error_;
};

/// A whole number in text: decimal, or 0x and hexadecimal digits, with an optional minus sign. The magnitude is exact.
struct WholeNumber {
  bool negative = false;
  std::uint64_t magnitude = 0;
};
[[nodiscard]] std::optional<WholeNumber> whole_number(std::string_view text);
[[nodiscard]] std::optional<WholeNumber> whole_number(const nlohmann::json& value);

/// Bytes from an even number of hexadecimal digits, with or without 0x; blanks are ignored.
[[nodiscard]] std::optional<Bytes> hex_bytes(std::string_view text);

/// The literal of a JSON number or string as element.h reads it; booleans are 1 and 0.
[[nodiscard]] std::optional<std::string> literal_of(const nlohmann::json& value);

}  // namespace hurray::generators
