#include "generators/node_json.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;

/// The only key of `value` and what stands under it; a bare name stands for a layout with nothing to say.
struct Named {
  std::string name;
  Json body;
};

Named read_named(JsonReader& reader, const Json& value, const std::string& path, const char* what) {
  if (value.is_string()) return {value.get<std::string>(), Json::object()};
  if (value.is_object() && value.size() == 1) return {value.begin().key(), value.begin().value()};
  reader.fail(path, std::string("expected ") + what + " or an object with its name as the only key, found " + value.dump());
  return {};
}

std::vector<std::int64_t> read_strides(JsonReader& reader, const Json& value, const std::string& path) {
  return reader.list(value, path, [&](const Json& each, const std::string& at) { return reader.integer(each, at); });
}

std::vector<std::uint64_t> read_naturals(JsonReader& reader, const Json& value, const std::string& path) {
  return reader.list(value, path, [&](const Json& each, const std::string& at) { return reader.natural(each, at); });
}

std::vector<std::uint32_t> read_words(JsonReader& reader, const Json& value, const std::string& path) {
  return reader.list(value, path, [&](const Json& each, const std::string& at) {
    return static_cast<std::uint32_t>(reader.natural(each, at, 0xFFFFFFFF));
  });
}

std::vector<Index> read_coordinates(JsonReader& reader, const Json& body, const std::string& path) {
  const Json* at = JsonReader::find(body, "at");
  if (at == nullptr) {
    reader.fail(path, "expected \"at\", the list of stored coordinates");
    return {};
  }
  return reader.list(*at, path + ".at", [&](const Json& each, const std::string& place) { return read_naturals(reader, each, place); });
}

/// An order inside a tiled layout: a name, strides, or (inner only) another level.
std::uint8_t read_order(JsonReader& reader, const Json& value, const std::string& path, std::vector<std::int64_t>& strides,
                        const Json** deeper) {
  const Named order = read_named(reader, value, path, "an order");
  if (order.name == "row-major") return facts::layout_tag::row_major;
  if (order.name == "column-major") return facts::layout_tag::column_major;
  if (order.name == "strided") {
    strides = read_strides(reader, order.body, path + ".strided");
    return facts::layout_tag::strided;
  }
  if (order.name == "tiled" && deeper != nullptr && value.is_object()) {
    *deeper = &value.begin().value();
    return facts::layout_tag::tiled;
  }
  reader.fail(path, "expected row-major, column-major or {\"strided\": […]}" +
                        std::string(deeper != nullptr ? " or {\"tiled\": {…}}" : "") + ", found " + value.dump());
  return facts::layout_tag::row_major;
}

Tiled read_tiled(JsonReader& reader, const Json& body, std::string path) {
  Tiled out;
  for (const Json* level_json = &body; level_json != nullptr && reader.ok();) {
    TileLevel& level = out.levels.emplace_back();
    const Json* deeper = nullptr;
    if (!reader.object(*level_json, path, {"tile", "outer", "inner"})) break;
    if (const Json* tile = JsonReader::find(*level_json, "tile")) level.tile = read_naturals(reader, *tile, path + ".tile");
    else reader.fail(path, "expected \"tile\", the tile's shape");
    if (const Json* outer = JsonReader::find(*level_json, "outer"))
      level.outer = read_order(reader, *outer, path + ".outer", level.outer_strides, nullptr);
    if (const Json* inner = JsonReader::find(*level_json, "inner"))
      level.inner = read_order(reader, *inner, path + ".inner", level.inner_strides, &deeper);
    level_json = deeper;
    path += ".inner.tiled";
  }
  return out;
}

BlockPaged read_block_paged(JsonReader& reader, const Json& body, const std::string& path) {
  BlockPaged out;
  if (!reader.object(body, path, {"page_size", "pages", "sequences", "kv_role", "layer", "wide"})) return out;
  const auto read = [&](const char* key, std::uint64_t most, auto& into) {
    if (const Json* value = JsonReader::find(body, key))
      into = static_cast<std::remove_reference_t<decltype(into)>>(reader.natural(*value, path + "." + key, most));
  };
  read("page_size", 0xFFFFFFFF, out.page_size);
  read("pages", ~std::uint64_t{0}, out.pages);
  read("kv_role", 0xFF, out.kv_role);
  read("layer", 0xFFFFFFFF, out.layer);
  if (const Json* wide = JsonReader::find(body, "wide")) out.wide = reader.boolean(*wide, path + ".wide");
  if (const Json* sequences = JsonReader::find(body, "sequences"))
    out.sequences = reader.list(*sequences, path + ".sequences",
                                [&](const Json& each, const std::string& at) { return read_naturals(reader, each, at); });
  return out;
}

PrivateLayout read_private(JsonReader& reader, const Json& body, const std::string& path) {
  PrivateLayout out;
  if (!reader.object(body, path, {"tag", "id", "data"})) return out;
  if (const Json* tag = JsonReader::find(body, "tag")) out.tag = static_cast<std::uint8_t>(reader.natural(*tag, path + ".tag", 0xFF));
  if (const Json* id = JsonReader::find(body, "id")) out.id = reader.natural(*id, path + ".id");
  if (const Json* data = JsonReader::find(body, "data")) out.data = reader.hex(*data, path + ".data");
  return out;
}

Coo read_coo(JsonReader& reader, const Json& body, const std::string& path) {
  Coo out;
  if (!reader.object(body, path, {"at", "sorted"})) return out;
  out.at = read_coordinates(reader, body, path);
  if (const Json* sorted = JsonReader::find(body, "sorted")) out.sorted = reader.boolean(*sorted, path + ".sorted");
  return out;
}

