#include "harness/null_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "conformance/facts/facts.h"
#include "harness/serve.h"

namespace hurray::harness {
namespace {

using nlohmann::json;

enum class NullKind : std::size_t { accept_all, reject_all, crash, hang, echo, random };

class NullReader final : public Served {
 public:
  explicit NullReader(NullKind kind) : kind_(kind) {}

  json ready() override {
    json types = json::array(), layouts = json::array(), schemes = json::array();
    for (const facts::ElementType& type : facts::element_types) types.push_back(type.name);
    for (const facts::Layout& layout : facts::layouts) layouts.push_back(layout.name);
    for (const facts::Scheme& scheme : facts::schemes) schemes.push_back(scheme.name);
    return {{"op", "ready"}, {"protocol", 1}, {"name", null_reader_names[static_cast<std::size_t>(kind_)]},
            {"version", "1"}, {"language", "none"}, {"types", types}, {"layouts", layouts}, {"schemes", schemes},
            {"merge", {{"rules", {"partition", "overlay"}}, {"combine", {"replace", "add"}}, {"lookup", true}}}};
  }

  Answer read(const json& request, std::span<const std::uint8_t> input) override {
    switch (kind_) {
      case NullKind::accept_all: return verdict(true);
      case NullKind::reject_all: return verdict(false);
      case NullKind::crash:
        signal(SIGABRT, SIG_DFL);
        raise(SIGABRT);
        return {};
      case NullKind::hang:
        for (;;) pause();
      case NullKind::echo:
        return {fmt::format(R"({{"op":"read","id":{}}})", request.value("id", json()).dump()), {input.begin(), input.end()}};
      case NullKind::random: return verdict(coin(number_of(request.value("id", json())).value_or(0)));
    }
    return {};
  }

 private:
  static Answer verdict(bool accept) {
    return {accept ? R"({"verdict":"accept","view":[]})" : R"({"verdict":"reject","message":"a null reader rejects everything"})", {}};
  }

  /// Depends on the question alone, so that a report can be reproduced however many children there are.
  static bool coin(std::uint64_t id) {
    std::uint64_t mixed = (id + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return (mixed >> 63) != 0;
  }

  NullKind kind_;
};

}  // namespace

int serve_null(std::string_view name) {
  for (std::size_t i = 0; i < null_reader_names.size(); ++i) {
    if (null_reader_names[i] != name) continue;
    NullReader reader(static_cast<NullKind>(i));
    return serve(reader);
  }
  fmt::print(stderr, "there is no null reader '{}'; known: {}\n", name, fmt::join(null_reader_names, ", "));
  return 4;
}

}  // namespace hurray::harness
