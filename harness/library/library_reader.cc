#include "harness/library/library_reader.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace hurray::harness {
namespace {

using nlohmann::json;

/// Collects what a reader puts into its sink.
struct Collected {
  json fields = json::object();
  std::vector<std::uint8_t> body;
  std::string error;  // a field whose value is no JSON text
};

void take_field(void* context, const char* key, const char* text) {
  auto& collected = *static_cast<Collected*>(context);
  json value = json::parse(text, nullptr, false);
  if (value.is_discarded()) collected.error = fmt::format("the value of \"{}\" is no JSON text", key);
  else collected.fields[key] = std::move(value);
}

void take_body(void* context, const std::uint8_t* data, std::size_t size) {
  auto& collected = *static_cast<Collected*>(context);
  collected.body.insert(collected.body.end(), data, data + size);
}

struct Account {
  std::uint64_t ceiling = 0, used = 0;
};

void* allocate(void* context, std::size_t size) {
  auto& account = *static_cast<Account*>(context);
  if (account.ceiling != 0 && size > account.ceiling - account.used) return nullptr;
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory != nullptr) account.used += size;
  return memory;
}

void release(void* context, void* pointer, std::size_t size) {
  auto& account = *static_cast<Account*>(context);
  account.used -= std::min<std::uint64_t>(account.used, size);
  std::free(pointer);
}

std::uint64_t number(const json& request, const char* key) {
  const auto found = request.find(key);
  return found == request.end() ? 0 : number_of(*found).value_or(~std::uint64_t{0});
}

int wanted(const json& request) {
  const json want = request.value("want", json::array());
  for (const auto& [name, value] : {std::pair{"view", HURRAY_WANT_VIEW}, {"merge", HURRAY_WANT_MERGE}, {"lookup", HURRAY_WANT_LOOKUP}})
    if (std::find(want.begin(), want.end(), name) != want.end()) return value;
  return HURRAY_WANT_NOTHING;
}

class LibraryReader final : public Served {
 public:
  LibraryReader(const hurray_reader_v1& table, std::uint64_t memory_bytes) : table_(table), account_{memory_bytes, 0} {}

  json ready() override {
    Collected collected;
    const hurray_sink sink{&collected, take_field, take_body};
    table_.describe(&sink);
    json ready{{"op", "ready"}, {"protocol", 1}, {"language", "C"}};
    ready.update(collected.fields);
    return ready;
  }

  Answer read(const json& request, std::span<const std::uint8_t> input) override {
    const std::string surface = request.value("surface", ""), mode = request.value("mode", "");
    std::vector<std::uint64_t> index;
    for (const json& coordinate : request.value("index", json::array())) index.push_back(number_of(coordinate).value_or(~std::uint64_t{0}));
    const hurray_allocator allocator{&account_, allocate, release};
    const hurray_request call{sizeof call, surface.c_str(), mode.c_str(), wanted(request), input.data(), input.size(),
                              number(request, "item"), index.data(), index.size(), &allocator};
    Collected collected;
    const hurray_sink sink{&collected, take_field, take_body};
    const int verdict = table_.read(&call, &sink);
    json answer = std::move(collected.fields);
    answer["verdict"] = name_of(verdict);
    if (!collected.error.empty()) answer = {{"verdict", "broken answer: " + collected.error}};
    return {answer.dump(-1, ' ', false, json::error_handler_t::replace), std::move(collected.body)};
  }

 private:
  static std::string name_of(int verdict) {
    if (verdict == HURRAY_ACCEPT) return "accept";
    if (verdict == HURRAY_REJECT) return "reject";
    return verdict == HURRAY_UNSUPPORTED ? "unsupported" : fmt::format("the number {}, which is no verdict", verdict);
  }

  const hurray_reader_v1& table_;
  Account account_;
};

}  // namespace

ReaderTable load_table(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {nullptr, dlerror()};
  void* symbol = dlsym(library, "hurray_reader");
  if (symbol == nullptr) return {nullptr, path + ": exports no function `hurray_reader`; see hurray_reader.h"};
  const auto* table = reinterpret_cast<const hurray_reader_v1* (*)(void)>(symbol)();
  if (table == nullptr) return {nullptr, path + ": hurray_reader() returned no table"};
  if (table->size < sizeof(hurray_reader_v1))
    return {nullptr, fmt::format("{}: its table has {} bytes, version 1 has {}; was it built against another header?", path, table->size,
                                 sizeof(hurray_reader_v1))};
  if (table->describe == nullptr || table->read == nullptr) return {nullptr, path + ": its table lacks describe or read"};
  return {table, ""};
}

LoadedLibrary load_library(const std::string& path, std::uint64_t memory_bytes) {
  const ReaderTable loaded = load_table(path);
  if (loaded.table == nullptr) return {nullptr, loaded.error};
  return {std::make_unique<LibraryReader>(*loaded.table, memory_bytes), ""};
}

}  // namespace hurray::harness
