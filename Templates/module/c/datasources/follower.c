#include "follower.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void follower_init(follower *f, const char *path, bool from_end) {
  f->path = path;
  f->file = -1;
  f->from_end = from_end;
  f->position = (position){"", 0};
  f->missing = false;
  f->length = 0;
}

void follower_close(follower *f) {
  if (f->file >= 0) close(f->file);
  f->file = -1;
  f->length = 0;
}

static void read_to(follower *f, long long offset) {
  struct stat now;
  if (fstat(f->file, &now) != 0) return;
  snprintf(f->position.file, sizeof f->position.file, "%llu:%llu", (unsigned long long)now.st_dev,
           (unsigned long long)now.st_ino);
  f->position.offset = offset;
}

static void begin(follower *f) {
  struct stat now;
  position kept = f->position;
  read_to(f, 0);
  if (kept.file[0]) {
    /* Another file of this name, or one that was cut short, is new from its beginning. */
    if (strcmp(kept.file, f->position.file) == 0 && fstat(f->file, &now) == 0 &&
        kept.offset <= now.st_size) {
      lseek(f->file, kept.offset, SEEK_SET);
    }
  } else if (f->from_end) {
    lseek(f->file, 0, SEEK_END);
  }
  f->position.offset = lseek(f->file, 0, SEEK_CUR);
}

static void follower_open(follower *f) {
  f->file = open(f->path, O_RDONLY | O_CLOEXEC);
  f->missing = f->file < 0;
  if (f->file >= 0) begin(f);
  /* Only the file that was there at first may have lines from before: its successors are new. */
  f->from_end = false;
}

static void rewind_if_cut(follower *f) {
  struct stat now;
  if (fstat(f->file, &now) == 0 && now.st_size < lseek(f->file, 0, SEEK_CUR)) {
    lseek(f->file, 0, SEEK_SET);
    f->length = 0;
    read_to(f, 0);
  }
}

static bool is_replaced(const follower *f) {
  struct stat mine, named;
  if (fstat(f->file, &mine) != 0 || stat(f->path, &named) != 0) return false;
  return mine.st_ino != named.st_ino || mine.st_dev != named.st_dev;
}

static void add(follower *f, char c, void (*each)(void *ctx, const char *line), void *ctx) {
  if (c == '\n') {
    f->line[f->length] = 0;
    if (f->length > 0) each(ctx, f->line);
    f->length = 0;
  } else if (c != '\r' && c != 0 && f->length < LONGEST_LINE) {
    f->line[f->length++] = c;
  }
}

bool follower_read(follower *f, void (*each)(void *ctx, const char *line), void *ctx) {
  char chunk[64 * 1024];
  if (f->file < 0) follower_open(f);
  if (f->file < 0) return false;
  rewind_if_cut(f);
  ssize_t count = read(f->file, chunk, sizeof chunk);
  for (ssize_t at = 0; at < count; at++) {
    add(f, chunk[at], each, ctx);
    if (chunk[at] == '\n') read_to(f, lseek(f->file, 0, SEEK_CUR) - (count - at - 1));
  }
  if (count > 0) return true;
  /* Nothing more in this one: only now may it be left for its successor. */
  if (is_replaced(f)) follower_close(f);
  return false;
}
