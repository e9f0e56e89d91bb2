/* calls.h: which system calls a worker may make, as a table by number. Internal to CSandbox. */
#ifndef CALLS_H
#define CALLS_H

#include "sandbox.h"

/* The last number that this table knows, of Linux 6.18. Later calls are answered with ENOSYS, as
 * a kernel without it would. */
enum { CALLS_LAST = 469, CALLS_COUNT = CALLS_LAST + 1 };

/* What happens to a call. The checks look at its arguments. */
typedef enum call_rule {
  CALL_REFUSED = 0,                    /* EPERM */
  CALL_ABSENT,                         /* ENOSYS, so that libraries take an older way */
  CALL_ALLOWED,
  CHECK_MAPPING,                       /* no shared memory without a file */
  CHECK_CLONE_THREAD,                  /* threads only */
  CHECK_CLONE,                         /* threads and children, without namespaces */
  CHECK_SOCKET,                        /* Internet and routing messages */
  CHECK_SOCKETPAIR,                    /* a pair of Unix streams */
  CHECK_SOCKET_OPTION,                 /* nothing that makes a close wait */
  CHECK_TO_HOST,                       /* on the socket to the host only */
  CHECK_CLOSE,                         /* of any but the socket to the host */
  CHECK_CLOSE_RANGE,                   /* of the descriptors that all threads share */
  CHECK_CLOSE_RANGE_HOST,              /* … and of any but the socket to the host */
  CHECK_TARGET,                        /* the second argument isn't that socket */
  CHECK_FCNTL_HOST,                    /* CHECK_FCNTL, and that socket stays open over an execve */
  CHECK_IOCTL_HOST,                    /* CHECK_IOCTL, and … */
  CHECK_IOCTL_DEVICES_HOST,            /* CHECK_IOCTL_DEVICES, and … */
  CHECK_FCNTL,                         /* nothing that sends signals or leases files */
  CHECK_IOCTL,                         /* of pipes, terminals, sockets */
  CHECK_IOCTL_DEVICES,                 /* all but attributes of files and signals */
  CHECK_PRCTL,
  CHECK_PRCTL_CHILDREN,
  CHECK_OWN_PID,                       /* the first argument is this process */
  CHECK_OWN_OR_ZERO,                   /* … or 0, the caller */
  CHECK_SET_LIMIT,                     /* of the caller, and not the host's mark */
  CHECK_OWN_LIMIT,                     /* … as prlimit64 has it, which also reads */
  CHECK_PRIORITY,                      /* which = a process, who = the caller or this process */
  CHECK_IO_PRIORITY,
  CHECK_NOT_HOST,                      /* a signal, not to the host nor to everybody */
  CHECK_GROUP                          /* a group of one's own, never another's */
} call_rule;

/* Fills in a rule for every number. `landlock` is the kernel's version: from 6 on it keeps signals
 * inside the sandbox. */
void calls_fill(unsigned char rules[CALLS_COUNT], const sandbox_request *request, int landlock);

#endif
