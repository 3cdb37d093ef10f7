#include "generators/written_target.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace hurray::generators {
namespace {

struct Access {
  std::string_view name;
  std::size_t width;
  FieldKind kind;
};
constexpr std::array<Access, 8> accesses{{{".u8[", 1, FieldKind::number}, {".u16[", 2, FieldKind::number},
                                          {".u32[", 4, FieldKind::number}, {".u64[", 8, FieldKind::number},
                                          {".i32[", 4, FieldKind::number}, {".i64[", 8, FieldKind::number},
                                          {".f32[", 4, FieldKind::real}, {".f64[", 8, FieldKind::real}}};

bool in_group(const std::string& label, std::string_view group) {
  return label.size() > group.size() && label.compare(0, group.size(), group) == 0 &&
         (label[group.size()] == '.' || label[group.size()] == '[');
}

class Finder {
 public:
  explicit Finder(const std::vector<Field>& fields) : fields_(fields) {}

  WrittenTarget find(const std::string& path) const {
    WrittenTarget target = look_up(path);
    if (target.error.empty()) return target;
    const std::size_t head = path.find("head.members[");
    if (head != std::string::npos)
      if (const WrittenTarget other = find(path.substr(0, head) + path.substr(head + 5)); other.error.empty()) return other;
    if (const WrittenTarget other = find_in_frame(path); other.error.empty()) return other;
    const std::string_view sole = "items[0].";
    if (path.compare(0, sole.size(), sole) == 0)
      if (const WrittenTarget other = look_up(path.substr(sole.size())); other.error.empty()) return other;
    const std::size_t members = path.rfind("members[");
    const std::size_t close = members == std::string::npos ? members : path.find(']', members);
    if (close != std::string::npos)
      if (const WrittenTarget other = look_up(path.substr(0, close + 1) + ".head" + path.substr(close + 1)); other.error.empty()) return other;
    return target;
  }

 private:
  /// `NODE.data[i]` of a framed stream, where one frame holds buffer i.
  WrittenTarget find_in_frame(const std::string& path) const {
    WrittenTarget missing;
    missing.error = path;
    const std::size_t at = path.rfind(".data[");
    if (at == std::string::npos) return missing;
    const std::string whole = path.substr(at + 1, path.find(']', at) - at);
    std::string place;
    for (const Field& field : fields_) {
      if (field.part != Part::data || field.message == 0 || field.buffer != whole || !in_group(field.label, path.substr(0, at))) continue;
      if (!place.empty()) return missing;
      place = field.label;
    }
    return place.empty() ? missing : look_up(place + path.substr(at + 1 + whole.size()));
  }

  WrittenTarget look_up(const std::string& path) const {
    for (const Access& access : accesses) {
      const std::size_t at = path.rfind(access.name);
      if (at != std::string::npos && path.back() == ']' && path.find(']', at) + 1 == path.size())
        return look_up_slice(path, at, access);
    }
    WrittenTarget target;
    target.first = fields_.size();
    for (std::size_t k = 0; k < fields_.size(); ++k) {
      const bool exact = fields_[k].label == path;
      if (!exact && !in_group(fields_[k].label, path)) continue;
      if (exact) {
        target.first = k;
        target.last = k + 1;
        break;
      }
      target.first = std::min(target.first, k);
      target.last = k + 1;
    }
    if (target.last == 0) {
      target.error = path + ": no such field is written here" + hint(path);
      return target;
    }
    target.width = fields_[target.first].bytes.size();
    target.kind = fields_[target.first].kind;
    return target;
  }

  WrittenTarget look_up_slice(const std::string& path, std::size_t at, const Access& access) const {
    WrittenTarget target = look_up(path.substr(0, at));
    if (!target.error.empty()) return target;
    std::size_t index = 0;
    const char* const digits = path.data() + at + access.name.size();
    const auto [end, code] = std::from_chars(digits, path.data() + path.size() - 1, index);
    if (code != std::errc{} || end != path.data() + path.size() - 1) target.error = path + ": the index is not a number";
    else if (!target.single()) target.error = path + ": names several fields";
    else if (index >= target.width / access.width) target.error = path + ": the field has " + std::to_string(target.width) + " bytes";
    target.from = index * access.width;
    target.width = access.width;
    target.kind = access.kind;
    target.slice = true;
    return target;
  }

  /// The names that continue the longest known part of `path`.
  std::string hint(const std::string& path) const {
    std::string known = path;
    while (!known.empty()) {
      const std::size_t dot = known.rfind('.');
      known = dot == std::string::npos ? "" : known.substr(0, dot);
      std::vector<std::string> names;
      for (const Field& field : fields_) {
        if (!known.empty() && !in_group(field.label, known)) continue;
        const std::string rest = known.empty() ? field.label : field.label.substr(known.size() + 1);
        const std::string name = rest.substr(0, rest.find_first_of(".["));
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      }
      if (names.empty()) continue;
      std::string out = known.empty() ? "; known are" : "; " + known + " has";
      for (const std::string& name : names) out += " " + name;
      return out;
    }
    return {};
  }

  const std::vector<Field>& fields_;
};

}  // namespace

WrittenTarget find_written(const std::vector<Field>& fields, const std::string& path) { return Finder(fields).find(path); }

}  // namespace hurray::generators
