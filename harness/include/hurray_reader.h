/* The C door of the reader protocol, version 1: a shared library that exports `hurray_reader` can be judged by
 * `hurray-conform run --library FILE.so` and fuzzed in-process by `fz_diff`. Usable from C99 and from every language
 * that can export a C function. No global state is needed; every function may be called from any thread. */
#ifndef HURRAY_READER_H
#define HURRAY_READER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What `read` returns: the verdict. The numbers are those of the exec door's exit codes. */
enum { HURRAY_ACCEPT = 0, HURRAY_REJECT = 1, HURRAY_UNSUPPORTED = 3 };

/* What a request wants beyond the verdict. */
enum { HURRAY_WANT_NOTHING = 0, HURRAY_WANT_VIEW = 1, HURRAY_WANT_MERGE = 2, HURRAY_WANT_LOOKUP = 3 };

/* Where a reader puts its answer. Both functions copy what they are given. */
typedef struct hurray_sink {
  void *context;
  /* One field of the answer's header: a key and its value as JSON text, both NUL-terminated UTF-8. Keys of `describe`
   * are those of the protocol's `ready`, of `read`: "view", "message", "rule", "at". */
  void (*field)(void *context, const char *key, const char *json);
  /* The next bytes of the body: the merged view or the element looked up. May be called several times. */
  void (*body)(void *context, const uint8_t *data, size_t size);
} hurray_sink;

/* Memory on the suite's account: counted, and NULL beyond the ceiling. `release` gets the size that was asked for. */
typedef struct hurray_allocator {
  void *context;
  void *(*allocate)(void *context, size_t size);
  void (*release)(void *context, void *pointer, size_t size);
} hurray_allocator;

typedef struct hurray_request {
  size_t size;              /* sizeof(hurray_request) as the caller knows it; later versions only append */
  const char *surface;      /* "descriptor", "bare", "framed", "file" */
  const char *mode;         /* "strict", "permissive" */
  int want;                 /* HURRAY_WANT_... */
  const uint8_t *input;     /* borrowed until `read` returns, at any alignment; NULL only when input_size is 0 */
  size_t input_size;        /* bytes */
  uint64_t item;            /* merge, lookup: which top-level item */
  const uint64_t *index;    /* lookup: `rank` coordinates */
  size_t rank;
  const hurray_allocator *allocator;  /* NULL: use your own */
} hurray_request;

typedef struct hurray_reader_v1 {
  size_t size;  /* sizeof(hurray_reader_v1) as the reader knows it */
  void (*describe)(const hurray_sink *sink);
  int (*read)(const hurray_request *request, const hurray_sink *sink);
} hurray_reader_v1;

/* The one exported function. The table lives as long as the library is loaded. */
const hurray_reader_v1 *hurray_reader(void);

#ifdef __cplusplus
}
#endif

#endif
