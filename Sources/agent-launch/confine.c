#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether `path` is `place` or beneath it; both are real paths. */
static int lies_in(const char *path, const char *place) {
  size_t length = strlen(place);
  if (length == 1 && *place == '/') return 1;
  return !strncmp(path, place, length) && (path[length] == 0 || path[length] == '/');
}

static int lies_in_one(const char *path, const char *const *places) {
  char real[PATH_MAX];
  for (; places && *places; places++)
    if (realpath(*places, real) && lies_in(path, real)) return 1;
  return 0;
}

/* The folders where the host's user looks for programs. A relative one would be the module's. */
static int lies_in_search_path(const char *path) {
  const char *folders = getenv("PATH");
  if (!folders) folders = "/usr/local/bin:/usr/bin:/bin";
  char folder[PATH_MAX], real[PATH_MAX];
  while (*folders) {
    size_t length = strcspn(folders, ":");
    if (*folders == '/' && length < sizeof folder) {
      snprintf(folder, sizeof folder, "%.*s", (int)length, folders);
      if (realpath(folder, real) && strcmp(real, "/") && lies_in(path, real)) return 1;
    }
    folders += length + (folders[length] == ':');
  }
  return 0;
}

/* Rationale: the sandbox lets a program be read as well as executed. Were any file with the right
 * bit a program, a script's first line would be a permission to read it. */
int launch_confine(const char *programs[LAUNCH_PROGRAMS + 1], const char *const *const lists[],
                   size_t count, const char **culprit) {
  for (; *programs; programs++) {
    char real[PATH_MAX];
    *culprit = *programs;
    if (!realpath(*programs, real)) return errno;
    int permitted = lies_in_search_path(real);
    for (size_t i = 0; !permitted && i < count; i++) permitted = lies_in_one(real, lists[i]);
    /* A link in a folder of PATH leads where its owner wants it to: /etc/alternatives, Nix,
     * pyenv. */
    if (!permitted) {
      char named[PATH_MAX];
      const char *slash = strrchr(*programs, '/');
      size_t length = slash ? (size_t)(slash - *programs) : 0;
      if (length && length < sizeof named) {
        snprintf(named, sizeof named, "%.*s", (int)length, *programs);
        char folder[PATH_MAX];
        if (realpath(named, folder)) permitted = lies_in_search_path(folder);
      }
    }
    if (!permitted) return EPERM;
    if (!(*programs = strdup(real))) return ENOMEM;
  }
  return 0;
}
