#include <bit>

#include "generators/edit.h"
#include "generators/edit_path.h"
#include "generators/json_reader.h"
#include "generators/model_json.h"

namespace hurray::generators {
namespace {

using Json = nlohmann::json;

/// The child of `value` that `step` names, or nothing. A composite's own keys stand in its head.
Json* child(Json& value, const PathStep& step) {
  if (const std::size_t* index = std::get_if<std::size_t>(&step))
    return value.is_array() && *index < value.size() ? &value[*index] : nullptr;
  const std::string& name = std::get<std::string>(step);
  if (!value.is_object()) return nullptr;
  if (const auto found = value.find(name); found != value.end()) return &*found;
  const auto head = value.find("head");
  return head != value.end() && name != "members" && head->is_object() ? child(*head, step) : nullptr;
}

/// How far `path` leads into `value`, and what stands there.
struct Walk {
  Json* at;
  std::size_t steps = 0;
};

Walk walk(Json& value, const Path& path, std::size_t length) {
  Walk out{&value, 0};
  while (out.steps < length) {
    Json* next = child(*out.at, path[out.steps]);
    if (next == nullptr) break;
    out.at = next;
    ++out.steps;
  }
  return out;
}

std::string spelled(const Path& path, std::size_t length) {
  std::string out;
  for (std::size_t k = 0; k < length; ++k) {
    if (const std::size_t* index = std::get_if<std::size_t>(&path[k])) out += "[" + std::to_string(*index) + "]";
    else out += (out.empty() ? "" : ".") + std::get<std::string>(path[k]);
  }
  return out;
}

bool takes_signed(const Path& path) {
  for (const PathStep& step : path)
    if (const std::string* name = std::get_if<std::string>(&step))
      if (name->find("strid") != std::string::npos || name->find("zero_point") != std::string::npos || *name == "values" || *name == "i64")
        return true;
  return false;
}

Json wrapped_number(std::uint64_t value, bool is_signed) {
  return is_signed ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

class ModelEditor {
 public:
  explicit ModelEditor(Json& base) : base_(base) {}

  std::string apply(const Json& edit) {
    for (const auto& [verb, operand] : edit.items()) {
      if (verb == "set") return set(operand, edit["to"]);
      if (verb == "add") return arithmetic(operand, edit["by"], [](std::uint64_t a, std::uint64_t b) { return a + b; });
      if (verb == "xor") return arithmetic(operand, edit["with"], [](std::uint64_t a, std::uint64_t b) { return a ^ b; });
      if (verb == "insert") return insert(operand, edit["value"]);
      if (verb == "remove") return remove(operand);
      if (verb == "duplicate") return duplicate(operand);
      if (verb == "swap") return swap(operand[0], operand[1]);
    }
    return edit.dump() + ": no verb that acts on the model";
  }

 private:
  /// A member may be named through its head: `head.members[1]` stands beside the head in the base.
  static Path path_of(const Json& text) {
    Path path = parse_path(text.get_ref<const std::string&>()).value_or(Path{});
    for (std::size_t k = 1; k < path.size(); ++k)
      if (path[k] == PathStep("members") && path[k - 1] == PathStep("head")) path.erase(path.begin() + static_cast<std::ptrdiff_t>(k - 1));
    return path;
  }

  /// What stands at the first `length` steps, spelling out the default it is part of; null with `error_` otherwise.
  Json* resolve(const Path& path, std::size_t length) {
    Walk found = walk(base_, path, length);
    if (found.steps == length) return found.at;
    const ModelOrError parsed = model_from_json(base_, Lengths::adapted);
    if (!parsed.error.empty()) return fail(path, length, "is not in the model, whose defaults cannot be told: " + parsed.error);
    Json full = model_to_json(parsed.model, Detail::explicit_);
    if (base_.contains("items") && full.contains("head")) full = {{"items", {full}}};
    if (base_.contains("items") && full.contains("tensor")) full = {{"items", {{{"tensor", full["tensor"]}}}}};
    // A short form stands where the path goes deeper ("morton", "iota"): it gives way as a whole.
    const bool short_form = !found.at->is_structured();
    const std::size_t copied = short_form ? found.steps : found.steps + 1;
    const Walk source = walk(full, path, copied);
    if (source.steps != copied) return fail(path, length, "is not in the model");
    if (short_form) *found.at = *source.at;
    else if (const std::string* key = std::get_if<std::string>(&path[found.steps]); key != nullptr && found.at->is_object())
      (*owner(*found.at))[*key] = *source.at;
    else return fail(path, length, "is past the end of its list");
    found = walk(base_, path, length);
    return found.steps == length ? found.at : fail(path, length, "is not in the model");
  }

  /// What holds the keys of a node: a composite's are in its head.
  static Json* owner(Json& value) {
    const auto head = value.is_object() ? value.find("head") : value.end();
    return head != value.end() && head->is_object() ? &*head : &value;
  }

  Json* fail(const Path& path, std::size_t length, const std::string& what) {
    error_ = spelled(path, length) + " " + what;
    return nullptr;
  }

  std::string set(const Json& text, const Json& value) {
    const Path path = path_of(text);
    const std::string* key = std::get_if<std::string>(&path.back());
    if (key != nullptr) {  // a key may be new
      const Walk parent = walk(base_, path, path.size() - 1);
      if (parent.steps == path.size() - 1 && parent.at->is_object()) {
        const bool of_composite = parent.at->contains("head") && *key != "head" && *key != "members";
        (*(of_composite ? owner(*parent.at) : parent.at))[*key] = value;
        return {};
      }
    }
    Json* at = resolve(path, path.size());
    if (at == nullptr) return error_;
    *at = value;
    return {};
  }

  template <typename Operation>
  std::string arithmetic(const Json& text, const Json& operand, Operation operation) {
    const Path path = path_of(text);
    Json* at = resolve(path, path.size());
    if (at == nullptr) return error_;
    if (*at == "dynamic") *at = ~std::uint64_t{0};
    const std::optional<WholeNumber> value = whole_number(*at), by = whole_number(operand);
    if (!value || !by) return spelled(path, path.size()) + ": " + at->dump() + " and " + operand.dump() + " are not whole numbers";
    const auto bits = [](const WholeNumber& n) { return n.negative ? 0 - n.magnitude : n.magnitude; };
    *at = wrapped_number(operation(bits(*value), bits(*by)), takes_signed(path));
    return {};
  }

  /// The list that holds the last step, and the step as an index.
  Json* list_of(const Path& path, std::size_t& index) {
    const std::size_t* last = std::get_if<std::size_t>(&path.back());
    if (last == nullptr) return fail(path, path.size(), "does not end in an element of a list");
    index = *last;
    settle_roles(path);
    Json* list = resolve(path, path.size() - 1);
    if (list != nullptr && !list->is_array()) {  // a short form: "iota"
      Path deeper = path;
      deeper.back() = std::size_t{0};
      if (resolve(deeper, deeper.size()) == nullptr) return nullptr;
      list = resolve(path, path.size() - 1);
    }
    if (list != nullptr && (!list->is_array() || index > list->size())) return fail(path, path.size(), "is past the end of its list");
    return list;
  }

  /// Moving the members of an overlay moves their roles with them.
  void settle_roles(const Path& path) {
    if (path.size() < 2 || !std::holds_alternative<std::string>(path[path.size() - 2])) return;
    if (std::get<std::string>(path[path.size() - 2]) != "members") return;
    const Walk composite = walk(base_, path, path.size() - 2);
    if (composite.steps != path.size() - 2 || !composite.at->is_object()) return;
    const Json* head = JsonReader::find(*composite.at, "head");
    const Json* rule = head != nullptr ? JsonReader::find(*head, "rule") : nullptr;
    const auto members = composite.at->find("members");
    if (rule == nullptr || *rule != "overlay" || members == composite.at->end() || !members->is_array()) return;
    for (std::size_t k = 0; k < members->size(); ++k) {
      Json& own = *owner((*members)[k]);
      if (own.is_object() && !own.contains("role")) own["role"] = k == 0 ? "base" : "correction";
    }
  }

  std::string insert(const Json& text, const Json& value) {
    const Path path = path_of(text);
    std::size_t index = 0;
    Json* list = list_of(path, index);
    if (list == nullptr) return error_;
    list->insert(list->begin() + static_cast<std::ptrdiff_t>(index), value);
    return {};
  }

  std::string remove(const Json& text) {
    const Path path = path_of(text);
    if (const std::string* key = std::get_if<std::string>(&path.back())) {
      const Walk parent = walk(base_, path, path.size() - 1);
      if (parent.steps != path.size() - 1 || !parent.at->is_object()) return spelled(path, path.size()) + " is not in the model";
      Json& holder = parent.at->contains(*key) ? *parent.at : *owner(*parent.at);
      if (holder.erase(*key) == 0) return spelled(path, path.size()) + " is not in the base; only what is spelled out can be removed";
      return {};
    }
    std::size_t index = 0;
    Json* list = list_of(path, index);
    if (list == nullptr) return error_;
    if (index >= list->size()) return spelled(path, path.size()) + " is past the end of its list";
    list->erase(index);
    return {};
  }

  std::string duplicate(const Json& text) {
    const Path path = path_of(text);
    std::size_t index = 0;
    Json* list = list_of(path, index);
    if (list == nullptr) return error_;
    if (index >= list->size()) return spelled(path, path.size()) + " is past the end of its list";
    const Json copy = (*list)[index];
    list->insert(list->begin() + static_cast<std::ptrdiff_t>(index), copy);
    return {};
  }

  std::string swap(const Json& first, const Json& second) {
    const Path a = path_of(first), b = path_of(second);
    settle_roles(a);
    settle_roles(b);
    if (resolve(a, a.size()) == nullptr || resolve(b, b.size()) == nullptr) return error_;
    Json* left = resolve(a, a.size());
    Json* right = resolve(b, b.size());
    const Json copy = *left;
    *left = Json(*right);
    right = resolve(b, b.size());
    if (right == nullptr) return spelled(b, b.size()) + " lies within " + spelled(a, a.size());
    *right = copy;
    return {};
  }

  Json& base_;
  std::string error_;
};

}  // namespace

std::string edit_model(Json& base, const EditPlan& plan) {
  if (!base.is_object()) return plan.model.empty() ? "" : "base: expected an object";
  ModelEditor editor(base);
  for (const Json& edit : plan.model)
    if (std::string error = editor.apply(edit); !error.empty()) return error;
  return {};
}

}  // namespace hurray::generators
