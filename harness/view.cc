#include "harness/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/frame.h"

namespace hurray::harness {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 4> optional_keys{"offset", "parent", "role", "scheme"};

std::string shortened(const json& value) {
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > 80) text = text.substr(0, 77) + "...";
  return text;
}

std::string differs(const std::string& path, const json& expected, const json& shown) {
  return fmt::format("{}: the input says {}, the reader shows {}", path, shortened(expected), shortened(shown));
}

const json* value_at(const json& object, std::string_view key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

/// The common case, without a word about where: most views are right, and saying where costs more than comparing.
bool matches(const json& expected, const json& shown) {
  if (expected.is_array())
    return shown.is_array() && std::equal(expected.begin(), expected.end(), shown.begin(), shown.end(), matches);
  if (!expected.is_object()) {
    if (expected == shown) return true;
    const auto number = number_of(expected);
    return number && number == number_of(shown);
  }
  if (!shown.is_object()) return false;
  for (auto item = expected.begin(); item != expected.end(); ++item) {
    const json* there = value_at(shown, item.key());
    if (item->is_null() || (there == nullptr && item.key() == "name")) continue;
    if (there == nullptr || !matches(*item, *there)) return false;
  }
  return std::all_of(optional_keys.begin(), optional_keys.end(), [&](std::string_view key) {
    return value_at(shown, key) == nullptr || value_at(expected, key) != nullptr;
  });
}

std::string compare(const json& expected, const json& shown, const std::string& path);

std::string compare_arrays(const json& expected, const json& shown, const std::string& path) {
  if (!shown.is_array()) return differs(path, expected, shown);
  if (expected.size() != shown.size())
    return fmt::format("{}: the input holds {} entries, the reader shows {}", path, expected.size(), shown.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (std::string found = compare(expected[i], shown[i], fmt::format("{}[{}]", path, i)); !found.empty()) return found;
  return {};
}

std::string compare_objects(const json& expected, const json& shown, const std::string& path) {
  if (!shown.is_object()) return differs(path, expected, shown);
  for (const auto& [key, value] : expected.items()) {
    if (value.is_null()) continue;
    const json* there = value_at(shown, key);
    // A file's names belong to its index: a reader that understood the tensors need not hand them out with the view.
    if (there == nullptr && key == "name") continue;
    if (there == nullptr) return fmt::format("{}.{}: the input says {}, the reader leaves it out", path, key, shortened(value));
    if (std::string found = compare(value, *there, fmt::format("{}.{}", path, key)); !found.empty()) return found;
  }
  for (const std::string_view key : optional_keys) {
    const json* claimed = value_at(shown, key);
    if (claimed != nullptr && value_at(expected, key) == nullptr)
      return fmt::format("{}.{}: the reader shows {}, the input has none", path, key, shortened(*claimed));
  }
  return {};
}

std::string compare(const json& expected, const json& shown, const std::string& path) {
  if (expected.is_array()) return compare_arrays(expected, shown, path);
  if (expected.is_object()) return compare_objects(expected, shown, path);
  if (expected == shown) return {};
  const auto number = number_of(expected);
  return number && number == number_of(shown) ? std::string{} : differs(path, expected, shown);
}

std::string compare_complete(const json& expected, const json& shown, const std::string& path) {
  if (expected.is_array() && shown.is_array()) {
    for (std::size_t i = 0; i < expected.size() && i < shown.size(); ++i)
      if (std::string found = compare_complete(expected[i], shown[i], fmt::format("{}[{}]", path, i)); !found.empty())
        return found;
    return {};
  }
  if (!expected.is_object() || !shown.is_object()) return {};
  const json *here = value_at(expected, "complete"), *there = value_at(shown, "complete");
  if (here != nullptr && there != nullptr && *here != *there) return differs(path + ".complete", *here, *there);
  const json *members = value_at(expected, "members"), *shown_members = value_at(shown, "members");
  if (members == nullptr || shown_members == nullptr) return {};
  return compare_complete(*members, *shown_members, path + ".members");
}

bool is_whole(const json& whole, const json& composite, std::size_t members) {
  const json *rule = value_at(composite, "rule"), *shape = value_at(composite, "shape");
  if (rule == nullptr || shape == nullptr) return false;
  return std::any_of(whole.begin(), whole.end(), [&](const json& one) {
    return one.at("rule") == *rule && one.at("members") == members && matches(one.at("shape"), *shape);
  });
}

std::string find_torn(const json& whole, const json& items, const std::string& path) {
  if (!items.is_array()) return {};
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_object()) continue;
    const std::string here = fmt::format("{}[{}]", path, i);
    const json *complete = value_at(items[i], "complete"), *members = value_at(items[i], "members");
    const std::size_t count = members != nullptr && members->is_array() ? members->size() : 0;
    if (complete != nullptr && *complete == true && !is_whole(whole, items[i], count))
      return here + ".complete: the composite is torn, the reader shows it as complete (CMP-TORN-03)";
    if (members == nullptr) continue;
    if (std::string found = find_torn(whole, *members, here + ".members"); !found.empty()) return found;
  }
  return {};
}

}  // namespace

std::string torn_shown_complete(const json& whole, const json& shown) { return find_torn(whole, shown, "view"); }

std::string view_difference(const json& expected, const json& shown) {
  if (shown.is_null()) return "view: the reader accepted but showed no view";
  return matches(expected, shown) ? std::string{} : compare(expected, shown, "view");
}

std::string completeness_difference(const json& expected, const json& shown) {
  return compare_complete(expected, shown, "view");
}

}  // namespace hurray::harness
