#include "reference/verdict.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace hurray::reference {

Message Message::of(const char* format, ...) {
  Message message;
  va_list values;
  va_start(values, format);
  const int length = std::vsnprintf(message.text_.data(), message.text_.size(), format, values);
  va_end(values);
  message.size_ = std::min(message.text_.size() - 1, static_cast<std::size_t>(std::max(length, 0)));
  return message;
}

Waivers Waivers::of(Mode mode) {
  Waivers waivers;
  if (mode == Mode::permissive)
    for (std::size_t rule = 0; rule < facts::rule_count; ++rule)
      if (facts::rules[rule].permissive_relief) waivers.waive(static_cast<Rule>(rule));
  return waivers;
}

}  // namespace hurray::reference
