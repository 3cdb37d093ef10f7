#include "generators/raw_base.h"

#include <algorithm>
#include <charconv>

#include "generators/json_reader.h"

namespace hurray::generators {

bool is_raw(const nlohmann::json& base) { return base.contains("raw"); }

std::optional<Bytes> unfolded_hex(std::string_view text) {
  constexpr std::size_t longest_run = 1u << 24;
  Bytes out;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t star = word.find('*');
    std::optional<Bytes> bytes = hex_bytes(word.substr(0, star));
    if (!bytes) return std::nullopt;
    if (star != word.npos) {
      std::size_t count = 0;
      const auto [end, wrong] = std::from_chars(word.data() + star + 1, word.data() + word.size(), count);
      if (wrong != std::errc{} || end != word.data() + word.size() || bytes->size() != 1 || count > longest_run) return std::nullopt;
      bytes->assign(count, bytes->front());
    }
    out.insert(out.end(), bytes->begin(), bytes->end());
  }
  return out;
}

RawDocument read_raw(const nlohmann::json& base) {
  RawDocument out;
  const nlohmann::json& raw = base.at("raw");
  const auto surface = std::find(facts::surface_names.begin(), facts::surface_names.end(), raw.value("surface", ""));
  if (surface == facts::surface_names.end()) {
    out.error = "`raw.surface` is none of descriptor, bare, framed, file";
    return out;
  }
  out.surface = static_cast<facts::Surface>(surface - facts::surface_names.begin());
  for (const nlohmann::json& entry : raw.at("fields")) {
    Field& field = out.document.fields.emplace_back();
    field.label = entry.at(0).get<std::string>();
    const std::optional<Bytes> bytes = unfolded_hex(entry.at(1).get<std::string>());
    if (!bytes) {
      out.error = "the bytes of `" + field.label + "` are no hex";
      return out;
    }
    field.bytes = *bytes;
    field.kind = field.bytes.size() <= 8 ? FieldKind::number : FieldKind::bytes;
    field.part = Part::padding;  // counts nowhere
  }
  return out;
}

}  // namespace hurray::generators
