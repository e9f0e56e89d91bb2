/* Reads a file that grows, is cut short, or is replaced by another of its name. */
#ifndef FOLLOWER_H
#define FOLLOWER_H

#include <stdbool.h>
#include <stddef.h>

enum { LONGEST_LINE = 16 * 1024 };

/* How far a file was read: to the end of its last line. */
typedef struct position {
  char file[48]; /* what stays the same while it is renamed; empty: none yet */
  long long offset;
} position;

typedef struct follower {
  const char *path;
  int file; /* -1: not open */
  bool from_end;
  position position; /* set before the first read: it goes on there */
  bool missing;
  size_t length;
  char line[LONGEST_LINE + 1];
} follower;

void follower_init(follower *f, const char *path, bool from_end);
void follower_close(follower *f);

/* Reads what has been written since the last time, up to some 64 KB, and calls `each` with every
 * line that is complete. Returns false when there was nothing to read. */
bool follower_read(follower *f, void (*each)(void *ctx, const char *line), void *ctx);

#endif
