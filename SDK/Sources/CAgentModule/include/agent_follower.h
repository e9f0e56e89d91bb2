/* agent_follower.h: the lines of a file that grows, is cut short, or is replaced by another of its
 * name, as log files are.
 *
 *     agent_follower_init(&s->follower, path, true);
 *     agent_follower_load(&s->follower, state);
 *     do {
 *       has_more = agent_follower_read(&s->follower, publish, s);
 *       agent_follower_save(&s->follower, state);
 *     } while (agent_work_sleep(&s->work, has_more ? 0 : 500));
 *     agent_follower_close(&s->follower);
 *
 * A follower has one user at a time, on a thread of its own. The header is complete; there is no
 * library to link.
 */
#ifndef AGENT_FOLLOWER_H
#define AGENT_FOLLOWER_H

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent_work.h"

enum { AGENT_FOLLOWER_LINE = 16 * 1024, AGENT_FOLLOWER_CHUNK = 64 * 1024 };

/* How far a file was read: to the end of its last line. */
typedef struct agent_position {
  char file[48]; /* device and number, which stay while it is renamed; empty: none was open yet */
  int64_t offset;
} agent_position;

typedef struct agent_follower {
  const char *path; /* borrowed */
  int file;         /* -1: not open */
  bool from_end;
  bool is_missing; /* there is no such file now */
  agent_position position; /* set it before the first read to go on behind it */
  agent_position saved;
  size_t length;
  char line[AGENT_FOLLOWER_LINE + 1];
} agent_follower;

/* Begins at the end of a file that is there already, or else at its start. */
static inline void agent_follower_init(agent_follower *f, const char *path, bool from_end) {
  memset(f, 0, sizeof *f);
  f->path = path;
  f->file = -1;
  f->from_end = from_end;
}

/* Closes the file. The next read opens the path again, and goes on behind `position`. */
static inline void agent_follower_close(agent_follower *f) {
  if (f->file >= 0) close(f->file);
  f->file = -1;
  f->length = 0;
}

static inline void agent_follower_identify(agent_follower *f, const struct stat *file) {
  snprintf(f->position.file, sizeof f->position.file, "%llu:%llu",
           (unsigned long long)file->st_dev, (unsigned long long)file->st_ino);
}

static inline void agent_follower_open(agent_follower *f) {
  struct stat now;
  agent_position kept = f->position;
  f->file = open(f->path, O_RDONLY | O_CLOEXEC);
  f->is_missing = f->file < 0;
  if (f->file >= 0 && fstat(f->file, &now) == 0) {
    agent_follower_identify(f, &now);
    /* Another file of this name, or one that was cut short, is new from its beginning. */
    bool goes_on = !strcmp(kept.file, f->position.file) && kept.offset >= 0 &&
                   kept.offset <= now.st_size;
    bool skips = !kept.file[0] && f->from_end;
    f->position.offset = skips ? now.st_size : goes_on ? kept.offset : 0;
    lseek(f->file, (off_t)f->position.offset, SEEK_SET);
  }
  /* Only the file that was there at first may have lines from before: its successors are new. */
  f->from_end = false;
}

static inline void agent_follower_rewind_if_cut(agent_follower *f) {
  struct stat now;
  if (fstat(f->file, &now) != 0 || now.st_size >= lseek(f->file, 0, SEEK_CUR)) return;
  lseek(f->file, 0, SEEK_SET);
  f->position.offset = 0;
  f->length = 0;
}

static inline bool agent_follower_is_replaced(const agent_follower *f) {
  struct stat mine, named;
  if (fstat(f->file, &mine) != 0 || stat(f->path, &named) != 0) return false;
  return mine.st_ino != named.st_ino || mine.st_dev != named.st_dev;
}

/* Takes a byte of a line; true when that is complete. NULs and carriage returns are left out, and
 * what is behind AGENT_FOLLOWER_LINE bytes. */
static inline bool agent_follower_add(agent_follower *f, char byte) {
  f->line[f->length] = 0;
  if (byte == '\n') return true;
  if (byte != '\r' && byte != 0 && f->length < AGENT_FOLLOWER_LINE) f->line[f->length++] = byte;
  return false;
}

/* Reads what has been written since the last time, up to AGENT_FOLLOWER_CHUNK bytes, and calls
 * `each` with every line that is complete and not empty; the line is borrowed. Returns whether
 * there was something to read: then there may be more. */
static inline bool agent_follower_read(agent_follower *f, void (*each)(void *ctx, const char *line),
                                       void *ctx) {
  char chunk[AGENT_FOLLOWER_CHUNK];
  if (f->file < 0) agent_follower_open(f);
  if (f->file < 0) return false;
  agent_follower_rewind_if_cut(f);
  int64_t begin = lseek(f->file, 0, SEEK_CUR);
  ssize_t count = read(f->file, chunk, sizeof chunk);
  for (ssize_t at = 0; at < count; at++) {
    if (!agent_follower_add(f, chunk[at])) continue;
    if (f->length > 0) each(ctx, f->line);
    f->length = 0;
    f->position.offset = begin + at + 1;
  }
  /* Nothing more in this one: only now may it be left for its successor. */
  if (count == 0 && agent_follower_is_replaced(f)) agent_follower_close(f);
  return count > 0;
}

/* --------------------------------------------- the position in "state/1": these two wait for it */

/* Goes on where the last worker was, unless it followed another path. Before the first read. */
static inline void agent_follower_load(agent_follower *f, const agent_service_v1 *state) {
  agent_json answer = AGENT_JSON_NONE, entry = AGENT_JSON_NONE;
  agent_bytes request = agent_text("{\"keys\":[\"position\"]}");
  if (agent_call_and_wait(state, "get", request, &answer) == AGENT_OK) {
    agent_json_next(agent_json_get(answer, "entries"), &entry);
    agent_json kept = agent_json_get(entry, "value"), file = agent_json_get(kept, "file");
    if (agent_json_equals(agent_json_get(kept, "path"), f->path)) {
      agent_json_copy_text(file, f->position.file, sizeof f->position.file);
      f->position.offset = agent_json_int(agent_json_get(kept, "offset"), 0);
    }
  }
  f->saved = f->position;
  agent_json_free(answer);
}

/* Keeps the position where it has changed, under the key "position". Call it when the lines are in
 * the log: after a restart none is missing then, and none but those of the last read comes
 * twice. */
static inline agent_status agent_follower_save(agent_follower *f, const agent_service_v1 *state) {
  agent_json_writer change = {NULL, 0, 0, false};
  if (!strcmp(f->position.file, f->saved.file) && f->position.offset == f->saved.offset) {
    return AGENT_OK;
  }
  agent_json_print(&change, "{'changes':[{'key':'position','value':");
  agent_json_print(&change, "{'path':%s,'file':%s,'offset':%lld}}]}", f->path, f->position.file,
                   (long long)f->position.offset);
  agent_status status = agent_call_and_wait(state, "write", agent_json_written(&change), NULL);
  if (status == AGENT_OK) f->saved = f->position;
  agent_json_reset(&change);
  return status;
}

#endif
