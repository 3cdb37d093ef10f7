// fz_diff's comparison against readers with known faults: each is found, and the right rule is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>

#include "fuzz/diff/input.h"
#include "fuzz/diff/ledger.h"
#include "fuzz/diff/openings.h"
#include "generators/corpus/isolate.h"
#include "harness/library/library_reader.h"

namespace {

using namespace hurray;
using fuzz::Difference;
using fuzz::DifferenceKind;
using generators::Case;
using generators::Verdict;

const generators::Matrix& matrix() {
  static const generators::LoadedMatrix loaded = generators::load_matrix(HURRAY_SOURCE_DIR, generators::Breadth::standard);
  return loaded.matrix;
}

/// A variable of the environment for as long as this lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { setenv(name, value.c_str(), 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

std::optional<Difference> on_case(const fuzz::DiffReader& reader, const Case& one, facts::Mode mode) {
  const std::vector<std::uint8_t> bytes = one.bytes();
  if (bytes.size() > fuzz::largest_input) return std::nullopt;
  return fuzz::compare(reader, {bytes, one.surface, mode, nullptr});
}

/// Where the search starts: every case, then models and faults drawn at random.
std::optional<Difference> first_difference(const fuzz::DiffReader& reader, std::uint32_t draws, std::uint32_t& executions) {
  for (const Case& one : matrix().cases) {
    ++executions;
    if (auto found = on_case(reader, one, facts::Mode::strict)) return found;
  }
  for (std::uint32_t seed = 0; seed < draws; ++seed) {
    std::uint8_t room[fuzz::longest_draw];
    const std::optional<fuzz::OwnedInput> input = fuzz::decode_input({room, fuzz::draw_input(room, seed)});
    ++executions;
    if (!input) continue;
    if (auto found = fuzz::compare(reader, input->view())) return found;
  }
  return std::nullopt;
}

/// HURRAY_DIFF_DRAWS asks for a longer search for false alarms than a test can take.
std::uint32_t draws_without_a_fault() {
  const char* wanted = std::getenv("HURRAY_DIFF_DRAWS");
  return wanted == nullptr ? 3000 : static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10));
}

TEST(Diff, TheReferenceAgreesWithItself) {
  const fuzz::DiffReader reader(*hurray_reader());
  std::uint32_t executions = 0;
  const auto found = first_difference(reader, draws_without_a_fault(), executions);
  EXPECT_FALSE(found) << found->line();
  for (const Case& one : matrix().cases) {
    const auto permissive = on_case(reader, one, facts::Mode::permissive);
    EXPECT_FALSE(permissive) << one.id << ": " << permissive->line();
  }
}

TEST(Diff, EveryWaivedRuleIsFoundByTheCasesAndNamed) {
  std::map<std::string, std::vector<const Case*>> cases;
  for (const Case& one : matrix().cases)
    if (!one.is_base() && one.expect[0].verdict == Verdict::reject && one.expect[0].reading.empty() && one.bytes().size() <= fuzz::largest_input)
      cases[generators::checked_rule(matrix(), one.rule)].push_back(&one);
  std::size_t rules = 0;
  for (const auto& [rule, of_rule] : cases) {
    const Variable waived("HURRAY_WAIVE", rule);
    const fuzz::DiffReader reader(*hurray_reader());
    bool found = false, isolated = false, open = false;
    for (const Case* one : of_rule) {
      isolated = isolated || generators::isolate(matrix(), *one).isolates.value_or(false);
      const std::vector<std::uint8_t> bytes = one->bytes();
      const reference::Reading reading = reference::read(bytes, one->surface, reference::Waivers::none());
      open = open || (reading.violation && !fuzz::open_rejection(*reading.violation, bytes, one->surface).empty());
      const auto difference = on_case(reader, *one, facts::Mode::strict);
      found = found || (difference && difference->kind == DifferenceKind::false_accept && difference->rule == rule);
    }
    EXPECT_TRUE(found || !isolated || open) << rule << " waived goes unnoticed";
    rules += found ? 1 : 0;
  }
  RecordProperty("rules", static_cast<int>(rules));
  EXPECT_GT(rules, 270u);
}

struct Planted {
  const char *mutant, *rule;  // the rule named first, or among the others
  DifferenceKind kind;
};

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.mutant << " breaks " << planted.rule; }

class PlantedReaders : public testing::TestWithParam<Planted> {};

TEST_P(PlantedReaders, AreFoundFromTheSeedsAndTheRuleIsNamed) {
  const Planted& planted = GetParam();
  const Variable mutant("HURRAY_MUTANT", planted.mutant);
  const harness::ReaderTable loaded = harness::load_table(MUTANT_LIBRARY);
  ASSERT_NE(loaded.table, nullptr) << loaded.error;
  const fuzz::DiffReader reader(*loaded.table);
  ASSERT_EQ(reader.declares().name, "hurray-mutant") << "no mutant has that name any more";
  std::uint32_t executions = 0;
  const auto found = first_difference(reader, 20000, executions);
  ASSERT_TRUE(found) << "not within " << executions << " executions";
  EXPECT_EQ(found->kind, planted.kind) << found->line();
  const bool named = found->rule == planted.rule || std::find(found->more.begin(), found->more.end(), planted.rule) != found->more.end();
  EXPECT_TRUE(named) << found->line();
}

