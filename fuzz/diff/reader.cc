#include "fuzz/diff/reader.h"

#include <algorithm>
#include <cstdlib>

namespace hurray::fuzz {
namespace {

using nlohmann::json;

struct Collected {
  DiffAnswer answer;
  json fields = json::object();
};

void take_field(void* context, const char* key, const char* text) {
  auto& collected = *static_cast<Collected*>(context);
  json value = json::parse(text, nullptr, false);
  if (value.is_discarded()) collected.answer.broken = std::string("the value of \"") + key + "\" is no JSON text";
  else collected.fields[key] = std::move(value);
}

void take_body(void* context, const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t>& body = static_cast<Collected*>(context)->answer.body;
  body.insert(body.end(), data, data + size);
}

void* allocate(void*, std::size_t size) { return std::malloc(size == 0 ? 1 : size); }
void release(void*, void* pointer, std::size_t) { std::free(pointer); }

std::string text(const json& fields, const char* key) {
  const auto found = fields.find(key);
  return found != fields.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

}  // namespace

DiffReader::DiffReader(const hurray_reader_v1& table) : table_(table) {
  Collected collected;
  const hurray_sink sink{&collected, take_field, take_body};
  table_.describe(&sink);
  json ready{{"op", "ready"}, {"protocol", 1}};
  ready.update(collected.fields);
  const std::string wrong = collected.answer.broken.empty() ? harness::parse_ready(ready, declaration_) : collected.answer.broken;
  if (!wrong.empty()) fail("the reader describes itself", "%s", wrong.c_str());
}

DiffAnswer DiffReader::ask(const Ask& ask, Bytes input) const {
  const hurray_allocator allocator{nullptr, allocate, release};
  const hurray_request request{sizeof request, facts::surface_names[static_cast<std::size_t>(ask.surface)].data(),
                               facts::mode_names[static_cast<std::size_t>(ask.mode)].data(), ask.want, input.data(), input.size(),
                               ask.item, ask.index.data(), ask.index.size(), &allocator};
  Collected collected;
  const hurray_sink sink{&collected, take_field, take_body};
  DiffAnswer& answer = collected.answer;
  answer.verdict = table_.read(&request, &sink);
  if (answer.verdict != HURRAY_ACCEPT && answer.verdict != HURRAY_REJECT && answer.verdict != HURRAY_UNSUPPORTED)
    answer.broken = "the number " + std::to_string(answer.verdict) + " is no verdict";
  answer.rule = text(collected.fields, "rule");
  answer.message = text(collected.fields, "message");
  if (const auto view = collected.fields.find("view"); view != collected.fields.end()) answer.view = std::move(*view);
  return std::move(collected.answer);
}

}  // namespace hurray::fuzz
