/* Attempts by the table: paths, families of sockets, requests and options, and every system call that
 * no permission opens. */
#define _GNU_SOURCE
#include "attempts.h"
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LIST = O_RDONLY | O_DIRECTORY, MAKE = O_WRONLY | O_CREAT | O_EXCL };

/* A path that begins with "/" is one of the machine, another lies in the agent's folder. */
static const struct { const char *name, *path; int flags; } places[] = {
  { "read", "/etc/group", O_RDONLY }, { "list", "/etc", LIST }, { "list", "/root", LIST },
  { "list", "/etc/ssl", LIST }, { "list", "/etc/ssl/private", LIST }, { "list", "/etc/pki", LIST },
  { "list", "/etc/pki/tls/private", LIST },
  { "list", "/home", LIST }, { "list", "/tmp", LIST }, { "list", "/var", LIST },
  { "list", "/var/log", LIST }, { "list", "/var/lib", LIST }, { "list", "/var/tmp", LIST },
  { "list", "/run", LIST }, { "list", "/boot", LIST }, { "list", "/opt", LIST },
  { "list", "/srv", LIST }, { "list", "/dev", LIST }, { "list", "/dev/shm", LIST },
  { "list", "/", LIST }, { "list", "/sys/kernel", LIST }, { "open", "/dev/mem", O_RDONLY },
  { "open", "/dev/tty", O_RDWR }, { "open", "/dev/ptmx", O_RDWR }, { "open", "/dev/fuse", O_RDWR },
  { "open", "/dev/kvm", O_RDWR }, { "open", "/dev/userfaultfd", O_RDWR },
  { "open", "/dev/loop-control", O_RDWR }, { "open", "/dev/net/tun", O_RDWR },
  { "read", "/proc/1/environ", O_RDONLY }, { "read", "/proc/1/maps", O_RDONLY },
  { "list", "/proc/1/fd", LIST }, { "read", "/proc/thread-self/root/etc/shadow", O_RDONLY },
  { "read", "/proc/self/task/../root/etc/shadow", O_RDONLY }, { "read", "/proc/kmsg", O_RDONLY },
  { "write", "/proc/self/mem", O_WRONLY }, { "write", "/proc/self/oom_score_adj", O_WRONLY },
  { "write", "/proc/self/coredump_filter", O_WRONLY }, { "write", "/proc/self/comm", O_WRONLY },
  { "write", "/proc/self/setgroups", O_WRONLY }, { "write", "/proc/self/uid_map", O_WRONLY },
  { "write", "/proc/sys/kernel/core_pattern", O_WRONLY },
  { "write", "/proc/sys/vm/drop_caches", O_WRONLY }, { "write", "/proc/sysrq-trigger", O_WRONLY },
  { "write", "/usr/bin/id", O_WRONLY }, { "write", "/etc/passwd", O_WRONLY | O_APPEND },
  { "make", "/usr/agent-attack", MAKE }, { "make", "/run/agent-attack", MAKE },
  { "make", "/var/tmp/agent-attack", MAKE }, { "make", "/agent-attack", MAKE },
  { "read", ".agent/setup-secret", O_RDONLY }, { "read", ".agent/logs/agent.jsonl", O_RDONLY },
  { "read", ".agent/workers", O_RDONLY }, { "read", ".agent/lock", O_RDONLY },
  { "read", ".agent/store.db-wal", O_RDONLY }, { "read", "modules/good/main.py", O_RDONLY },
  { "list", ".agent", LIST }, { "list", ".agent/lib", LIST }, { "list", "modules", LIST },
  { "write", ".env", O_RDWR }, { "write", ".agent/store.db", O_RDWR },
  { "write", ".agent/lock", O_WRONLY }, { "write", ".agent/workers", O_WRONLY },
  { "write", ".agent/logs/agent.jsonl", O_WRONLY | O_APPEND },
  { "write", "modules/good/module.json", O_WRONLY }, { "make", ".agent/written", MAKE },
  { "make", "modules/written", MAKE }, { "make", "modules/good/written", MAKE },
};

