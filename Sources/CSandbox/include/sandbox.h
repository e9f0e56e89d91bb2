/* What holds a worker: limits, the tie to its host, and the sandbox (no-new-privileges, landlock,
 * no capabilities, seccomp). For a process with one thread, before it runs foreign code. Nothing
 * here is undone. */
#ifndef SANDBOX_H
#define SANDBOX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How much of what was asked for the kernel gave. FAILED: the kernel has it, and a step failed; the
 * process must end, since it is in force by half. */
typedef enum sandbox_reached {
  SANDBOX_NONE = 0,
  SANDBOX_PARTIAL = 1,
  SANDBOX_FULL = 2,
  SANDBOX_FAILED = 3
} sandbox_reached;

/* The largest file, memfds among them, of a worker that may write nothing: the largest body that a
 * frame may have. */
#define SANDBOX_FILE_BYTES (256ull << 20)

/* The descriptor by which a worker talks to its host. */
#define SANDBOX_HOST_SOCKET 3

/* Lists end with NULL; a NULL list is empty. A path stands for itself and what is beneath it; one
 * that doesn't exist grants nothing, and neither does one inside /proc, or one with a link in it:
 * give real paths. */
typedef struct sandbox_request {
  const char *const *read;   /* may be read, besides what sandbox_always_readable names */
  const char *const *write;  /* may be read, written, created, removed */
  const char *const *run;    /* may be executed; regular files only */
  int network;               /* Internet sockets may be opened */
  int watch;                 /* changes of files may be watched for (inotify) */
  int fork;                  /* processes may be started */
  int exec;                  /* execve may be called (landlock still says of what) */
} sandbox_request;

/* Limits that the kernel enforces; a negative number means: as inherited. */
typedef struct sandbox_limits {
  int64_t memory;  /* bytes of data and private mappings */
  int64_t files;   /* open descriptors */
  int64_t cpu;     /* seconds of processor time */
} sandbox_limits;

/* Applies all of it. Says in `detail`, a text for people, what is missing; empty when nothing
 * is. */
sandbox_reached sandbox_apply(const sandbox_request *request, char *detail, size_t capacity);

/* The paths that may always be read, ending with NULL. */
const char *const *sandbox_always_readable(void);

/* The folder of a library that is loaded already, by its file name; 0, or -1 when it isn't. */
int sandbox_library_folder(const char *library, char *folder, size_t capacity);

/* The version of landlock that the kernel has; 0 for none. */
int sandbox_landlock_abi(void);

/* Does ahead of time what doesn't depend on the module: a warm spare has the time. The rules hold
 * for the files that are there now. sandbox_apply goes on from it; sandbox_unprepare drops it. */
void sandbox_prepare(void);
void sandbox_unprepare(void);

/* Gives up all capabilities, also those that a program could bring; 0, or an errno. */
int sandbox_drop_capabilities(void);

/* Whether the kernel can filter system calls. */
int sandbox_has_seccomp(void);

/* The seccomp part alone, beside a landlock of this version; 0, or an errno. */
int sandbox_seccomp(const sandbox_request *request, int landlock);

/* The landlock part alone; 0, or an errno. */
int sandbox_landlock(const sandbox_request *request, int abi);

/* The record by which a child tells the host what its sandbox reached: this many bytes, JSON and
 * spaces, the first in its crash pipe. Written before foreign code runs, so nothing that the child
 * says later can stand before it. */
enum { SANDBOX_RECORD_BYTES = 1024 };

/* Writes the record; 0, or an errno. */
int sandbox_tell(int descriptor, sandbox_reached reached, const char *detail);

/* Sets limits, and switches core files off; 0, or an errno. */
int sandbox_limit(const sandbox_limits *limits);

/* Ends this process with the thread that started it. `socket` is this end of a socket pair that
 * the parent made. Returns 0; -1 when the parent is gone already: exit then. */
int sandbox_end_with_parent(int socket);

/* Writes standard output a line at a time, though it is a pipe: its lines become log records. */
void sandbox_buffer_lines(void);

#ifdef __cplusplus
}
#endif
#endif
