/* What SQLite itself does with a file that the store has made, called as directly as can be. */
#ifndef STORE_PROBE_H
#define STORE_PROBE_H

#include <stdint.h>

/* Appends groups of rows to `events`, each group durable in a transaction of its own, and writes the
   nanoseconds of each group to `durations`. Returns 0, or SQLite's result code. */
int store_probe_append(const char *path, int64_t groups, int64_t rows, int64_t *durations);

/* Reads all rows of `events` by position, and adds up the bytes of bodies and sources in *sum.
   Returns how many rows, or less than 0. */
int64_t store_probe_scan(const char *path, int64_t *sum);

#endif
