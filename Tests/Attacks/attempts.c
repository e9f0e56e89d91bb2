#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

surroundings around;

int tried(long result) { return result < 0 ? errno : 0; }

const char *in_agent(const char *name) {
  static char path[1024];
  snprintf(path, sizeof path, "%s/%s", around.agent, name);
  return path;
}

static int is_wanted(const char *only, const char *name) {
  size_t length = strlen(name);
  if (!*only) return 1;
  for (const char *at = only; (at = strstr(at, name)); at += length)
    if ((at == only || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) return 1;
  return 0;
}

static struct { char *json; unsigned long used, capacity; int is_full; } answer;

static void write_down(const char *name, int result) {
  if (answer.is_full) return;
  unsigned long space = answer.capacity - answer.used;
  int length = snprintf(answer.json + answer.used, space, "%s\"%s\": %d",
                        answer.used > 1 ? ", " : "", name, result);
  answer.is_full = length < 0 || (unsigned long)length >= space - 2;
  if (!answer.is_full) answer.used += (unsigned long)length;
}

int attempts_run(const char *agent, int host, int sibling, const char *only, char *json,
                 unsigned long capacity) {
  const attempt *const lists[] = { file_attempts, process_attempts, kernel_attempts,
                                   socket_attempts, memory_attempts, honest_attempts };
  snprintf(around.agent, sizeof around.agent, "%s", agent);
  around.host = host;
  around.sibling = sibling;
  answer.json = json;
  answer.capacity = capacity;
  answer.used = (unsigned long)snprintf(json, capacity, "{");
  answer.is_full = 0;
  for (unsigned i = 0; i < sizeof lists / sizeof *lists; i++)
    for (const attempt *a = lists[i]; a->name; a++) {
      if (!is_wanted(only, a->name)) continue;
      errno = 0;
      write_down(a->name, a->try_it());
    }
  if (!*only) attempts_by_table(write_down);
  snprintf(json + answer.used, capacity - answer.used, "}");
  return answer.is_full ? -1 : 0;
}
