#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <sys/resource.h>

/* Never above what was inherited: a limit is no way to get more. */
static int limit(int resource, int64_t value, int64_t grace) {
  struct rlimit now;
  if (value < 0) return 0;
  if (getrlimit(resource, &now)) return errno;
  rlim_t soft = (rlim_t)value, hard = (rlim_t)value + (rlim_t)grace;
  if (hard > now.rlim_max) hard = now.rlim_max;
  struct rlimit wanted = { soft > hard ? hard : soft, hard };
  return setrlimit(resource, &wanted) ? errno : 0;
}

int sandbox_limit(const sandbox_limits *limits) {
  int error = limit(RLIMIT_CORE, 0, 0);
  if (!error) error = limit(RLIMIT_DATA, limits->memory, 0);
  if (!error) error = limit(RLIMIT_NOFILE, limits->files, 0);
  /* SIGXCPU first, a second later SIGKILL: the first differs from other ends. */
  if (!error) error = limit(RLIMIT_CPU, limits->cpu, 1);
  return error;
}
