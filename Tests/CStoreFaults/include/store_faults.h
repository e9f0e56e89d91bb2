/* SQLite's own layer to the system, with faults on demand: what a broken or full disk does. */
#ifndef STORE_FAULTS_H
#define STORE_FAULTS_H

#include <stdint.h>

enum store_fault_operation {
  STORE_FAULT_OPEN,
  STORE_FAULT_READ,
  STORE_FAULT_WRITE,
  STORE_FAULT_SYNC,
  STORE_FAULT_OPERATIONS
};

/* Makes the layer the default of this process; files without faults go through it unchanged. */
int store_faults_register(void);

/* In files whose path contains `path`, the operation fails with SQLite's `code`: the first `skip`
   times it doesn't, then `times` times it does. Takes the place of an earlier fault of the same path
   and operation. Returns 0, or -1 when there are too many paths. */
int store_fault_set(const char *path, int operation, int code, int64_t skip, int64_t times);

/* Ends all faults of a path; it goes on being counted. */
void store_faults_clear(const char *path);

/* Forgets a path. */
void store_faults_forget(const char *path);

/* How often an operation was done on files of a path that has, or had, a fault. */
int64_t store_fault_count(const char *path, int operation);

/* From now on the next operation of this kind on a file of a path, which must have or have had a
   fault, stands still until it is released. */
void store_fault_hold(const char *path, int operation);
/* The number of the thread that asks. */
int store_fault_thread(void);
/* That of the thread that stands still, or 0. */
int store_fault_held(const char *path);
void store_fault_release(const char *path);

/* From now on each sync of a file of a path, which must have or have had a fault, leaves a copy of it
   at its own path with ".synced" behind it: what a power cut leaves. */
void store_fault_keep_synced(const char *path);

#endif
