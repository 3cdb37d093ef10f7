// Which rule a wrong view or a wrong value concerns.
#include <algorithm>

#include "fuzz/diff/difference.h"
#include "generators/matrix.h"
#include "reference/merge.h"

namespace hurray::fuzz {
namespace {

using reference::Descriptor;
using reference::Reading;
namespace tag = facts::layout_tag;

struct KeyRule {
  std::string_view key, rule;
};

constexpr KeyRule view_rules[] = {
    {"type", "TYPE-T1-02"},  {"shape", "DESC-SHAPE-01"}, {"layout", "LAY-TAG-01"},     {"offset", "LAY-SHARD-01"},    {"parent", "LAY-SHARD-01"},
    {"role", "DESC-CM-01"},  {"scheme", "Q-HDR-14"},     {"rule", "CMP-HEAD-06"},      {"combine", "CMP-HEAD-06"},    {"kind", "CMP-HEAD-06"},
    {"complete", "CMP-TORN-03"}, {"members", "CMP-BIND-01"}, {"view", "CMP-BIND-02"}, {"name", "FILE-IDX-04"}};

struct TagRule {
  std::uint8_t tag;
  std::string_view rule;
};

constexpr TagRule layout_rules[] = {{tag::row_major, "LAY-RM-02"}, {tag::column_major, "LAY-CM-02"}, {tag::strided, "LAY-STR-03"}, {tag::tiled, "LAY-TILE-10"},
                                    {tag::morton, "LAY-MOR-05"},   {tag::coo, "LAY-COO-12"},         {tag::csr, "LAY-CSR-12"},     {tag::csc, "LAY-CSC-12"},
                                    {tag::csf, "LAY-CSF-03"},      {tag::block_paged, "LAY-BP-11"},  {tag::hilbert, "LAY-HIL-06"}};

constexpr TagRule scheme_rules[] = {{facts::scheme_tag::per_tensor_affine, "Q-PTA-08"}, {facts::scheme_tag::per_channel_affine, "Q-PCA-14"},
                                    {facts::scheme_tag::per_block_affine, "Q-PBA-17"},  {facts::scheme_tag::nf4, "Q-NF4-11"},
                                    {facts::scheme_tag::mxfp, "Q-MX-10"}};

template <std::size_t N>
std::string_view rule_for(const TagRule (&rules)[N], std::uint8_t wanted) {
  for (const TagRule& one : rules)
    if (one.tag == wanted) return one.rule;
  return {};
}

/// The tensor, with its members where it is a head, as a bare stream of its own; sections of a member are legal there.
std::vector<std::uint8_t> alone(const DiffInput& input, const Reading& reading, std::uint32_t number) {
  std::vector<std::uint8_t> stream;
  for (std::uint32_t at = number; at < number + reading.tensors[number].skip; ++at) {
    const reference::Tensor& tensor = reading.tensors[at];
    const Bytes descriptor = input.bytes.subspan(static_cast<std::size_t>(tensor.descriptor.at.start), tensor.descriptor.length);
    stream.insert(stream.end(), descriptor.begin(), descriptor.end());
    for (std::size_t k = 0; k < tensor.descriptor.buffer_count; ++k) {
      const Bytes buffer = reading.buffers[tensor.first_buffer + k];
      stream.insert(stream.end(), buffer.begin(), buffer.end());
    }
  }
  return stream;
}

/// The reference's element against the one that the reader looks up, at up to 64 places.
bool wrong_lookup(const DiffReader& reader, const std::vector<std::uint8_t>& stream, const Reading& reading) {
  constexpr std::uint64_t most = 64;
  const reference::U64Array& shape = reading.tensors[0].descriptor.shape;
  std::vector<std::uint64_t> index(shape.size(), 0);
  for (std::uint64_t done = 0; done < most; ++done) {
    std::vector<std::uint8_t> element(16);
    std::size_t size = 0;
    if (reference::lookup(reading, 0, index, element, size) != reference::ValueStatus::ok) return false;
    element.resize(size);
    const DiffAnswer answer = reader.ask({facts::Surface::bare, facts::Mode::strict, HURRAY_WANT_LOOKUP, 0, index}, stream);
    if (!answer.accepted() || answer.body != element) return true;
    std::size_t axis = index.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) return false;
  }
  return false;
}

/// Whether the reader gets the one tensor wrong as well when nothing stands around it.
bool wrong_alone(const DiffReader& reader, const std::vector<std::uint8_t>& stream) {
  const Reading reading = reference::read(stream, facts::Surface::bare, reference::Waivers::none());
  const std::optional<std::uint64_t> size = reading.accepted() ? reference::merged_size(reading, 0) : std::nullopt;
  if (!size || *size > (1u << 16)) return false;
  std::vector<std::uint8_t> merged(static_cast<std::size_t>(*size));
  if (reference::merge(reading, 0, merged) != reference::ValueStatus::ok) return false;
  const DiffAnswer answer = reader.ask({facts::Surface::bare, facts::Mode::strict, HURRAY_WANT_MERGE, 0, {}}, stream);
  if (!answer.accepted() || answer.body != merged) return true;
  return reader.declares().merge && reader.declares().merge->lookup && wrong_lookup(reader, stream, reading);
}

void attribute_leaf(const Descriptor& d, Difference& difference) {
  std::vector<std::string> rules;
  const bool plain = d.layout_tag == tag::row_major;
  if (d.quantization.scheme_tag != 0) rules.emplace_back(rule_for(scheme_rules, d.quantization.scheme_tag));
  if (!plain) rules.emplace_back(rule_for(layout_rules, d.layout_tag));
  const facts::ElementType* type = facts::element_type(d.type_tag);
  if (type != nullptr && type->packing > 1) rules.emplace_back("TYPE-PACK-02");
  if (type != nullptr && type->bits > 8) rules.emplace_back("TYPE-LE-01");
  if (plain) rules.emplace_back("LAY-RM-02");
  difference.rule = rules.front();
  difference.more.assign(rules.begin() + 1, rules.end());
}

void attribute_composition(const Reading& reading, std::uint32_t item, Difference& difference) {
  const auto name = [&](const char* rule, std::initializer_list<const char*> more) {
    difference.rule = rule;
    difference.more.assign(more.begin(), more.end());
  };
  const Descriptor& head = reading.tensors[item].descriptor;
  bool nests = false, sparse = false;
  for (std::uint32_t at = item + 1; at < item + reading.tensors[item].skip; ++at) {
    const Descriptor& d = reading.tensors[at].descriptor;
    const facts::Layout* layout = facts::layout(d.layout_tag);
    nests = nests || d.is_head();
    sparse = sparse || (layout != nullptr && layout->addressing == facts::Addressing::sparse);
  }
  if (head.layout.composition_rule == facts::composition_rule::partition) return nests ? name("CMP-PART-09", {"CMP-PART-05"}) : name("CMP-PART-05", {});
  if (head.layout.combine_op == facts::combine_op::add) return name("CMP-OVL-04", {"CMP-OVL-06", "CMP-OVL-02"});
  if (sparse) return name("CMP-OVL-07", {"CMP-OVL-03", "CMP-OVL-02"});
  name("CMP-OVL-03", {"CMP-OVL-02", "CMP-OVL-05"});
}

}  // namespace

std::string rule_of_view(const std::string& path) {
  std::string key = path.substr(path.rfind('.') == std::string::npos ? 0 : path.rfind('.') + 1);
  key = key.substr(0, key.find('['));
  for (const KeyRule& one : view_rules)
    if (one.key == key) return std::string(one.rule);
  return {};
}

void attribute_value(const DiffReader& reader, const DiffInput& input, const Reading& reading, std::uint32_t item, Difference& difference) {
  // The innermost part that is wrong by itself; of what stands side by side the first.
  std::uint32_t part = item;
  const bool can_ask = reader.declares().reads(facts::Surface::bare, facts::Mode::strict);
  for (std::uint32_t at = item + 1; can_ask && at < part + reading.tensors[part].skip;) {
    const bool wrong = wrong_alone(reader, alone(input, reading, at));
    if (wrong) part = at;
    at += wrong ? 1 : reading.tensors[at].skip;
  }
  const Descriptor& d = reading.tensors[part].descriptor;
  if (d.is_head()) attribute_composition(reading, part, difference);
  else attribute_leaf(d, difference);
}

}  // namespace hurray::fuzz
