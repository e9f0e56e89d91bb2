#define _GNU_SOURCE
#include "store_faults.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FAULTS = 256, PATH_BYTES = 512 };

struct fault {
  char path[PATH_BYTES];
  int code[STORE_FAULT_OPERATIONS];
  int64_t skip[STORE_FAULT_OPERATIONS];
  int64_t times[STORE_FAULT_OPERATIONS];
  int64_t count[STORE_FAULT_OPERATIONS];
  int keeps;
  int holds[STORE_FAULT_OPERATIONS];
  int held;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t released = PTHREAD_COND_INITIALIZER;
static struct fault faults[FAULTS];
static int used;
static sqlite3_vfs layer;
static sqlite3_vfs *system_layer;

struct fault_file {
  sqlite3_file base;
  char path[PATH_BYTES];
  sqlite3_file *real;
};

static struct fault *find(const char *path) {
  for (int i = 0; i < used; i++)
    if (strstr(path, faults[i].path)) return &faults[i];
  return NULL;
}

/* The error of an operation on a path, or SQLITE_OK. */
static int fails(const char *path, int operation) {
  int code = SQLITE_OK;
  pthread_mutex_lock(&lock);
  struct fault *fault = path ? find(path) : NULL;
  if (fault) {
    fault->count[operation]++;
    /* The entry may move while it is waited for. */
    while (fault && fault->holds[operation]) {
      fault->held = gettid();
      pthread_cond_wait(&released, &lock);
      fault = find(path);
    }
  }
  if (fault) {
    if (fault->code[operation] == SQLITE_OK || fault->times[operation] == 0) {
    } else if (fault->skip[operation] > 0) {
      fault->skip[operation]--;
    } else {
      fault->times[operation]--;
      code = fault->code[operation];
    }
  }
  pthread_mutex_unlock(&lock);
  return code;
}

int store_fault_set(const char *path, int operation, int code, int64_t skip, int64_t times) {
  pthread_mutex_lock(&lock);
  struct fault *fault = NULL;
  for (int i = 0; i < used && !fault; i++)
    if (strcmp(faults[i].path, path) == 0) fault = &faults[i];
  if (!fault && used < FAULTS) {
    fault = &faults[used++];
    memset(fault, 0, sizeof *fault);
    snprintf(fault->path, sizeof fault->path, "%s", path);
  }
  if (fault) {
    fault->code[operation] = code;
    fault->skip[operation] = skip;
    fault->times[operation] = times;
  }
  pthread_mutex_unlock(&lock);
  return fault ? 0 : -1;
}

void store_fault_hold(const char *path, int operation) {
  pthread_mutex_lock(&lock);
  struct fault *fault = find(path);
  if (fault) fault->holds[operation] = 1;
  pthread_mutex_unlock(&lock);
}

int store_fault_thread(void) { return gettid(); }

int store_fault_held(const char *path) {
  pthread_mutex_lock(&lock);
  struct fault *fault = find(path);
  int held = fault ? fault->held : 0;
  pthread_mutex_unlock(&lock);
  return held;
}

void store_fault_release(const char *path) {
  pthread_mutex_lock(&lock);
  struct fault *fault = find(path);
  if (fault) {
    memset(fault->holds, 0, sizeof fault->holds);
    fault->held = 0;
  }
  pthread_cond_broadcast(&released);
  pthread_mutex_unlock(&lock);
}

void store_faults_forget(const char *path) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < used; i++)
    if (strcmp(faults[i].path, path) == 0) {
      memmove(&faults[i], &faults[i + 1], (size_t)(used - i - 1) * sizeof *faults);
      used--;
      break;
    }
  pthread_mutex_unlock(&lock);
}

void store_faults_clear(const char *path) {
  for (int operation = 0; operation < STORE_FAULT_OPERATIONS; operation++)
    store_fault_set(path, operation, SQLITE_OK, 0, 0);
}

int64_t store_fault_count(const char *path, int operation) {
  pthread_mutex_lock(&lock);
  struct fault *fault = find(path);
  int64_t count = fault ? fault->count[operation] : 0;
  pthread_mutex_unlock(&lock);
  return count;
}

