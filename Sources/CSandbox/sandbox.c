#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/* The record that is written while the sandbox is being built. */
typedef struct report {
  char *detail;
  size_t capacity;
  int lacks;                           /* steps that this kernel doesn't have */
  int failed;                          /* a step that it has, and that failed */
} report;

static void say(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(report *r, const char *format, ...) {
  size_t used = strlen(r->detail);
  if (used + 2 >= r->capacity) return;
  if (used) r->detail[used++] = ' ';
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(r->detail + used, r->capacity - used, format, arguments);
  va_end(arguments);
}

static void lacks(report *r, const char *sentence) {
  r->lacks++;
  say(r, "%s", sentence);
}

static void judge(report *r, const char *step, int error) {
  if (!error) return;
  r->failed = 1;
  say(r, "%s failed: %s.", step, strerror(error));
}

static void landlocked(report *r, const sandbox_request *request, int abi) {
  if (abi == 0) return lacks(r, "The kernel has no landlock: files aren't protected.");
  judge(r, "landlock", sandbox_landlock(request, abi));
  if (abi < 3)
    lacks(r, "The kernel's landlock doesn't keep files from being truncated (Linux 6.2 does).");
  if (abi < 6 && request->fork)
    lacks(r, "The kernel's landlock doesn't keep signals inside the sandbox (Linux 6.12 does).");
}

static void filtered(report *r, const sandbox_request *request, int abi) {
  if (!sandbox_has_seccomp())
    return lacks(r, "The kernel has no seccomp: system calls aren't filtered.");
  judge(r, "seccomp", sandbox_seccomp(request, abi));
}

/* A program that may write no file needs none larger than what a frame carries: a memfd is memory
 * that no other limit sees. */
static int bound_files(const sandbox_request *request) {
  if (request->write && *request->write) return 0;
  struct rlimit now, bound;
  if (getrlimit(RLIMIT_FSIZE, &now)) return errno;
  bound.rlim_cur = bound.rlim_max = SANDBOX_FILE_BYTES;
  if (now.rlim_max < bound.rlim_max) bound.rlim_cur = bound.rlim_max = now.rlim_max;
  if (setrlimit(RLIMIT_FSIZE, &bound)) return errno;
  return signal(SIGXFSZ, SIG_IGN) == SIG_ERR ? errno : 0;
}

sandbox_reached sandbox_apply(const sandbox_request *request, char *detail, size_t capacity) {
  report r = { detail, capacity, 0, 0 };
  if (capacity == 0) return SANDBOX_FAILED;
  detail[0] = 0;
  int abi = sandbox_landlock_abi();
  /* Landlock first: it opens the files, and who drops root's capabilities may no longer see them.
   * The filter last: it refuses what the others do. */
  judge(&r, "no-new-privileges", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? errno : 0);
  if (!r.failed) landlocked(&r, request, abi);
  if (!r.failed) judge(&r, "bounding files", bound_files(request));
  if (!r.failed) judge(&r, "dropping capabilities", sandbox_drop_capabilities());
  if (!r.failed) filtered(&r, request, abi);
  if (r.failed) return SANDBOX_FAILED;
  if (!r.lacks) return SANDBOX_FULL;
  return abi == 0 && !sandbox_has_seccomp() ? SANDBOX_NONE : SANDBOX_PARTIAL;
}
