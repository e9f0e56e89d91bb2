#define _GNU_SOURCE
#include "checks.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void allow(filter *f) { filter_give(f, SECCOMP_RET_ALLOW); }
static void refuse(filter *f) { filter_give(f, FILTER_REFUSE(EPERM)); }

/* Refuses when one of these bits of what is loaded is set. */
static void refuse_bits(filter *f, uint32_t bits) {
  filter_emit(f, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
  refuse(f);
}

/* Not MAP_SHARED with MAP_ANONYMOUS: pages of such memory that are dropped or no longer mapped stay,
 * and no number of the process shows them. Without children there is nobody to share it with. */
static void mapping(filter *f) {
  filter_load(f, FILTER_ARGUMENT(3));
  filter_emit(f, BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 1, 0);
  allow(f);
  /* MAP_SHARED_VALIDATE has this bit, too. */
  refuse_bits(f, MAP_SHARED);
  allow(f);
}

/* CLONE_PARENT would make a child of the host's, a namespace a place with other rules. (The bit of
 * a namespace of time is among those of the exit signal: only clone3 and unshare know it.) */
static void clone_flags(filter *f, int only_threads) {
  filter_load(f, FILTER_ARGUMENT(0));
  refuse_bits(f, CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |
              CLONE_NEWPID | CLONE_NEWNET | CLONE_PTRACE);
  if (only_threads) {
    filter_emit(f, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
    refuse(f);
  } else {
    refuse_bits(f, CLONE_PARENT);
    filter_emit(f, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 2);
  }
  /* A thread with descriptors of its own would hold files that /proc/PID/fd doesn't show. */
  filter_emit(f, BPF_JMP | BPF_JSET | BPF_K, CLONE_FILES, 1, 0);
  refuse(f);
  allow(f);
}

/* Unix sockets lead to the host's own management socket, and to every other service of the machine
 * that trusts a user. Resolvers ask the kernel for its addresses over NETLINK_ROUTE. */
static void socket_family(filter *f) {
  filter_load(f, FILTER_ARGUMENT(0));
  filter_when(f, AF_INET, SECCOMP_RET_ALLOW);
  filter_when(f, AF_INET6, SECCOMP_RET_ALLOW);
  filter_equal(f, AF_NETLINK, 1, 0);
  refuse(f);
  static const uint32_t route[] = { 0 };
  filter_among(f, 2, route, COUNT(route));
}

/* A pair of datagram sockets can be used to send to any other by its path; of streams it can't. */
static void socket_pair(filter *f) {
  filter_load(f, FILTER_ARGUMENT(0));
  filter_equal(f, AF_UNIX, 1, 0);
  refuse(f);
  filter_load(f, FILTER_ARGUMENT(1));
  filter_emit(f, BPF_ALU | BPF_AND | BPF_K, 0xf, 0, 0);
  filter_when(f, SOCK_STREAM, SECCOMP_RET_ALLOW);
  refuse(f);
}

/* Not SO_LINGER: whoever closes such a socket last waits until its peer has read everything. A
 * worker can send it to the host, and the host closes each descriptor that it didn't ask for. */
static void socket_option(filter *f) {
  filter_load(f, FILTER_ARGUMENT(1));
  filter_equal(f, SOL_SOCKET, 1, 0);
  allow(f);
  filter_load(f, FILTER_ARGUMENT(2));
  filter_when(f, SO_LINGER, FILTER_REFUSE(EPERM));
  allow(f);
}

/* A message to the host may hold descriptors: it takes or closes them at once. */
static void to_host(filter *f) {
  static const uint32_t host[] = { SANDBOX_HOST_SOCKET };
  filter_among(f, 0, host, COUNT(host));
}

/* Nothing takes the place of the socket to the host. A close says that it is done, as libraries do
 * not expect otherwise; the descriptor ends with the process. */
static void close_one(filter *f) {
  filter_load(f, FILTER_ARGUMENT(0));
  filter_when(f, SANDBOX_HOST_SOCKET, FILTER_REFUSE(0));
  allow(f);
}
/* Not CLOSE_RANGE_UNSHARE, by which a thread gets descriptors of its own. */
static void shared_table(filter *f) {
  filter_load(f, FILTER_ARGUMENT(2));
  refuse_bits(f, 1U << 1);
}
static void close_range_of(filter *f) {
  shared_table(f);
  filter_load(f, FILTER_ARGUMENT(0));
  filter_emit(f, BPF_JMP | BPF_JGT | BPF_K, SANDBOX_HOST_SOCKET, 0, 1);
  allow(f);
  filter_load(f, FILTER_ARGUMENT(1));
  filter_emit(f, BPF_JMP | BPF_JGE | BPF_K, SANDBOX_HOST_SOCKET, 1, 0);
  allow(f);
  refuse(f);
}
static void target(filter *f) {
  filter_load(f, FILTER_ARGUMENT(1));
  filter_when(f, SANDBOX_HOST_SOCKET, FILTER_REFUSE(EPERM));
  allow(f);
}

/* A request that would close the socket to the host with an execve does nothing. Goes on behind. */
static void keep_open(filter *f, uint32_t request) {
  filter_load(f, FILTER_ARGUMENT(0));
  filter_equal(f, SANDBOX_HOST_SOCKET, 0, 3);
  filter_load(f, FILTER_ARGUMENT(1));
  filter_when(f, request, FILTER_REFUSE(0));
}

/* Not F_SETOWN and F_SETSIG, by which the kernel sends a signal to a process of one's choice; not
 * F_SETLEASE, which keeps others waiting that open a file; not F_NOTIFY. */
static const uint32_t fcntl_commands[] = {
  F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK,
  F_OFD_SETLKW, F_DUPFD_CLOEXEC, F_SETPIPE_SZ, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS,
  F_GET_RW_HINT, F_SET_RW_HINT, 1027 /* F_DUPFD_QUERY */, 1028 /* F_CREATED_QUERY */,
};

static const uint32_t ioctl_requests[] = {
  TCGETS, TIOCGWINSZ, TIOCGPGRP, TIOCOUTQ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX,
  0x802C542A /* TCGETS2 */, SIOCATMARK, SIOCGIFNAME, SIOCGIFCONF, SIOCGIFFLAGS, SIOCGIFADDR,
  SIOCGIFBRDADDR, SIOCGIFNETMASK, SIOCGIFMTU, SIOCGIFHWADDR, SIOCGIFINDEX,
};

/* A program that may write a device may send it any ioctl; landlock limits the devices. For files,
 * attributes are the owner's, and signals go to nobody else. */
static void ioctl_devices(filter *f) {
  static const uint32_t refused[] = {
    FIOASYNC, FIOSETOWN, SIOCSPGRP, TIOCSTI, 0x541C /* TIOCLINUX */,
    0xC0045877 /* FIFREEZE */, 0xC0045878 /* FITHAW */,
  };
  static const uint32_t of_attributes[] = { 'f' << 8, 'X' << 8, 'v' << 8 };
  filter_load(f, FILTER_ARGUMENT(1));
  for (size_t i = 0; i < COUNT(refused); i++) filter_when(f, refused[i], FILTER_REFUSE(EPERM));
  filter_emit(f, BPF_ALU | BPF_AND | BPF_K, 0xff00, 0, 0);
  for (size_t i = 0; i < COUNT(of_attributes); i++)
    filter_when(f, of_attributes[i], FILTER_REFUSE(EPERM));
  allow(f);
}

/* Not PR_SET_DUMPABLE, PR_SET_PTRACER, PR_SET_MM, PR_SET_SECCOMP, and no way from the parent. */
static void prctl_options(filter *f, int with_children) {
  static const uint32_t options[] = {
    PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME, PR_GET_SECCOMP, PR_CAPBSET_READ,
    PR_SET_TIMERSLACK, PR_GET_TIMERSLACK, PR_GET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS,
    PR_GET_NO_NEW_PRIVS, PR_GET_TID_ADDRESS, PR_SET_THP_DISABLE, PR_GET_THP_DISABLE,
    PR_GET_SPECULATION_CTRL, PR_SET_SPECULATION_CTRL, 0x53564d41 /* PR_SET_VMA */,
#ifdef __aarch64__
    50 /* PR_SVE_SET_VL */, 51 /* PR_SVE_GET_VL */, 54 /* PR_PAC_RESET_KEYS */,
    55 /* PR_SET_TAGGED_ADDR_CTRL */, 56 /* PR_GET_TAGGED_ADDR_CTRL */,
#endif
  };
  filter_load(f, FILTER_ARGUMENT(0));
  if (with_children) {
    filter_when(f, PR_SET_CHILD_SUBREAPER, SECCOMP_RET_ALLOW);
    /* A child may be tied to its parent; nobody unties himself from the host. */
    filter_equal(f, PR_SET_PDEATHSIG, 0, 4);
    filter_load(f, FILTER_ARGUMENT(1));
    filter_when(f, SIGKILL, SECCOMP_RET_ALLOW);
    refuse(f);
  }
  filter_among(f, 0, options, COUNT(options));
}

/* `kind` says that the second argument is the number of a process. */
static void priority(filter *f, uint32_t kind, uint32_t own) {
  const uint32_t callers[] = { 0, own };
  filter_load(f, FILTER_ARGUMENT(0));
  filter_equal(f, kind, 1, 0);
  refuse(f);
  filter_among(f, 1, callers, COUNT(callers));
}

/* RLIMIT_LOCKS limits nothing any more: the host keeps a mark there, by which the next host finds
 * what this one started. No process can raise it again, and here none may lower it. */
static void set_limit(filter *f) {
  filter_load(f, FILTER_ARGUMENT(0));
  filter_when(f, RLIMIT_LOCKS, FILTER_REFUSE(EPERM));
  allow(f);
}

/* prlimit64(which, limit, new, old): with a null pointer as `new` it only reads. */
static void own_limit(filter *f, uint32_t own) {
  const uint32_t callers[] = { 0, own };
  filter_load(f, FILTER_ARGUMENT(1));
  filter_equal(f, RLIMIT_LOCKS, 0, 5);
  filter_load(f, FILTER_ARGUMENT(2));
  filter_equal(f, 0, 0, 2);
  filter_load(f, FILTER_ARGUMENT(2) + 4);
  filter_equal(f, 0, 1, 0);
  refuse(f);
  filter_among(f, 0, callers, COUNT(callers));
}

static void not_host(filter *f, uint32_t host) {
  const uint32_t refused[] = { host, 0u - host, UINT32_MAX };
  filter_load(f, FILTER_ARGUMENT(0));
  for (size_t i = 0; i < COUNT(refused); i++) filter_when(f, refused[i], FILTER_REFUSE(EPERM));
  allow(f);
}

/* setpgid(x, 0) and setpgid(x, x) make a group; any other number may be a sibling's. */
static void own_group(filter *f) {
  filter_load(f, FILTER_ARGUMENT(0));
  filter_emit(f, BPF_MISC | BPF_TAX, 0, 0, 0);
  filter_load(f, FILTER_ARGUMENT(1));
  filter_when(f, 0, SECCOMP_RET_ALLOW);
  filter_emit(f, BPF_JMP | BPF_JEQ | BPF_X, 0, 0, 1);
  allow(f);
  refuse(f);
}

void checks_emit(filter *f, call_rule rule, uint32_t own, uint32_t host) {
  const uint32_t owns[] = { own, 0 };
  switch (rule) {
    case CALL_REFUSED: refuse(f); break;
    case CALL_ABSENT: filter_give(f, FILTER_REFUSE(ENOSYS)); break;
    case CALL_ALLOWED: allow(f); break;
    case CHECK_MAPPING: mapping(f); break;
    case CHECK_CLONE_THREAD: clone_flags(f, 1); break;
    case CHECK_CLONE: clone_flags(f, 0); break;
    case CHECK_SOCKET: socket_family(f); break;
    case CHECK_SOCKETPAIR: socket_pair(f); break;
    case CHECK_SOCKET_OPTION: socket_option(f); break;
    case CHECK_TO_HOST: to_host(f); break;
    case CHECK_CLOSE: close_one(f); break;
    case CHECK_CLOSE_RANGE: shared_table(f); allow(f); break;
    case CHECK_CLOSE_RANGE_HOST: close_range_of(f); break;
    case CHECK_TARGET: target(f); break;
    case CHECK_FCNTL_HOST:
      keep_open(f, F_SETFD);
      filter_among(f, 1, fcntl_commands, COUNT(fcntl_commands));
      break;
    case CHECK_IOCTL_HOST:
      keep_open(f, FIOCLEX);
      filter_among(f, 1, ioctl_requests, COUNT(ioctl_requests));
      break;
    case CHECK_IOCTL_DEVICES_HOST:
      keep_open(f, FIOCLEX);
      ioctl_devices(f);
      break;
    case CHECK_FCNTL: filter_among(f, 1, fcntl_commands, COUNT(fcntl_commands)); break;
    case CHECK_IOCTL: filter_among(f, 1, ioctl_requests, COUNT(ioctl_requests)); break;
    case CHECK_IOCTL_DEVICES: ioctl_devices(f); break;
    case CHECK_PRCTL: prctl_options(f, 0); break;
    case CHECK_PRCTL_CHILDREN: prctl_options(f, 1); break;
    case CHECK_OWN_PID: filter_among(f, 0, owns, 1); break;
    case CHECK_OWN_OR_ZERO: filter_among(f, 0, owns, 2); break;
    case CHECK_SET_LIMIT: set_limit(f); break;
    case CHECK_OWN_LIMIT: own_limit(f, own); break;
    case CHECK_PRIORITY: priority(f, 0 /* PRIO_PROCESS */, own); break;
    case CHECK_IO_PRIORITY: priority(f, 1 /* IOPRIO_WHO_PROCESS */, own); break;
    case CHECK_NOT_HOST: not_host(f, host); break;
    case CHECK_GROUP: own_group(f); break;
  }
}