Csf read_csf(JsonReader& reader, const Json& body, const std::string& path) {
  Csf out;
  if (!reader.object(body, path, {"at", "mode_order"})) return out;
  out.at = read_coordinates(reader, body, path);
  if (const Json* order = JsonReader::find(body, "mode_order")) out.mode_order = read_words(reader, *order, path + ".mode_order");
  return out;
}

Json print_strides(const std::vector<std::int64_t>& strides) {
  Json out = Json::array();
  for (const std::int64_t stride : strides) out.push_back(print_number(stride));
  return out;
}

Json print_coordinates(const std::vector<Index>& at) {
  Json out = Json::array();
  for (const Index& each : at) out.push_back(print_numbers(each));
  return out;
}

Json print_order(std::uint8_t order, const std::vector<std::int64_t>& strides) {
  if (order == facts::layout_tag::strided) return {{"strided", print_strides(strides)}};
  return order == facts::layout_tag::column_major ? "column-major" : "row-major";
}

Json print_tiled(const Tiled& layout) {
  Json out;
  for (std::size_t k = layout.levels.size(); k > 0; --k) {
    const TileLevel& level = layout.levels[k - 1];
    Json body = {{"tile", print_numbers(level.tile)}, {"outer", print_order(level.outer, level.outer_strides)}};
    body["inner"] = k == layout.levels.size() ? print_order(level.inner, level.inner_strides) : out;
    out = {{"tiled", body}};
  }
  return out;
}

Json print_words(const std::vector<std::uint32_t>& values) { return Json(values); }

Json print_block_paged(const BlockPaged& layout) {
  Json sequences = Json::array();
  for (const auto& sequence : layout.sequences) sequences.push_back(print_numbers(sequence));
  return {{"block-paged", {{"page_size", layout.page_size}, {"pages", print_number(layout.pages)}, {"sequences", sequences},
                           {"kv_role", layout.kv_role}, {"layer", layout.layer}, {"wide", layout.wide}}}};
}

}  // namespace

Layout read_layout(JsonReader& reader, const Json& value, const std::string& path) {
  const Named named = read_named(reader, value, path, "a layout's name");
  const std::string below = path + "." + named.name;
  const auto only = [&](std::initializer_list<std::string_view> keys) { return reader.object(named.body, below, keys); };
  if (named.name == "row-major") return RowMajor{};
  if (named.name == "column-major") return ColumnMajor{};
  if (named.name == "hilbert") return Hilbert{};
  if (named.name == "strided" && only({"strides"}))
    return Strided{read_strides(reader, named.body.value("strides", Json()), below + ".strides")};
  if (named.name == "tiled") return read_tiled(reader, named.body, below);
  if (named.name == "morton" && only({"bits"}))
    return named.body.empty() ? Morton{} : Morton{read_words(reader, named.body["bits"], below + ".bits")};
  if (named.name == "coo") return read_coo(reader, named.body, below);
  if (named.name == "csr" && only({"at"})) return Csr{read_coordinates(reader, named.body, below)};
  if (named.name == "csc" && only({"at"})) return Csc{read_coordinates(reader, named.body, below)};
  if (named.name == "csf") return read_csf(reader, named.body, below);
  if (named.name == "block-paged") return read_block_paged(reader, named.body, below);
  if (named.name == "private") return read_private(reader, named.body, below);
  reader.fail(path, "unknown layout " + value.dump() +
                        "; known are row-major, column-major, strided, tiled, morton, coo, csr, csc, csf, block-paged, hilbert, private");
  return RowMajor{};
}

Shape read_shape(JsonReader& reader, const Json& value, const std::string& path) {
  return reader.list(value, path, [&](const Json& each, const std::string& at) {
    return each == "dynamic" ? facts::limit::dynamic : reader.natural(each, at);
  });
}

Json print_layout(const Layout& layout) {
  if (std::holds_alternative<RowMajor>(layout)) return "row-major";
  if (std::holds_alternative<ColumnMajor>(layout)) return "column-major";
  if (std::holds_alternative<Hilbert>(layout)) return "hilbert";
  if (const Strided* l = std::get_if<Strided>(&layout)) return {{"strided", {{"strides", print_strides(l->strides)}}}};
  if (const Tiled* l = std::get_if<Tiled>(&layout)) return print_tiled(*l);
  if (const Morton* l = std::get_if<Morton>(&layout)) {
    if (l->bits.empty()) return "morton";
    return {{"morton", {{"bits", print_words(l->bits)}}}};
  }
  if (const Coo* l = std::get_if<Coo>(&layout)) return {{"coo", {{"at", print_coordinates(l->at)}, {"sorted", l->sorted}}}};
  if (const Csr* l = std::get_if<Csr>(&layout)) return {{"csr", {{"at", print_coordinates(l->at)}}}};
  if (const Csc* l = std::get_if<Csc>(&layout)) return {{"csc", {{"at", print_coordinates(l->at)}}}};
  if (const Csf* l = std::get_if<Csf>(&layout)) {
    Json body = {{"at", print_coordinates(l->at)}};
    if (!l->mode_order.empty()) body["mode_order"] = print_words(l->mode_order);
    return {{"csf", body}};
  }
  if (const BlockPaged* l = std::get_if<BlockPaged>(&layout)) return print_block_paged(*l);
  const PrivateLayout& l = std::get<PrivateLayout>(layout);
  return {{"private", {{"tag", print_tag(l.tag)}, {"id", print_number(l.id)}, {"data", print_hex(l.data)}}}};
}

}  // namespace hurray::generators
