/* agent-launch: start a module's command within its bounds. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stddef.h>

/* Longest chain from a script to the program that runs it: script, env, interpreter. */
enum { LAUNCH_PROGRAMS = 8 };

/* Finds `name` as a shell would; writes its path to `path`. 0, or an errno. */
int launch_find(const char *name, char *path, size_t capacity);

/* Fills `programs` with the file to execute and the interpreters that the kernel opens for it,
 * ending with NULL. 0, or an errno; then `culprit` is what it was about. */
int launch_programs(const char *command, const char *programs[LAUNCH_PROGRAMS + 1],
                    const char **culprit);

/* Replaces every program by its real path, after a look at where it lies: in a folder of PATH, or
 * in one of these lists of folders and files, which end with NULL. 0; or an errno, and the program
 * that lies elsewhere in `culprit`. */
int launch_confine(const char *programs[LAUNCH_PROGRAMS + 1], const char *const *const lists[],
                   size_t count, const char **culprit);

#endif