/* ---- files */

static struct fault_file *own(sqlite3_file *file) { return (struct fault_file *)file; }
static sqlite3_file *real(sqlite3_file *file) { return own(file)->real; }

static int fault_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int fault_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int code = fails(own(file)->path, STORE_FAULT_READ);
  return code ? code : real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

/* A write that fails has written half, as on a disk that has filled up. */
static int fault_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int code = fails(own(file)->path, STORE_FAULT_WRITE);
  if (!code) return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
  real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
  return code;
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int keeps_synced(const char *path) {
  pthread_mutex_lock(&lock);
  struct fault *fault = find(path);
  int keeps = fault && fault->keeps;
  pthread_mutex_unlock(&lock);
  return keeps;
}

static int copy(sqlite3_file *file, FILE *target) {
  char bytes[4096];
  sqlite3_int64 size = 0;
  int code = real(file)->pMethods->xFileSize(real(file), &size);
  for (sqlite3_int64 offset = 0; offset < size && code == SQLITE_OK;) {
    int count = size - offset < (int)sizeof bytes ? (int)(size - offset) : (int)sizeof bytes;
    code = real(file)->pMethods->xRead(real(file), bytes, count, offset);
    if (code == SQLITE_OK && fwrite(bytes, 1, (size_t)count, target) != (size_t)count)
      code = SQLITE_IOERR;
    offset += count;
  }
  return code;
}

static int keep_synced(sqlite3_file *file) {
  char path[PATH_BYTES + 8];
  snprintf(path, sizeof path, "%s.synced", own(file)->path);
  FILE *target = fopen(path, "w");
  if (!target) return SQLITE_IOERR;
  int code = copy(file, target);
  return fclose(target) == 0 ? code : SQLITE_IOERR;
}

static int fault_sync(sqlite3_file *file, int flags) {
  int code = fails(own(file)->path, STORE_FAULT_SYNC);
  if (!code) code = real(file)->pMethods->xSync(real(file), flags);
  return code || !keeps_synced(own(file)->path) ? code : keep_synced(file);
}

void store_fault_keep_synced(const char *path) {
  pthread_mutex_lock(&lock);
  struct fault *fault = find(path);
  if (fault) fault->keeps = 1;
  pthread_mutex_unlock(&lock);
}

static int fault_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
static int fault_lock(sqlite3_file *file, int kind) {
  return real(file)->pMethods->xLock(real(file), kind);
}
static int fault_unlock(sqlite3_file *file, int kind) {
  return real(file)->pMethods->xUnlock(real(file), kind);
}
static int fault_check(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
static int fault_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int fault_sector(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int fault_device(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
static int fault_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}
static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
static void fault_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int fault_unmap(sqlite3_file *file, int removes) {
  return real(file)->pMethods->xShmUnmap(real(file), removes);
}

static const sqlite3_io_methods methods = {
    2,           fault_close,  fault_read,    fault_write,    fault_truncate, fault_sync,
    fault_size,  fault_lock,   fault_unlock,  fault_check,    fault_control,  fault_sector,
    fault_device, fault_map,   fault_shm_lock, fault_barrier, fault_unmap,    NULL,
    NULL};

static int fault_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out) {
  (void)vfs;
  struct fault_file *opened = own(file);
  memset(opened, 0, sizeof *opened);
  opened->real = (sqlite3_file *)(opened + 1);
  if (path) snprintf(opened->path, sizeof opened->path, "%s", path);
  int code = fails(path, STORE_FAULT_OPEN);
  if (!code) code = system_layer->xOpen(system_layer, path, opened->real, flags, out);
  opened->base.pMethods = opened->real->pMethods ? &methods : NULL;
  return code;
}

static void install(void) {
  system_layer = sqlite3_vfs_find(NULL);
  layer = *system_layer;
  layer.zName = "store-faults";
  layer.szOsFile = (int)sizeof(struct fault_file) + system_layer->szOsFile;
  layer.xOpen = fault_open;
  sqlite3_vfs_register(&layer, 1);
}

int store_faults_register(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  return pthread_once(&once, install);
}