static int open_place(const char *path, int flags) {
  const char *whole = *path == '/' ? path : in_agent(path);
  int fd = open(whole, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
  if (fd < 0) return errno;
  close(fd);
  if (flags & O_CREAT) unlink(whole);
  return 0;
}

/* Refused by its number or arguments alone: another error says that the kernel has looked at it. */
static int refused(long result) {
  return result < 0 && (errno == EPERM || errno == EACCES || errno == ENOSYS) ? errno : 0;
}

static const struct { const char *name; unsigned long request; } requests[] = {
  { "TIOCSTI", TIOCSTI }, { "TIOCLINUX", 0x541C }, { "TIOCCONS", TIOCCONS },
  { "TIOCSCTTY", TIOCSCTTY }, { "TIOCSPGRP", TIOCSPGRP }, { "TIOCSWINSZ", TIOCSWINSZ },
  { "TCSETS", TCSETS }, { "FIOASYNC", FIOASYNC }, { "SIOCSPGRP", 0x8902 },
  { "SIOCSIFFLAGS", 0x8914 }, { "SIOCBRADDBR", 0x89a0 }, { "FS_IOC_SETVERSION", FS_IOC_SETVERSION },
  { "FS_IOC_FSSETXATTR", FS_IOC_FSSETXATTR }, { "FS_IOC_ENABLE_VERITY", 0x40806685 },
  { "FICLONE", FICLONE }, { "FIFREEZE", FIFREEZE }, { "FITHAW", FITHAW }, { "FITRIM", FITRIM },
  { "BLKROSET", BLKROSET }, { "LOOP_SET_FD", 0x4C00 }, { "TUNSETIFF", 0x400454ca },
};

static const struct { const char *name; int option; } options[] = {
  { "PR_SET_SECUREBITS", PR_SET_SECUREBITS }, { "PR_SET_MM", PR_SET_MM },
  { "PR_SET_SECCOMP", PR_SET_SECCOMP }, { "PR_SET_KEEPCAPS", PR_SET_KEEPCAPS },
  { "PR_CAP_AMBIENT", PR_CAP_AMBIENT }, { "PR_MCE_KILL", PR_MCE_KILL },
  { "PR_SET_IO_FLUSHER", 57 }, { "PR_SCHED_CORE", 62 }, { "PR_SET_TIMING", PR_SET_TIMING },
  { "PR_TASK_PERF_EVENTS_DISABLE", PR_TASK_PERF_EVENTS_DISABLE },
};

/* What no permission opens, by the sandbox's own table: the filter that the kernel got must say so. */
static void refused_by_table(unsigned char rules[CALLS_COUNT]) {
  static const char *const anything[] = { "/", NULL };
  const sandbox_request widest = {
    .read = anything, .write = anything, .run = anything, .network = 1, .watch = 1, .fork = 1,
    .exec = 1,
  };
  calls_fill(rules, &widest, 9);
}

/* No filter sees the calls of the kernel's own probes, and who makes one himself gets SIGILL. */
static int ends_itself(int number) {
#ifdef __x86_64__
  return number == 335 || number == 336;
#else
  return (void)number, 0;
#endif
}

static void try_calls(attempt_done done) {
  unsigned char rules[CALLS_COUNT];
  char name[32];
  refused_by_table(rules);
  for (int number = 0; number < CALLS_COUNT; number++) {
    if (rules[number] != CALL_REFUSED || ends_itself(number)) continue;
    snprintf(name, sizeof name, "call %d by number", number);
    errno = 0;
    done(name, refused(syscall(number, -1, -1, -1, -1, -1, -1)));
  }
}

static void try_sockets(attempt_done done) {
  char name[32];
  for (int family = 0; family < 46; family++) {
    if (family == AF_INET || family == AF_INET6 || family == AF_NETLINK) continue;
    snprintf(name, sizeof name, "socket of family %d", family);
    int fd = socket(family, SOCK_DGRAM, 0);
    done(name, refused(fd));
    if (fd >= 0) close(fd);
  }
}

void attempts_by_table(attempt_done done) {
  char name[128];
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
    snprintf(name, sizeof name, "%s %s", places[i].name, places[i].path);
    done(name, open_place(places[i].path, places[i].flags));
  }
  int fd = open("module.json", O_RDONLY | O_CLOEXEC);
  for (unsigned i = 0; i < sizeof requests / sizeof *requests; i++)
    done(requests[i].name, refused(ioctl(fd, requests[i].request, NULL)));
  close(fd);
  for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
    done(options[i].name, refused(prctl(options[i].option, -1, -1, -1, -1)));
  try_sockets(done);
  try_calls(done);
}
