/* A reader in C99 small enough to read at a glance: it knows the 20-byte header of a row-major tensor descriptor and
 * nothing else, declares just that, and still gets a fair judgement. Start from it for your own. */
#include <stdio.h>
#include <string.h>

#include "hurray_reader.h"

static uint64_t little_endian(const uint8_t *bytes, size_t count) {
  uint64_t value = 0;
  while (count-- > 0) value = value << 8 | bytes[count];
  return value;
}

static int reject(const hurray_sink *sink, const char *message) {
  sink->field(sink->context, "message", message);
  return HURRAY_REJECT;
}

static void describe(const hurray_sink *sink) {
  sink->field(sink->context, "name", "\"header-reader\"");
  sink->field(sink->context, "version", "\"1\"");
  sink->field(sink->context, "language", "\"C\"");
  sink->field(sink->context, "surfaces", "[\"descriptor\"]");
  sink->field(sink->context, "modes", "[\"strict\"]");
  sink->field(sink->context, "layouts", "[\"row-major\"]");
  sink->field(sink->context, "schemes", "[]");
}

static int check_header(const hurray_request *request, const hurray_sink *sink) {
  const uint8_t *bytes = request->input;
  if (request->input_size < 20) return reject(sink, "\"shorter than the fixed header\"");
  if (memcmp(bytes, "HRRY", 4) != 0) return reject(sink, "\"magic\"");
  if (bytes[4] != 1) return reject(sink, "\"version_major\"");
  if (little_endian(bytes + 6, 4) < 20 || little_endian(bytes + 6, 4) > request->input_size) return reject(sink, "\"descriptor_length\"");
  if (little_endian(bytes + 10, 4) >> 5 != 0) return reject(sink, "\"reserved flag bits\"");
  if (little_endian(bytes + 16, 4) > 64) return reject(sink, "\"rank above 64\"");
  return HURRAY_ACCEPT;
}

static int read_descriptor(const hurray_request *request, const hurray_sink *sink) {
  if (strcmp(request->surface, "descriptor") != 0) return HURRAY_UNSUPPORTED;
  return check_header(request, sink);
}

const hurray_reader_v1 *hurray_reader(void) {
  static const hurray_reader_v1 table = {sizeof table, describe, read_descriptor};
  return &table;
}
