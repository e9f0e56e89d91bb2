#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder can be "executed" too, as far as access() is concerned. */
static int is_program(const char *path) {
  struct stat about;
  if (access(path, X_OK) || stat(path, &about)) return errno;
  return S_ISREG(about.st_mode) ? 0 : EACCES;
}

int launch_find(const char *name, char *path, size_t capacity) {
  if (strchr(name, '/')) {
    int length = snprintf(path, capacity, "%s", name);
    return length < 0 || (size_t)length >= capacity ? ENAMETOOLONG : is_program(path);
  }
  int error = ENOENT;
  const char *folders = getenv("PATH");
  if (!folders) folders = "/usr/local/bin:/usr/bin:/bin";
  while (*folders) {
    size_t length = strcspn(folders, ":");
    int size = snprintf(path, capacity, "%.*s/%s", (int)length, folders, name);
    if (length && size > 0 && (size_t)size < capacity) {
      int found = is_program(path);
      if (!found) return 0;
      if (found != ENOENT && found != ENOTDIR) error = found;
    }
    folders += length + (folders[length] == ':');
  }
  return error;
}

/* The program after `#!`, or with `env` the one that it looks up. NULL when it is no script. */
static char *interpreter(const char *path, char *line, size_t capacity) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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
  if (!(programs[*count] = strdup(path))) return ENOMEM;
  ++*count;
  return 0;
}

/* The program that `env` looks up: its first word, behind -S. What looks like an assignment or an
 * option isn't taken for a program: `env` wouldn't either. */
static int looked_up(char **rest, const char **word) {
  char *next = strtok_r(NULL, " \t", rest);
  if (next && !strcmp(next, "-S")) next = strtok_r(NULL, " \t", rest);
  *word = next;
  return next && (*next == '-' || strchr(next, '=')) ? EINVAL : 0;
}

int launch_programs(const char *command, const char *programs[LAUNCH_PROGRAMS + 1],
                    const char **culprit) {
  size_t count = 0;
  static char line[256];
  *culprit = command;
  int error = add(command, programs, &count);
  while (!error) {
    char *next = interpreter(programs[count - 1], line, sizeof line);
    char *rest = NULL;
    const char *program = next ? strtok_r(next, " \t", &rest) : NULL;
    if (!program) break;
    *culprit = program;
    error = add(program, programs, &count);
    const char *base = strrchr(program, '/');
    if (error || !base || strcmp(base, "/env")) continue;
    const char *word = NULL;
    error = looked_up(&rest, &word);
    if (word) *culprit = word;
    if (!error && word) error = add(word, programs, &count);
  }
  programs[count] = NULL;
  return error;
}
