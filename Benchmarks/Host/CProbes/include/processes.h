/* Starts programs and asks the kernel about them. */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stdint.h>

/* Starts `arguments` (ended by NULL) in `folder`, output appended to the file `log`; the pid, or minus
 * errno. */
int process_start(const char *const *arguments, const char *folder, const char *log);

/* Waits until `pid` has ended. Returns its exit status, or 128 and the signal; `cpu` gets the
 * nanoseconds that it and the children it waited for have run. */
int process_wait(int pid, int64_t *cpu);

/* Starts the worker program `path` in `folder` as a host does, with the environment that
 * docs/protocol.md names; the pid, or minus errno. `socket` gets this side's end. */
int worker_start(const char *path, const char *folder, int *socket);

/* Sends a signal. */
int process_signal(int pid, int signal);

/* What the start of a benchmark module left in slot `slot` of the open file `file`: the time of its
 * START by CLOCK_MONOTONIC, 0 when there was none, and its pid. */
int64_t page_started(int file, int slot, int *pid);

#endif
