#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int launch_find(const char *name, char *path, size_t capacity) {
  if (strchr(name, '/')) {
    int length = snprintf(path, capacity, "%s", name);
    return length < 0 || (size_t)length >= capacity ? ENAMETOOLONG : access(path, X_OK) ? errno : 0;
  }
  int error = ENOENT;
  const char *folders = getenv("PATH");
  if (!folders) folders = "/usr/local/bin:/usr/bin:/bin";
  while (*folders) {
    size_t length = strcspn(folders, ":");
    int size = snprintf(path, capacity, "%.*s/%s", (int)length, folders, name);
    if (length && size > 0 && (size_t)size < capacity) {
      if (!access(path, X_OK)) return 0;
      if (errno != ENOENT && errno != ENOTDIR) error = errno;
    }
    folders += length + (folders[length] == ':');
  }
  return error;
}

/* The program after `#!`, or with `env` the one that it looks up. NULL when it is no script. */
static char *interpreter(const char *path, char *line, size_t capacity) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return NULL;
  ssize_t size = read(fd, line, capacity - 1);
  close(fd);
  if (size < 3 || line[0] != '#' || line[1] != '!') return NULL;
  line[size] = 0;
  line[strcspn(line, "\n")] = 0;
  return line + 2 + strspn(line + 2, " \t");
}

static int add(const char *name, const char **programs, size_t *count) {
  char path[PATH_MAX];
  int error = launch_find(name, path, sizeof path);
  if (error) return error;
  if (*count == LAUNCH_PROGRAMS) return ELOOP;
  programs[(*count)++] = strdup(path);
  return 0;
}

int launch_programs(const char *command, const char *programs[LAUNCH_PROGRAMS + 1]) {
  size_t count = 0;
  char line[256];
  int error = add(command, programs, &count);
  while (!error) {
    char *next = interpreter(programs[count - 1], line, sizeof line);
    char *rest = NULL;
    char *program = next ? strtok_r(next, " \t", &rest) : NULL;
    if (!program) break;
    error = add(program, programs, &count);
    const char *base = strrchr(program, '/');
    char *word = base && !strcmp(base, "/env") ? strtok_r(NULL, " \t", &rest) : NULL;
    if (word && !strcmp(word, "-S")) word = strtok_r(NULL, " \t", &rest);
    if (!error && word) error = add(word, programs, &count);
  }
  programs[count] = NULL;
  return error;
}