INSTANTIATE_TEST_SUITE_P(Diff, PlantedReaders,
                         testing::Values(Planted{"rank-65-accepted", "DM-RANK-01", DifferenceKind::false_accept},
                                         Planted{"overlay-add-rejected", "CMP-OP-03", DifferenceKind::false_reject},
                                         Planted{"looked-up-index-not-shifted", "CMP-PART-05", DifferenceKind::wrong_value},
                                         Planted{"merge-first-member-on-top", "CMP-OVL-02", DifferenceKind::wrong_value},
                                         Planted{"merge-adds-by-replacing", "CMP-OVL-04", DifferenceKind::wrong_value},
                                         Planted{"high-nibble-first-in-one", "TYPE-PACK-02", DifferenceKind::wrong_value},
                                         Planted{"mxfp-bias-126", "Q-MX-10", DifferenceKind::wrong_value},
                                         Planted{"morton-axes-reversed", "LAY-MOR-05", DifferenceKind::wrong_value}),
                         [](const auto& one) {
                           std::string name = one.param.mutant;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Shows a shard's offset in reverse: the reference otherwise.
int misread_offset(const hurray_request* request, const hurray_sink* sink) {
  struct Changed {
    const hurray_sink* to;
  } changed{sink};
  const hurray_sink own{&changed,
                        [](void* context, const char* key, const char* text) {
                          const hurray_sink& to = *static_cast<Changed*>(context)->to;
                          std::string value = text;
                          if (std::string(key) == "view")
                            for (std::size_t at = value.find("\"offset\":["); at != std::string::npos; at = value.find("\"offset\":[", at + 1))
                              value.replace(at + 10, value.find(']', at) - at - 10, "7");
                          to.field(to.context, key, value.c_str());
                        },
                        [](void* context, const std::uint8_t* data, std::size_t size) {
                          const hurray_sink& to = *static_cast<Changed*>(context)->to;
                          to.body(to.context, data, size);
                        }};
  return hurray_reader()->read(request, &own);
}

TEST(Diff, AWrongViewIsFoundAndItsRuleNamed) {
  const hurray_reader_v1 table{sizeof table, hurray_reader()->describe, misread_offset};
  const fuzz::DiffReader reader(table);
  std::uint32_t executions = 0;
  const auto found = first_difference(reader, 0, executions);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, DifferenceKind::wrong_view);
  EXPECT_EQ(found->rule, "LAY-SHARD-01") << found->line();
}

std::string ledger_file(const std::string& text) {
  const std::string path = testing::TempDir() + "ledger.json";
  std::ofstream(path) << text;
  return path;
}

constexpr const char* entry = R"([{"rule": "CMP-OP-01", "kind": "false-accept", "surface": "bare", "match": "combine_op",
  "right": "reference", "sentence": "layouts/composite.md § Head", "why": "known"}])";

Difference of_bare() {
  Difference difference;
  difference.rule = "CMP-OP-01";
  difference.detail = "partition with combine_op 1";
  return difference;
}

TEST(Ledger, SettlesWhatItNamesAndListsWhatItDidNotNeed) {
  fuzz::Ledger ledger;
  ASSERT_EQ(ledger.load(ledger_file(entry), "any", "2026-12-01"), "");
  EXPECT_EQ(ledger.unused().size(), 1u);
  Difference elsewhere = of_bare();
  elsewhere.surface = facts::Surface::file;
  EXPECT_FALSE(ledger.settles(elsewhere));
  EXPECT_TRUE(ledger.settles(of_bare()));
  EXPECT_TRUE(ledger.unused().empty());
}

TEST(Ledger, ForgetsEntriesOfOtherReadersAndPastDates) {
  std::string text = entry;
  text.insert(text.find("\"rule\""), R"("reader": "other", )");
  fuzz::Ledger others;
  ASSERT_EQ(others.load(ledger_file(text), "mine", "2026-12-01"), "");
  EXPECT_FALSE(others.settles(of_bare()));
  EXPECT_TRUE(others.unused().empty());
  text = entry;
  text.insert(text.find("\"rule\""), R"("expires": "2026-11-30", )");
  fuzz::Ledger past;
  ASSERT_EQ(past.load(ledger_file(text), "mine", "2026-12-01"), "");
  EXPECT_FALSE(past.settles(of_bare()));
  EXPECT_EQ(past.expired().size(), 1u);
}

TEST(Ledger, SaysWhatIsWrongWithAFile) {
  fuzz::Ledger ledger;
  EXPECT_NE(ledger.load("/nowhere.json", "r", "").find("cannot be read"), std::string::npos);
  EXPECT_NE(ledger.load(ledger_file("{}"), "r", "").find("no JSON array"), std::string::npos);
  EXPECT_NE(ledger.load(ledger_file(R"([{"rule": "A", "kind": "false-accept", "right": "reference", "why": "x"}])"), "r", "").find("no sentence"),
            std::string::npos);
  EXPECT_NE(ledger.load(ledger_file(R"([{"rule": "A", "kind": "wrong", "right": "reader", "sentence": "s", "why": "x"}])"), "r", "").find("kind"),
            std::string::npos);
}

}  // namespace
