#include "generators/matrix/interactions.h"

#include <algorithm>
#include <map>
#include <set>

#include "generators/matrix/data.h"

namespace hurray::generators {
namespace {

using nlohmann::json;

/// Positions of values, one a factor.
using Assignment = std::vector<std::size_t>;

std::string type_class(const std::string& name) {
  const auto* type = std::find_if(std::begin(facts::element_types), std::end(facts::element_types),
                                  [&](const facts::ElementType& one) { return one.name == name; });
  if (type == std::end(facts::element_types)) return "private";
  switch (type->kind) {
    case facts::Kind::binary_float: return "float";
    case facts::Kind::small_float: return "small-float";
    case facts::Kind::exponent: return "exponent";
    case facts::Kind::signed_integer: return type->bits < 8 ? "small-integer" : "signed";
    case facts::Kind::unsigned_integer: return type->bits < 8 ? "small-integer" : "unsigned";
    case facts::Kind::boolean: return "boolean";
    case facts::Kind::complex: return "complex";
  }
  return "";
}

struct Factor {
  std::string name;
  std::vector<std::string> values;

  std::size_t position(const std::string& value) const {
    return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
  }
};

class Counter {
 public:
  explicit Counter(const json& data) {
    for (const auto& name : data.at("pairs_of")) {
      factors_.push_back({name, data.at("factors").at(name.get<std::string>()).get<std::vector<std::string>>()});
    }
    for (const auto& entry : data.at("forbidden")) forbid(entry.at("if"), entry.at("then_not"));
    for (const auto& name : data.at("triples_of")) triple_factors_.push_back(factor_at(name));
  }

  void count(const Case& one) {
    if (one.expect[0].verdict != Verdict::accept || !one.view.is_array()) return;
    for (const json& item : one.view) members_of(item, 1, one);
  }

  InteractionReport report() {
    find_possible(Assignment{});
    InteractionReport report;
    const auto add = [&](const std::vector<std::size_t>& which, std::vector<Interaction>& to, std::size_t& forbidden) {
      each_combination(which, 0, {}, to, forbidden);
    };
    for (std::size_t a = 0; a < factors_.size(); ++a)
      for (std::size_t b = a + 1; b < factors_.size(); ++b) add({a, b}, report.pairs, report.forbidden_pairs);
    const std::vector<std::size_t>& t = triple_factors_;
    for (std::size_t a = 0; a < t.size(); ++a)
      for (std::size_t b = a + 1; b < t.size(); ++b)
        for (std::size_t c = b + 1; c < t.size(); ++c) add({t[a], t[b], t[c]}, report.triples, report.forbidden_triples);
    return report;
  }

 private:
  /// Factor and value, two or three of them, in the order of the factors.
  using Key = std::vector<std::pair<std::size_t, std::size_t>>;

  std::size_t factor_at(const std::string& name) const {
    for (std::size_t i = 0; i < factors_.size(); ++i)
      if (factors_[i].name == name) return i;
    throw json::other_error::create(501, "there is no factor '" + name + "'", nullptr);
  }

  std::size_t value_at(std::size_t factor, const std::string& value) const {
    const std::size_t at = factors_[factor].position(value);
    if (at == factors_[factor].values.size())
      throw json::other_error::create(501, factors_[factor].name + " has no value '" + value + "'", nullptr);
    return at;
  }

  void forbid(const json& one, const json& other) {
    const std::size_t a = factor_at(one.begin().key()), b = factor_at(other.begin().key());
    for (const auto& x : one.begin().value())
      for (const auto& y : other.begin().value()) {
        const std::pair<std::size_t, std::size_t> left{a, value_at(a, x)}, right{b, value_at(b, y)};
        forbidden_.insert(left < right ? Key{left, right} : Key{right, left});
      }
  }

  void members_of(const json& head, std::size_t depth, const Case& one) {
    if (!head.contains("members")) return;
    for (const json& member : head.at("members")) {
      count_member(head, member, depth, one);
      members_of(member, depth + 1, one);
    }
  }

