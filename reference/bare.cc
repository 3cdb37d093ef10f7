// A bare stream: descriptors and their buffers back to back (interchange.md, Scope).
#include "reference/composite.h"
#include "reference/cursor.h"
#include "reference/surfaces.h"

namespace hurray::reference {
namespace {

class BareReader {
 public:
  BareReader(Bytes input, const Waivers& waivers, Reading& reading)
      : input_(input), waivers_(waivers), reading_(reading), tree_(reading, waivers) {}

  void run();

 private:
  bool descriptor_is_cut() const;
  Violation cut_short() const {
    return {Rule::DESC_HDR_05, position_, Message::of("the input ends before the descriptor does")};
  }
  bool take_buffers(const Descriptor& descriptor);
  std::optional<Violation> check_contents(const Descriptor& descriptor) const;
  void stop_inside(const Violation& violation);
  bool stopped(std::optional<Violation> violation) {
    reading_.violation = std::move(violation);
    return !reading_.accepted();
  }

  Bytes input_;
  const Waivers& waivers_;
  Reading& reading_;
  CompositeTree tree_;
  std::uint64_t position_ = 0;
  std::vector<std::uint64_t> positions_;  // of the buffers of the tensor at hand
};

void BareReader::run() {
  while (position_ < input_.size()) {
    const DescriptorOutcome outcome = read_descriptor(input_, position_, waivers_);
    const Descriptor& descriptor = outcome.descriptor;
    const bool cut = descriptor_is_cut();
    if (cut && (waivers_.has(Rule::DESC_HDR_05) || outcome.violation.value_or(cut_short()).rule == Rule::DESC_HDR_05))
      return stop_inside(cut_short());
    if (stopped(outcome.violation) || stopped(tree_.arrive(descriptor))) return;
    if (descriptor.buffers_unknown) return tree_.abandon();
    position_ = descriptor.at.end;
    if (!take_buffers(descriptor)) {
      const Violation violation{Rule::STRM_00, descriptor.at.buffer_table,
                                Message::of("the input ends inside the buffers of the tensor at byte %llu",
                                            static_cast<unsigned long long>(descriptor.at.start))};
      tree_.drop_last();
      return stop_inside(violation);
    }
    if (stopped(check_contents(descriptor)) || stopped(tree_.complete())) return;
  }
  stopped(tree_.end(input_.size()));
}

/// Whether the input ends before the descriptor does, going by the length that it states.
bool BareReader::descriptor_is_cut() const {
  constexpr std::uint64_t length_at = 6;
  const std::uint64_t left = input_.size() - position_;
  return left < facts::limit::fixed_header ||
         load_little_endian<std::uint32_t>(input_.data() + position_ + length_at) > left;
}

/// The input ends inside a tensor. If a composite waits for it the composite is torn, otherwise `violation` it is.
void BareReader::stop_inside(const Violation& violation) {
  if (tree_.waiting()) {
    stopped(tree_.end(input_.size()));
    return;
  }
  if (!waivers_.has(violation.rule)) reading_.violation = violation;
  reading_.partial = true;
  tree_.abandon();
}

bool BareReader::take_buffers(const Descriptor& descriptor) {
  positions_.clear();
  for (std::size_t i = 0; i < descriptor.buffer_count; ++i) {
    const std::uint64_t size = descriptor.buffer(i).byte_size;
    if (size > input_.size() - position_) return false;
    positions_.push_back(position_);
    reading_.buffers.push_back(input_.subspan(position_, size));
    position_ += size;
  }
  return true;
}

std::optional<Violation> BareReader::check_contents(const Descriptor& descriptor) const {
  if (descriptor.opaque) return std::nullopt;
  return check_buffers(descriptor, std::span(reading_.buffers).last(descriptor.buffer_count), positions_, waivers_);
}

}  // namespace

void read_bare(Bytes input, const Waivers& waivers, Reading& reading) { BareReader(input, waivers, reading).run(); }

}  // namespace hurray::reference
