// Merged views and looked-up elements.
#include <algorithm>

#include "fuzz/diff/difference.h"
#include "fuzz/diff/values_model.h"
#include "fuzz/raw.h"
#include "generators/oracle.h"
#include "generators/matrix.h"

namespace hurray::fuzz {
namespace {

using generators::AdmissibleElement;
using generators::ValueQuestion;
using reference::Descriptor;
using reference::Reading;
using Elements = std::vector<AdmissibleElement>;

constexpr std::uint64_t most_elements = 4096;

bool merges(const harness::Declaration& declares, const Reading& reading, std::uint32_t number) {
  if (!declares.merge) return false;
  for (std::uint32_t at = number; at < number + reading.tensors[number].skip; ++at) {
    const Descriptor& d = reading.tensors[at].descriptor;
    if (!d.is_head()) continue;
    if (d.layout.composition_rule == facts::composition_rule::group || d.layout.composition_rule >= std::size(facts::composition_rules)) return false;
    if (declares.merge->rules.count(facts::composition_rules[d.layout.composition_rule]) == 0) return false;
    if (d.layout.combine_op != 0 && declares.merge->combine.count(facts::combine_ops[d.layout.combine_op]) == 0) return false;
  }
  return true;
}

/// Row-major position to index.
generators::Index index_of(const Descriptor& d, std::uint64_t position) {
  generators::Index index(d.shape.size());
  for (std::size_t k = d.shape.size(); k-- > 0; position /= d.shape[k]) index[k] = position % d.shape[k];
  return index;
}

class ItemValues {
 public:
  ItemValues(const DiffReader& reader, const DiffInput& input, const Reading& reading, std::uint32_t number, std::uint64_t item, Elements elements)
      : reader_(reader), input_(input), reading_(reading), number_(number) {
    const Descriptor& d = reading.tensors[number].descriptor;
    question_.item = item;
    question_.type = d.quantization.scheme_tag != 0 ? facts::tag::float32 : d.type_tag;
    question_.elements = std::move(elements);
  }

  std::optional<Difference> merged() {
    question_.kind = ValueQuestion::Kind::merge;
    const DiffAnswer answer = reader_.ask({input_.surface, input_.mode, HURRAY_WANT_MERGE, question_.item, {}}, input_.bytes);
    return judge(question_, answer, "merging item " + std::to_string(question_.item));
  }

  std::optional<Difference> looked_up(std::uint64_t position) {
    ValueQuestion one = question_;
    one.kind = ValueQuestion::Kind::lookup;
    one.index = index_of(reading_.tensors[number_].descriptor, position);
    one.elements = {question_.elements[static_cast<std::size_t>(position)]};
    const DiffAnswer answer = reader_.ask({input_.surface, input_.mode, HURRAY_WANT_LOOKUP, one.item, one.index}, input_.bytes);
    std::string where = "looking up item " + std::to_string(one.item) + " at [";
    for (std::size_t k = 0; k < one.index.size(); ++k) where += (k == 0 ? "" : ", ") + std::to_string(one.index[k]);
    return judge(one, answer, where + "]");
  }

 private:
  static std::string hex(const std::vector<std::uint8_t>& bytes) {
    std::string text;
    char digits[3];
    for (std::size_t at = 0; at < bytes.size() && at < 24; ++at) {
      std::snprintf(digits, sizeof digits, "%02x", bytes[at]);
      text += digits;
    }
    return bytes.size() > 24 ? text + "..." : text.empty() ? "nothing" : text;
  }

  std::optional<Difference> judge(const ValueQuestion& question, const DiffAnswer& answer, const std::string& what) {
    Difference found;
    found.kind = DifferenceKind::wrong_value;
    found.surface = input_.surface;
    found.mode = input_.mode;
    if (!answer.accepted()) {
      found.detail = what + ": the reader gives no value although it accepts the input";
    } else {
      const std::optional<std::uint64_t> wrong = question.first_wrong(answer.body);
      if (!wrong) return std::nullopt;
      found.detail = what + ": element " + std::to_string(*wrong) + " is wrong, the value is " + hex(question.expected()) + ", the reader gives " + hex(answer.body);
    }
    attribute_value(reader_, input_, reading_, number_, found);
    return found;
  }

  const DiffReader& reader_;
  const DiffInput& input_;
  const Reading& reading_;
  std::uint32_t number_;
  ValueQuestion question_;
};

std::optional<Difference> compare_item(const DiffReader& reader, const DiffInput& input, const Reading& reading, std::uint32_t number, std::uint64_t item) {
  constexpr std::uint64_t most_lookups = 3;
  if (!merges(reader.declares(), reading, number)) return std::nullopt;
  const std::optional<generators::Node> lifted =
      input.model == nullptr ? model_of_values(reading, number, most_elements) : std::optional(input.model->items[static_cast<std::size_t>(item)]);
  std::optional<Elements> elements = lifted ? generators::oracle_view(*lifted, most_elements) : std::nullopt;
  if (!elements) return std::nullopt;
  const std::uint64_t count = elements->size();
  ItemValues values(reader, input, reading, number, item, std::move(*elements));
  if (auto found = values.merged()) return found;
  if (!reader.declares().merge->lookup) return std::nullopt;
  for (std::uint64_t k = 0; k < std::min(most_lookups, count); ++k)  // the first, the last, one between that differs with the input
    if (auto found = values.looked_up(k == 0 ? 0 : k == 1 ? count - 1 : input.bytes.size() * 31 % count)) return found;
  return std::nullopt;
}

}  // namespace

std::optional<Difference> compare_values(const DiffReader& reader, const DiffInput& input, const Reading& reading) {
  if (input.surface == facts::Surface::descriptor) return std::nullopt;
  const std::vector<std::uint32_t> numbers = top_level(reading);
  for (std::size_t item = 0; item < numbers.size(); ++item)
    if (auto found = compare_item(reader, input, reading, numbers[item], item)) return found;
  return std::nullopt;
}

}  // namespace hurray::fuzz
