#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *word(sandbox_reached reached) {
  switch (reached) {
    case SANDBOX_FULL: return "full";
    case SANDBOX_PARTIAL: return "partial";
    default: return "none";
  }
}

/* The sentences are this library's own and the system's: what would end a text of JSON is left out
 * all the same. */
static void quote(const char *text, char *quoted, size_t capacity) {
  size_t length = 0;
  for (; *text && length + 1 < capacity; text++)
    if ((unsigned char)*text >= ' ' && *text != '"' && *text != '\\') quoted[length++] = *text;
  quoted[length] = 0;
}

int sandbox_tell(int descriptor, sandbox_reached reached, const char *detail) {
  char quoted[SANDBOX_RECORD_BYTES / 2], record[SANDBOX_RECORD_BYTES + 1];
  quote(detail, quoted, sizeof quoted);
  int length = snprintf(record, sizeof record, "{\"sandbox\":\"%s\",\"detail\":\"%s\"}",
                        word(reached), quoted);
  if (length < 0 || length > SANDBOX_RECORD_BYTES) return EMSGSIZE;
  memset(record + length, ' ', (size_t)(SANDBOX_RECORD_BYTES - length));
  /* Below PIPE_BUF: the pipe takes it whole. */
  ssize_t written = write(descriptor, record, SANDBOX_RECORD_BYTES);
  return written == SANDBOX_RECORD_BYTES ? 0 : written < 0 ? errno : EIO;
}
