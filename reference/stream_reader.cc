#include "reference/stream_reader.h"

namespace hurray::reference {

StreamReader::StreamReader(Surface surface, const Waivers& waivers) : surface_(surface), waivers_(waivers) {
  restart();
}

void StreamReader::restart() {
  parser_.reset();
  reading_ = Reading{};
  parser_ = surface_ == Surface::framed ? make_framed_parser(waivers_, reading_) : make_bare_parser(waivers_, reading_);
}

bool StreamReader::feed(Bytes piece) {
  if (!reading_.accepted()) return false;
  const std::uint8_t* const before = received_.data();
  received_.insert(received_.end(), piece.begin(), piece.end());
  // What was read points to where the bytes were. As the room doubles, all restarts together cost one more reading.
  if (received_.data() != before) restart();
  parser_->advance(received_);
  return reading_.accepted();
}

Reading StreamReader::finish() {
  parser_->finish();
  return std::move(reading_);
}

}  // namespace hurray::reference
