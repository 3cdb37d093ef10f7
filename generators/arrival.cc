#include "generators/arrival.h"

#include <algorithm>
#include <set>

#include "conformance/facts/limits.h"
#include "generators/carriers.h"
#include "generators/node_json.h"

namespace hurray::generators {
namespace {

using nlohmann::json;

constexpr std::string_view member_count_field = ".member_count";

/// Only cuts and changed member counts: nothing has moved, and what is there is what the model says.
bool only_tears(const EditPlan& plan) {
  return std::all_of(plan.written.begin(), plan.written.end(), [](const json& edit) {
    if (edit.contains("cut_at") || edit.contains("cut_after")) return true;
    const char* verb = edit.contains("set") ? "set" : edit.contains("add") ? "add" : nullptr;
    return verb != nullptr && edit.at(verb).get_ref<const std::string&>().ends_with(member_count_field);
  });
}

/// The member_count that each head states, by its pre-order number.
std::vector<std::uint64_t> member_counts(const Document& document, std::size_t nodes) {
  std::vector<std::uint64_t> counts(nodes, 0);
  for (const Field& field : document.fields) {
    if (field.node >= nodes || !field.label.ends_with(member_count_field)) continue;
    for (std::size_t k = field.bytes.size(); k-- > 0;) counts[field.node] = counts[field.node] << 8 | field.bytes[k];
  }
  return counts;
}

class Arrival {
 public:
  /// Bytes of each tensor in the whole input and in what has arrived, and what the heads there say.
  Arrival(const std::vector<std::size_t>& before, const std::vector<std::size_t>& after, const std::vector<std::uint64_t>& counts)
      : before_(before), after_(after), counts_(counts) {}

  json whole_composites(const Model& model) {
    for (const Node& item : model.items) whole(item);
    return torn_ && !unclear_ ? std::move(composites_) : json(nullptr);
  }

 private:

  /// Whether the whole subtree is there. A head that asks for more members than the model gives it is torn where
  /// nothing follows that would be bound instead, else unclear.
  bool whole(const Node& node) {
    const std::size_t at = next_++;
    bool all = after_[at] == before_[at];
    for (const Node& member : node.members) all = whole(member) && all;
    if (!node.head) return all;
    // All members of an empty composite have arrived, whatever else is missing: nothing is claimed about it.
    const bool empty = node.members.empty() && counts_[at] == 0;
    if (all && counts_[at] < node.members.size()) unclear_ = true;
    if (all && counts_[at] > node.members.size()) {
      all = false;
      if (next_ < before_.size()) unclear_ = true;
    }
    if (all || empty)
      composites_.push_back({{"rule", spelled_rule(node)}, {"shape", print_numbers(node.shape)}, {"members", node.members.size()}});
    else
      torn_ = true;
    return all;
  }

  static std::string spelled_rule(const Node& node) {
    const std::uint8_t rule = node.head->rule;
    return rule < std::size(facts::composition_rules) ? std::string(facts::composition_rules[rule]) : print_tag(rule);
  }

  const std::vector<std::size_t>&before_, &after_;
  const std::vector<std::uint64_t>& counts_;
  std::size_t next_ = 0;
  bool torn_ = false, unclear_ = false;
  json composites_ = json::array();
};

/// A top-level item's bytes in the document, and where its first descriptor or announcement ends.
struct Item {
  std::size_t begin = 0, announced = 0, end = 0;
  bool composite = false;
};

bool counts_as_announcement(const Field& field, facts::Surface surface, std::uint32_t message) {
  if (surface == facts::Surface::framed) return field.message == message;
  return field.part == Part::descriptor || field.part == Part::quantization;
}

std::size_t size_of(const Node& node) {
  std::size_t size = 1;
  for (const Node& member : node.members) size += size_of(member);
  return size;
}

std::vector<Item> items_of(const Model& model, const Document& document, facts::Surface surface) {
  std::vector<Item> items;
  std::uint32_t first = 0;
  for (const Node& node : model.items) {
    Item item;
    item.composite = !node.members.empty();
    const std::uint32_t last = first + static_cast<std::uint32_t>(size_of(node)) - 1;
    std::size_t at = 0;
    std::uint32_t message = 0;
    for (const Field& field : document.fields) {
      const std::size_t end = at + field.bytes.size();
      if (field.node >= first && field.node <= last) {
        if (item.end == 0) item.begin = at, message = field.message;
        if (field.node == first && counts_as_announcement(field, surface, message)) item.announced = end;
        item.end = end;
      }
      at = end;
    }
    items.push_back(item);
    first = last + 1;
  }
  return items;
}

class Cutter {
 public:
  Cutter(const Model& model, const Document& document, facts::Surface surface)
      : model_(model), document_(document), surface_(surface), items_(items_of(model, document, surface)),
        all_(bytes_by_node(document)), arrived_(all_.size(), 0), counts_(member_counts(document, all_.size())) {
    for (const Field& field : document.fields) bytes_.insert(bytes_.end(), field.bytes.begin(), field.bytes.end());
  }

