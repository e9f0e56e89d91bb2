/* agent_json.h: reads and writes the JSON that a module and its host exchange.
 *
 * A value is a part of the text that it stands in, borrowed as long as that text is. Reading
 * allocates nothing. The last argument is the result where there is no such value:
 *
 *     int64_t count = agent_json_int(agent_json_get(settings, "count"), 10);
 *     agent_json words = agent_json_get(settings, "words"), word = AGENT_JSON_NONE;
 *     while (agent_json_next(words, &word)) {
 *       if (agent_json_equals(word, "error")) ...
 *     }
 *
 * Writing is a `printf` that quotes its strings. An apostrophe in the pattern becomes a quote:
 *
 *     agent_json_writer event = {0};
 *     agent_json_print(&event, "{'type':'log_line','line':%s,'count':%d}", line, count);
 *     events->publish(events->ctx, agent_json_written(&event), accepted);
 *     agent_json_reset(&event);
 *
 * Rules that hold everywhere:
 *
 *   - Every function takes any bytes. A text that isn't JSON (RFC 8259) has no values; in a text
 *     with a mistake the values before the mistake are found. agent_json_parse checks all of it.
 *   - At most AGENT_JSON_DEPTH arrays and objects are inside one another, as in the host.
 *   - Nothing is remembered: to find a member reads the object up to it. Keep a value that you need
 *     more than once.
 *   - A writer gives JSON or nothing, whatever was written.
 *   - Nothing is shared: each function may be called from every thread. A writer has one user at a
 *     time. Nothing depends on the locale.
 *
 * The header is complete: plain C11 or C++, no library to link. It is no part of the interface
 * between module and host; agent_module.h is all of that.
 */
#ifndef AGENT_JSON_H
#define AGENT_JSON_H

#include <float.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent_module.h"

#if defined(__GNUC__)
#define AGENT_JSON_FORMAT __attribute__((format(printf, 2, 3)))
#else
#define AGENT_JSON_FORMAT
#endif

enum { AGENT_JSON_DEPTH = 64 };

/* A value where it stands in a text; `ptr` is NULL where there is none. */
typedef agent_bytes agent_json;
#define AGENT_JSON_NONE {NULL, 0}

/* The bytes of a C string, borrowed. NULL has none. */
static inline agent_bytes agent_text(const char *text);

/* ------------------------------------------------------------------------------------ reading */

/* The value that the whole text is, without blanks around it; none where it isn't JSON. */
static inline agent_json agent_json_parse(agent_bytes text);

typedef enum agent_json_kind {
  AGENT_JSON_ABSENT, AGENT_JSON_NULL, AGENT_JSON_BOOL, AGENT_JSON_NUMBER, AGENT_JSON_STRING,
  AGENT_JSON_ARRAY, AGENT_JSON_OBJECT
} agent_json_kind;

static inline agent_json_kind agent_json_kind_of(agent_json value);

/* The value of an object's member; the first one of that key. */
static inline agent_json agent_json_get(agent_json object, const char *key);

/* Goes on to the next element of an array, or the next member of an object (`key` is a string).
 * Begin with AGENT_JSON_NONE. False behind the last one: `element` or `value` is none again. */
static inline bool agent_json_next(agent_json array, agent_json *element);
static inline bool agent_json_next_member(agent_json object, agent_json *key, agent_json *value);

/* An integer, also one written as 5.0 or 5e0; `otherwise` where it has a fraction or more than 64
 * bits. A double is the nearest one; `otherwise` beyond the largest. */
static inline int64_t agent_json_int(agent_json value, int64_t otherwise);
static inline double agent_json_double(agent_json value, double otherwise);
static inline bool agent_json_bool(agent_json value, bool otherwise);

/* Whether it is the string `text`, however it is escaped. */
static inline bool agent_json_equals(agent_json value, const char *text);

/* Copies a string without its escapes into `out`, which has space for `size` bytes with the final
 * NUL; `value.len` bytes are enough. True when all of it is there. Otherwise `out` has the whole
 * characters that fit, or that come before a U+0000, or nothing where `value` is no string. */
static inline bool agent_json_copy_text(agent_json value, char *out, size_t size);

/* The same in memory of its own, to be freed. NULL: no string, a U+0000 in it, or no memory. */
static inline char *agent_json_new_text(agent_json value);

/* A copy in memory of its own, to be freed with agent_json_free; none where there is no memory. */
static inline agent_json agent_json_keep(agent_json value);
static inline void agent_json_free(agent_json kept);

/* ------------------------------------------------------------------------------------ writing */

/* A text that grows. Begin with {0}. `text` ends with a NUL, and is NULL before the first byte. */
typedef struct agent_json_writer {
  char *text;
  size_t length, capacity;
  bool failed; /* there was no memory, or a pattern was wrong: everything after it is ignored */
} agent_json_writer;

/* Appends the pattern, with a quote for each apostrophe, and in it
 *   %s              a string, with quotes and escapes; U+FFFD for bytes that aren't UTF-8;
 *                   NULL: null
 *   %d %u           an integer; with l, ll or z as in printf
 *   %g              a double, in as many digits as it takes; null where it is infinite or no number
 *   %.*s            a value as it is, by AGENT_JSON_ARG(value); null for none
 *   %%              a percent sign
 * The compiler checks the arguments as those of printf. */
static inline void agent_json_print(agent_json_writer *writer, const char *pattern, ...)
    AGENT_JSON_FORMAT;
#define AGENT_JSON_ARG(value) (int)(value).len, (const char *)(value).ptr

/* Appends a string of which the length is known. */
static inline void agent_json_quote(agent_json_writer *writer, agent_bytes text);

/* The value that was written, borrowed until the writer changes; none where writing failed, or
 * where it isn't one whole value. */
static inline agent_json agent_json_written(const agent_json_writer *writer);

/* Frees the text and begins anew. */
static inline void agent_json_reset(agent_json_writer *writer);

#include "agent_json/syntax.h"
#include "agent_json/values.h"
#include "agent_json/numbers.h"
#include "agent_json/writing.h"

#endif