  void count_member(const json& head, const json& member, std::size_t depth, const Case& one) {
    const std::size_t rank = member.at("shape").size();
    const std::map<std::string, std::string> values{
        {"surface", std::string(facts::surface_names[static_cast<std::size_t>(one.surface)])},
        {"rule", head.at("rule")},
        {"combine", head.at("combine")},
        {"layout", member.at("layout")},
        {"type", type_class(member.at("type"))},
        {"scheme", member.value("scheme", "none")},
        {"depth", depth < 3 ? std::to_string(depth) : "3 and more"},
        {"rank", rank < 4 ? std::to_string(rank) : "4 and more"}};
    Assignment assignment;
    for (const Factor& factor : factors_) assignment.push_back(factor.position(values.at(factor.name)));
    for (std::size_t a = 0; a < assignment.size(); ++a)
      for (std::size_t b = a + 1; b < assignment.size(); ++b) {
        seen_.emplace(Key{{a, assignment[a]}, {b, assignment[b]}}, one.id);
        for (std::size_t c = b + 1; c < assignment.size(); ++c)
          seen_.emplace(Key{{a, assignment[a]}, {b, assignment[b]}, {c, assignment[c]}}, one.id);
      }
  }

  bool is_forbidden(const Assignment& assignment) const {
    const std::size_t last = assignment.size() - 1;
    for (std::size_t a = 0; a < last; ++a)
      if (forbidden_.count(Key{{a, assignment[a]}, {last, assignment[last]}}) != 0) return true;
    return false;
  }

  /// All members that break no sentence: a pair that none of them has is forbidden by what its values entail.
  void find_possible(const Assignment& chosen) {
    if (chosen.size() == factors_.size()) {
      for (std::size_t a = 0; a < chosen.size(); ++a)
        for (std::size_t b = a + 1; b < chosen.size(); ++b) {
          possible_.insert(Key{{a, chosen[a]}, {b, chosen[b]}});
          for (std::size_t c = b + 1; c < chosen.size(); ++c) possible_.insert(Key{{a, chosen[a]}, {b, chosen[b]}, {c, chosen[c]}});
        }
      return;
    }
    for (std::size_t value = 0; value < factors_[chosen.size()].values.size(); ++value) {
      Assignment more = chosen;
      more.push_back(value);
      if (!is_forbidden(more)) find_possible(more);
    }
  }

  void each_combination(const std::vector<std::size_t>& which, std::size_t next, const Key& key, std::vector<Interaction>& to,
                        std::size_t& forbidden) const {
    if (next == which.size()) {
      if (possible_.count(key) == 0) return void(++forbidden);
      Interaction one;
      for (const auto& [factor, value] : key) {
        one.factors.push_back(factors_[factor].name);
        one.values.push_back(factors_[factor].values[value]);
      }
      const auto seen = seen_.find(key);
      if (seen != seen_.end()) one.example = seen->second;
      return to.push_back(std::move(one));
    }
    for (std::size_t value = 0; value < factors_[which[next]].values.size(); ++value) {
      Key more = key;
      more.push_back({which[next], value});
      each_combination(which, next + 1, more, to, forbidden);
    }
  }

  std::vector<Factor> factors_;
  std::vector<std::size_t> triple_factors_;
  std::set<Key> forbidden_, possible_;
  std::map<Key, std::string> seen_;
};

}  // namespace

InteractionReport interactions(const Matrix& matrix, const std::filesystem::path& file) {
  InteractionReport failed;
  std::vector<MatrixError> errors;
  const DataFile data = read_json(file.parent_path(), file.filename(), errors);
  if (!errors.empty()) {
    failed.error = (file.parent_path() / errors.front().message).string();
    return failed;
  }
  try {
    Counter counter(data.entries);
    for (const Case& one : matrix.cases) counter.count(one);
    return counter.report();
  } catch (const json::exception& error) {
    failed.error = file.string() + ": names what does not exist, or lacks a key (" + error.what() + ")";
  }
  return failed;
}

}  // namespace hurray::generators