  std::vector<Cut> run() {
    std::size_t at = 0;
    std::uint32_t message = 0;
    for (const Field& field : document_.fields) {
      const std::size_t size = field.bytes.size();
      const bool opens = field.label.ends_with("magic") || (field.message != message && field.part == Part::message_header);
      if (field.part == Part::message_header) message = field.message;
      if (size > 0) add(field, at, 0, opens);
      if (size > 1) add(field, at, 1, false);
      if (size > 2) add(field, at, size / 2, field.part == Part::data);
      if (size > 1) add(field, at, size - 1, false);
      at += size;
      if (field.node != no_node) arrived_[field.node] += size;
    }
    return std::move(out_);
  }

 private:
  void add(const Field& field, std::size_t begin, std::size_t plus, bool coarse) {
    const std::size_t left = begin + plus;
    if (left == 0 || !seen_.insert(left).second) return;
    const std::optional<Torn> torn = torn_at(left);
    if (torn) out_.push_back({field.label, plus, left, *torn, coarse, whole_composites(field, plus)});
  }

  json whole_composites(const Field& field, std::size_t plus) {
    if (surface_ == facts::Surface::descriptor) return nullptr;
    if (field.node != no_node) arrived_[field.node] += plus;
    json whole = Arrival(all_, arrived_, counts_).whole_composites(model_);
    if (field.node != no_node) arrived_[field.node] -= plus;
    return whole;
  }

  std::optional<Torn> torn_at(std::size_t left) const {
    switch (surface_) {
      case facts::Surface::descriptor: return Torn::descriptor;
      case facts::Surface::bare:
      case facts::Surface::framed: return torn_in_stream(left);
      case facts::Surface::file: break;
    }
    if (left < std::size(facts::limit::file_magic)) return Torn::file_magic;
    const auto end = bytes_.begin() + static_cast<std::ptrdiff_t>(left);
    if (std::equal(end - 4, end, std::begin(facts::limit::magic))) return std::nullopt;
    return Torn::file;
  }

  std::optional<Torn> torn_in_stream(std::size_t left) const {
    const auto item = std::find_if(items_.begin(), items_.end(), [&](const Item& one) { return left > one.begin && left < one.end; });
    if (item == items_.end()) return std::nullopt;
    if (item->composite && left >= item->announced) return Torn::composite;
    if (surface_ == facts::Surface::bare) return left < item->announced ? Torn::descriptor : Torn::data;
    return starts_message(left) ? Torn::between_messages : Torn::message;
  }

  bool starts_message(std::size_t left) const {
    std::size_t at = 0;
    std::uint32_t message = 0;
    for (const Field& field : document_.fields) {
      if (at == left) return field.message != message;
      message = field.message;
      at += field.bytes.size();
    }
    return false;
  }

  const Model& model_;
  const Document& document_;
  const facts::Surface surface_;
  const std::vector<Item> items_;
  const std::vector<std::size_t> all_;
  std::vector<std::size_t> arrived_;  // of each tensor, before the field that run() is at
  const std::vector<std::uint64_t> counts_;
  Bytes bytes_;
  std::set<std::size_t> seen_;
  std::vector<Cut> out_;
};

}  // namespace

std::vector<std::size_t> bytes_by_node(const Document& document) {
  std::vector<std::size_t> out;
  for (const Field& field : document.fields) {
    if (field.node == no_node) continue;
    if (out.size() <= field.node) out.resize(field.node + 1);
    out[field.node] += field.bytes.size();
  }
  return out;
}

json whole_composites(const Model& model, const EditPlan& plan, const std::vector<std::size_t>& before, const Document& document) {
  if (!only_tears(plan)) return nullptr;
  std::vector<std::size_t> after = bytes_by_node(document);
  after.resize(before.size());
  return Arrival(before, after, member_counts(document, before.size())).whole_composites(model);
}

std::vector<Cut> cuts(const Model& model, facts::Surface surface) {
  const Written written = write_document(model, surface, {}, true);
  if (!written.error.empty()) return {};
  return Cutter(model, written.document, surface).run();
}

}  // namespace hurray::generators
