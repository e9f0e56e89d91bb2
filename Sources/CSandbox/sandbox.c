#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

static void add(char *detail, size_t capacity, const char *format, ...) {
  size_t used = strlen(detail);
  if (used + 1 >= capacity) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(detail + used, capacity - used, format, arguments);
  va_end(arguments);
}

static int landlocked(const sandbox_request *request, char *detail, size_t capacity) {
  int abi = sandbox_landlock_abi();
  if (abi == 0) {
    add(detail, capacity, "The kernel has no landlock: files aren't protected. ");
    return 0;
  }
  int error = sandbox_landlock(request, abi);
  if (error)
    add(detail, capacity, "landlock failed (%s): files aren't protected. ", strerror(error));
  if (!error && abi < 3)
    add(detail, capacity, "The kernel's landlock (version %d) doesn't keep files from being "
        "truncated. ", abi);
  return error ? 0 : abi < 3 ? 1 : 2;
}

static int filtered(const sandbox_request *request, char *detail, size_t capacity) {
  int error = sandbox_seccomp(request);
  if (error)
    add(detail, capacity, "seccomp failed (%s): system calls aren't filtered. ",
        strerror(error));
  return error ? 0 : 2;
}

sandbox_reached sandbox_apply(const sandbox_request *request, char *detail, size_t capacity) {
  if (capacity == 0) return SANDBOX_NONE;
  detail[0] = 0;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) {
    add(detail, capacity, "no-new-privileges failed (%s): there is no sandbox.", strerror(errno));
    return SANDBOX_NONE;
  }
  int reached = landlocked(request, detail, capacity) + filtered(request, detail, capacity);
  size_t length = strlen(detail);
  if (length && detail[length - 1] == ' ') detail[length - 1] = 0;
  return reached == 4 ? SANDBOX_FULL : reached ? SANDBOX_PARTIAL : SANDBOX_NONE;
}
