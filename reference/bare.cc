// A bare stream: descriptors and their buffers back to back (interchange.md, Scope).
#include "reference/composite.h"
#include "reference/cursor.h"
#include "reference/stream_parser.h"

namespace hurray::reference {
namespace {

class BareParser final : public StreamParser {
 public:
  BareParser(const Waivers& waivers, Reading& reading)
      : waivers_(waivers), reading_(reading), tree_(reading, waivers) {}

  void advance(Bytes received) override;
  void finish() override;

 private:
  void run();
  std::uint32_t stated_length() const;
  bool descriptor_is_cut() const;
  bool take_descriptor();
  bool take_buffers();
  void stop_inside(Rule rule, std::uint64_t at, const char* where);
  void abandon();
  bool stopped(std::optional<Violation> violation) {
    reading_.violation = std::move(violation);
    done_ |= !reading_.accepted();
    return done_;
  }

  const Waivers& waivers_;
  Reading& reading_;
  CompositeTree tree_;
  Bytes input_;
  std::uint64_t position_ = 0;
  bool wants_buffers_ = false;            // a descriptor was read, its buffers were not
  bool done_ = false;
  std::vector<std::uint64_t> positions_;  // of the buffers of the tensor at hand
};

void BareParser::advance(Bytes received) {
  input_ = received;
  // Where descriptor_length does not bind, how far a descriptor reaches can be told from the whole stream only.
  if (!waivers_.has(Rule::DESC_HDR_05)) run();
}

void BareParser::run() {
  while (!done_ && (wants_buffers_ || (!descriptor_is_cut() && take_descriptor())))
    if (!take_buffers() || stopped(tree_.complete(positions_, true))) return;
}

std::uint32_t BareParser::stated_length() const {
  constexpr std::uint64_t length_at = 6;
  return load_little_endian<std::uint32_t>(input_.data() + position_ + length_at);
}

/// Whether the bytes there end before the descriptor does, going by the length that it states.
bool BareParser::descriptor_is_cut() const {
  const std::uint64_t left = input_.size() - position_;
  return left < facts::limit::fixed_header || stated_length() > left;
}

bool BareParser::take_descriptor() {
  // Not a byte more than the descriptor's, so that a message does not depend on what else has arrived.
  const std::uint64_t end = position_ + std::max(stated_length(), facts::limit::fixed_header);
  const Bytes visible = waivers_.has(Rule::DESC_HDR_05) ? input_ : input_.first(end);
  const DescriptorOutcome outcome = read_descriptor(visible, position_, waivers_);
  if (stopped(outcome.violation) || stopped(tree_.arrive(outcome))) return false;
  if (outcome.descriptor.buffers_unknown) return abandon(), false;
  position_ = outcome.descriptor.at.end;
  wants_buffers_ = true;
  return true;
}

/// False, with nothing taken, while they are not all there.
bool BareParser::take_buffers() {
  const Descriptor& descriptor = reading_.tensors.back().descriptor;
  std::uint64_t end = position_;
  for (std::size_t i = 0; i < descriptor.buffer_count; ++i) {
    const std::uint64_t size = descriptor.buffer(i).byte_size;
    if (size > input_.size() - end) return false;
    end += size;
  }
  positions_.clear();
  for (std::size_t i = 0; i < descriptor.buffer_count; ++i) {
    const std::uint64_t size = descriptor.buffer(i).byte_size;
    positions_.push_back(position_);
    reading_.buffers.push_back(input_.subspan(position_, size));
    position_ += size;
  }
  wants_buffers_ = false;
  return true;
}

void BareParser::finish() {
  run();
  if (done_) return;
  if (wants_buffers_) {
    const std::uint64_t at = reading_.tensors.back().descriptor.at.buffer_table;
    tree_.drop_last();
    return stop_inside(Rule::STRM_00, at, "the buffers of a tensor");
  }
  if (position_ == input_.size()) {
    stopped(tree_.end(input_.size()));
    return;
  }
  // Waived or not, DESC-HDR-05 tells what the cut took away from what is wrong with the bytes that are there.
  const DescriptorOutcome outcome = read_descriptor(input_, position_, Waivers(waivers_).demand(Rule::DESC_HDR_05));
  if (!outcome.violation || outcome.violation->rule == Rule::DESC_HDR_05)
    stop_inside(Rule::DESC_HDR_05, position_, "a descriptor");
  else
    stopped(outcome.violation);
}

/// The input ends inside a tensor. If a composite waits for it the composite is torn, otherwise `rule` is broken.
void BareParser::stop_inside(Rule rule, std::uint64_t at, const char* where) {
  if (tree_.waiting()) {
    stopped(tree_.end(input_.size()));
    return;
  }
  if (!waivers_.has(rule)) stopped(Violation{rule, at, Message::of("the input ends inside %s", where)});
  abandon();
}

void BareParser::abandon() {
  reading_.partial = true;
  done_ = true;
  tree_.abandon();
}

}  // namespace

std::unique_ptr<StreamParser> make_bare_parser(const Waivers& waivers, Reading& reading) {
  return std::make_unique<BareParser>(waivers, reading);
}

}  // namespace hurray::reference
