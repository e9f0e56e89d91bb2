/* Probes: what the kernel alone costs, measured in the same run as what is built on it. Each
 * returns nanoseconds, or minus errno. */
#ifndef PROBES_H
#define PROBES_H

#include <stddef.h>
#include <stdint.h>

/* CLOCK_MONOTONIC, which is the same in every process. */
int64_t probe_now(void);

/* posix_spawn of `path` until each of `count` children, started one after the other without
 * waiting, has written its first byte. Ends them before it returns. */
int64_t probe_spawn(const char *path, int count);

/* One round trip of `bytes` bytes over a Unix stream socket to an echoing child, the mean of `count`;
 * both on one core when `pinned`. */
int64_t probe_round_trip(int count, size_t bytes, int pinned);

/* Writes `chunks` chunks of `bytes` bytes to each of `readers` children, which read them; nanoseconds
 * until all have read everything. */
int64_t probe_fan_out(int readers, size_t bytes, int chunks);

/* Keeps the process `pid` and all its threads on the first core that this process may use; 0 or
 * minus errno. */
int probe_pin(int pid);

/* Lets this process and its threads use every core again. */
void probe_unpin(void);

/* Nanoseconds that the process `pid` has run on a core, its ended threads included. */
int64_t probe_cpu(int pid);

/* Thousandths of a nanosecond for one call of a C function by pointer, the mean of `count`. The function
 * answers as `call_sync` does: `length` bytes of input to `out`. */
typedef int64_t (*probe_function)(void *instance, const uint8_t *input, size_t length,
                                  uint8_t *out, size_t capacity);
int64_t probe_plain_call(void *instance, const uint8_t *input, size_t length, uint8_t *out,
                         size_t capacity);
int64_t probe_calls(probe_function function, void *instance, int count);

#endif
