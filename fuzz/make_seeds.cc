// make_seeds ROOT OUTPUT TARGET ...: writes OUTPUT/TARGET/, the inputs that a fuzz target starts from, out of the cases of
// ROOT/conformance/. Nothing of it is committed: the seeds follow the data.
// make_seeds --decisions FILE OUTPUT: adds to OUTPUT/TARGET/, for each target of decisions, inputs that grow what FILE
// holds, a valid input on any surface, and says how near they come.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/decision_seeds.h"
#include "fuzz/file_sections.h"
#include "fuzz/growth_limits.h"
#include "fuzz/model_of.h"
#include "fuzz/near_miss.h"
#include "generators/build.h"
#include "generators/matrix.h"

namespace {

namespace fs = std::filesystem;
using hurray::facts::Surface;
using hurray::generators::Case;
using hurray::generators::Matrix;
using hurray::generators::Model;
using Input = std::vector<std::uint8_t>;
using Inputs = std::vector<Input>;

Inputs cases_on(const Matrix& matrix, Surface surface) {
  Inputs inputs;
  for (const Case& one : matrix.cases)
    if (one.surface == surface) inputs.push_back(one.bytes());
  return inputs;
}

void append_prefixed(Inputs& all, const Input& prefix, const Inputs& inputs) {
  for (Input input : inputs) {
    input.insert(input.begin(), prefix.begin(), prefix.end());
    all.push_back(std::move(input));
  }
}

/// The carrier's number, then its bytes (fz_roundtrip).
Inputs any_carrier(const Matrix& matrix) {
  Inputs all;
  append_prefixed(all, {0}, cases_on(matrix, Surface::bare));
  append_prefixed(all, {1}, cases_on(matrix, Surface::framed));
  append_prefixed(all, {2}, cases_on(matrix, Surface::file));
  return all;
}

/// Carrier and where to cut, then the stream (fz_chunked).
Inputs streams(const Matrix& matrix) {
  Inputs all;
  append_prefixed(all, {0, 1, 2, 3, 4}, cases_on(matrix, Surface::bare));
  append_prefixed(all, {1, 5, 6, 7, 8}, cases_on(matrix, Surface::framed));
  return all;
}

/// The bytes of all segments whose label starts with `section`, less its padding.
Input section_of(const Case& one, std::string_view section) {
  Input bytes;
  for (const auto& segment : one.segments)
    if (segment.label.compare(0, section.size(), section) == 0 && segment.label.find("padding") == std::string::npos)
      bytes.insert(bytes.end(), segment.bytes.begin(), segment.bytes.end());
  return bytes;
}

/// Both sections of each file, as wrap_sections() takes them apart (fz_kv_index). Only the first fits the file that is
/// put around them: the others bring keys, values and index entries of all kinds.
Inputs file_sections(const Matrix& matrix) {
  Inputs inputs{hurray::fuzz::valid_sections()};
  const Input valid = inputs.front();
  for (const Case& one : matrix.cases) {
    if (one.surface != Surface::file) continue;
    const Input kv = section_of(one, "kv"), index = section_of(one, "index");
    Input input{valid.front(), static_cast<std::uint8_t>(kv.size()), static_cast<std::uint8_t>(kv.size() >> 8)};
    input.insert(input.end(), kv.begin(), kv.end());
    input.insert(input.end(), index.begin(), index.end());
    inputs.push_back(std::move(input));
  }
  return inputs;
}

/// Sequences of all lengths grow models of all sizes, most of which nobody would think of.
Inputs random_decisions() {
  constexpr std::size_t count = 256;
  Inputs inputs;
  std::uint32_t state = 0x6875'7272;
  for (std::size_t number = 0; number < count; ++number) {
    Input input;
    for (std::size_t at = 0; at < 8 + 2 * number; ++at) {
      state = state * 1664525 + 1013904223;
      input.push_back(static_cast<std::uint8_t>(state >> 24));
    }
    input.front() = static_cast<std::uint8_t>(number);  // targets that choose by the first byte see every choice
    inputs.push_back(std::move(input));
  }
  return inputs;
}

/// The models of all cases that are accepted, each once.
std::vector<Model> accepted_models(const Matrix& matrix) {
  std::vector<Model> models;
  std::set<Input> known;
  for (const Case& one : matrix.cases) {
    std::optional<Model> model = hurray::fuzz::model_of(one.bytes(), one.surface);
    if (model && known.insert(hurray::generators::decisions_of(*model, hurray::fuzz::tree_limits()).decisions).second) models.push_back(std::move(*model));
  }
  return models;
}

void append_models(Inputs& all, const Matrix& matrix, std::string_view target) {
  std::size_t choice = 0;
  for (const Model& model : accepted_models(matrix)) all.push_back(hurray::fuzz::seed_for(target, model, choice++));
}

std::function<Inputs(const Matrix&)> decisions(std::string_view target) {
  return [target](const Matrix& matrix) {
    Inputs inputs = random_decisions();
    append_models(inputs, matrix, target);
    return inputs;
  };
}

/// fuzz/diff/input.h: every case in strict mode, those to reject in permissive mode too, grown models, and each fault.
Inputs differential(const Matrix& matrix) {
  constexpr std::uint8_t permissive = 1u << 2, grown = 4u << 3, broken = 6u << 3;
  Inputs all;
  for (const Case& one : matrix.cases) {
    const auto surface = static_cast<std::uint8_t>(one.surface);
    append_prefixed(all, {surface}, {one.bytes()});
    if (one.expect[0].verdict == hurray::generators::Verdict::reject)
      append_prefixed(all, {static_cast<std::uint8_t>(surface | permissive)}, {one.bytes()});
  }
  const Inputs models = random_decisions();
  for (std::uint8_t surface = 1; surface < 4; ++surface) append_prefixed(all, {static_cast<std::uint8_t>(grown | surface)}, models);
  for (std::size_t fault = 0; fault < hurray::fuzz::fault_count(); ++fault)
    append_prefixed(all, {broken, static_cast<std::uint8_t>(fault), static_cast<std::uint8_t>(fault >> 8), static_cast<std::uint8_t>(fault * 7)},
                    {models[fault % models.size()]});
  append_models(all, matrix, "fz_diff");
  return all;
}

std::function<Inputs(const Matrix&)> on(Surface surface) {
  return [surface](const Matrix& matrix) { return cases_on(matrix, surface); };
}

const std::map<std::string, std::function<Inputs(const Matrix&)>>& makers() {
  static const std::map<std::string, std::function<Inputs(const Matrix&)>> table{
      {"fz_bare", on(Surface::bare)}, {"fz_chunked", streams},     {"fz_descriptor", on(Surface::descriptor)},
      {"fz_diff", differential},      {"fz_file", on(Surface::file)}, {"fz_framed", on(Surface::framed)},
      {"fz_kv_index", file_sections}, {"fz_merge", decisions("fz_merge")},     {"fz_metamorph", decisions("fz_metamorph")},
      {"fz_nearmiss", decisions("fz_nearmiss")},     {"fz_roundtrip", any_carrier}, {"fz_tree", decisions("fz_tree")}};
  return table;
}

/// The name tells equal inputs apart from others, so that two cases with one input leave one seed.
std::string name_of(const Input& input) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::uint8_t byte : input) hash = (hash ^ byte) * 0x100000001b3;
  char name[17];
  std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(hash));
  return name;
}

