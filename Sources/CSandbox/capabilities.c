/* Capabilities: what a process of root, or one that was given some, may do beyond its user. */
#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Only who has CAP_SETPCAP may narrow the bounding set. For anybody else no-new-privileges sees to
 * it that a program doesn't gain what it names. */
static int narrow_bounding_set(void) {
  for (int number = 0; number < 64; number++)
    if (prctl(PR_CAPBSET_DROP, number, 0, 0, 0))
      /* EINVAL: the kernel knows no more of them. */
      return errno == EPERM || (errno == EINVAL && number > 0) ? 0 : errno;
  return 0;
}

static int are_none(void) {
  struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
  struct __user_cap_data_struct now[2];
  if (syscall(SYS_capget, &header, now)) return 0;
  for (int i = 0; i < 2; i++)
    if (now[i].effective | now[i].permitted | now[i].inheritable) return 0;
  return 1;
}

int sandbox_drop_capabilities(void) {
  struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
  static const struct __user_cap_data_struct none[2];
  /* An old kernel has no ambient set. */
  if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) && errno != EINVAL) return errno;
  int error = narrow_bounding_set();
  if (error) return error;
  if (syscall(SYS_capset, &header, none)) return errno;
  return are_none() ? 0 : EPERM;
}