bool add(const fs::path& folder, const Input& input) {
  std::error_code ignored;  // a folder that is not there cannot be written to either
  fs::create_directories(folder, ignored);
  std::ofstream out(folder / name_of(input), std::ios::binary);
  out.write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
  return static_cast<bool>(out);
}

bool write(const fs::path& folder, const Inputs& inputs) {
  fs::remove_all(folder);
  for (const Input& input : inputs)
    if (input.size() <= hurray::fuzz::largest_input && !add(folder, input)) return false;
  return true;
}

int fail(const std::string& message) {
  std::fprintf(stderr, "make_seeds: %s\n", message.c_str());
  return 4;
}

/// One input for each of what the targets choose by their prefix, up to a few.
bool add_seeds(const fs::path& output, const Model& model) {
  constexpr std::size_t choices = 6;
  for (const std::string_view target : hurray::fuzz::decision_targets)
    for (std::size_t choice = 0; choice < choices; ++choice)
      if (!add(output / target, hurray::fuzz::seed_for(target, model, choice))) return false;
  return true;
}

int add_decisions(const fs::path& file, const fs::path& output) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(file.string() + " cannot be read");
  const Input input((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  for (const Surface surface : {Surface::file, Surface::framed, Surface::bare, Surface::descriptor}) {
    const std::optional<Model> model = hurray::fuzz::model_of(input, surface);
    if (!model || model->items.empty()) continue;
    if (!add_seeds(output, *model)) return fail(output.string() + " cannot be written");
    const Model grown = hurray::generators::decisions_of(*model, hurray::fuzz::tree_limits()).model;
    const bool same = hurray::generators::write(grown, surface) == input;
    const bool alike = hurray::generators::expected_view(grown, Surface::bare) == hurray::generators::expected_view(*model, Surface::bare);
    std::printf("%s: valid as %s; fz_tree grows %s\n", file.c_str(), hurray::facts::surface_names[static_cast<std::size_t>(surface)].data(),
                same ? "it again byte for byte" : alike ? "the same structure with other values or options" : "the nearest that there is to it");
    return 0;
  }
  return fail(file.string() + " is valid on no surface; only a valid input can be grown");
}

int make_all(const fs::path& root, const fs::path& output, const std::vector<std::string>& targets) {
  const auto loaded = hurray::generators::load_matrix(root, hurray::generators::Breadth::standard);
  for (const auto& error : loaded.errors) std::fprintf(stderr, "%s\n", error.message.c_str());
  if (!loaded.errors.empty()) return 4;
  for (const std::string& target : targets) {
    const auto maker = makers().find(target);
    if (maker == makers().end()) return fail("no seeds are known for " + target);
    if (!write(output / target, maker->second(loaded.matrix))) return fail(output.string() + " cannot be written");
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() == 3 && words[0] == "--decisions") return add_decisions(words[1], words[2]);
  if (words.size() >= 3) return make_all(words[0], words[1], {words.begin() + 2, words.end()});
  std::fputs("usage: make_seeds ROOT OUTPUT TARGET ...\n       make_seeds --decisions FILE OUTPUT\n", stderr);
  return 4;
}
