/* The host, siblings, children, and the module's own ties. */
#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static int ended(long child) {
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, __WALL);
  return tried(child);
}

static int forks(void) { return ended(fork()); }
static int vforks(void) { return ended(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
static int clones_namespace(void) {
  return ended(syscall(SYS_clone, SIGCHLD | CLONE_NEWUSER, 0, 0, 0, 0));
}
static int clones_sibling(void) {
  return ended(syscall(SYS_clone, SIGCHLD | CLONE_PARENT, 0, 0, 0, 0));
}
/* A thread whose descriptors are in no list of its process. */
static char stack[1 << 14];
static int returns(void *nothing) { return nothing != NULL; }
static int clones_descriptors(void) {
  const int flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  return tried(clone(returns, stack + sizeof stack, flags, NULL));
}
static void *unshares(void *result) {
  *(int *)result = tried(syscall(436 /* close_range */, 1 << 20, 1 << 20, 1 << 1));
  return NULL;
}
static int unshares_descriptors(void) {
  pthread_t thread;
  int result = 0;
  int error = pthread_create(&thread, NULL, unshares, &result);
  if (error) return error;
  pthread_join(thread, NULL);
  return result;
}
static int clones3(void) {
  struct { unsigned long long flags[8]; } arguments = { { 0, 0, 0, 0, SIGCHLD } };
  return ended(syscall(435 /* clone3 */, &arguments, sizeof arguments));
}
/* The file isn't there: "no such file" proves that the program may execute. */
static int executes(void) {
  char *words[] = { "none", NULL };
  execv("/nothing/at/all", words);
  return errno == ENOENT ? 0 : errno;
}
static int executes_list(void) {
  pid_t child = fork();
  char *words[] = { "ls", NULL };
  if (child == 0) { execv("/bin/ls", words); _exit(errno == EACCES ? 13 : 99); }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) return errno;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

static int signals_host(void) { return tried(kill(around.host, 0)); }
static int signals_sibling(void) { return tried(kill(around.sibling, 0)); }
static int signals_all(void) { return tried(kill(-1, 0)); }
static int signals_group(void) { return tried(kill(-around.sibling, 0)); }
static int signals_thread(void) { return tried(syscall(SYS_tgkill, around.host, around.host, 0)); }
static int signals_old(void) { return tried(syscall(SYS_tkill, around.host, 0)); }
static int queues_signal(void) {
  union sigval value = { 0 };
  return tried(sigqueue(around.host, 0, value));
}
static int opens_process(void) {
  int fd = (int)syscall(434 /* pidfd_open */, around.host, 0);
  if (fd < 0) return errno;
  int result = tried(syscall(424 /* pidfd_send_signal */, fd, 0, NULL, 0));
  close(fd);
  return result;
}
static int takes_descriptor(void) {
  int fd = (int)syscall(434, around.host, 0);
  if (fd < 0) return errno;
  int result = tried(syscall(438 /* pidfd_getfd */, fd, 0, 0));
  close(fd);
  return result;
}

/* SIGURG is sent to the owner of a socket or a pipe by the kernel, in nobody's name. */
static int owns(int command, int value) {
  int ends[2];
  if (pipe(ends)) return errno;
  int result = tried(fcntl(ends[0], command, value));
  close(ends[0]);
  close(ends[1]);
  return result;
}
static int sets_owner(void) { return owns(F_SETOWN, around.host); }
static int sets_signal(void) { return owns(F_SETSIG, SIGKILL); }
static int sets_owner_ioctl(void) {
  int ends[2], host = around.host;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return errno;
  int result = tried(ioctl(ends[0], 0x8901 /* FIOSETOWN */, &host));
  close(ends[0]);
  close(ends[1]);
  return result;
}

static int traces(void) {
  int result = tried(ptrace(PTRACE_SEIZE, around.sibling, 0, 0));
  if (!result) ptrace(PTRACE_DETACH, around.sibling, 0, 0);
  return result;
}
static int reads_memory(void) {
  char byte;
  struct iovec here = { &byte, 1 }, there = { (void *)0x1000, 1 };
  int result = tried(process_vm_readv(around.host, &here, 1, &there, 1, 0));
  return result == EFAULT ? 0 : result;
}
static int compares(void) { return tried(syscall(SYS_kcmp, getpid(), around.host, 0, 0, 0)); }

/* The same value as before, so that nothing changes when it works. */
static int sets_priority(void) {
  return tried(setpriority(PRIO_PROCESS, (id_t)around.host, getpriority(PRIO_PROCESS, around.host)));
}
static int sets_all_priorities(void) {
  return tried(setpriority(PRIO_USER, 0, getpriority(PRIO_PROCESS, 0)));
}
static int sets_group_priority(void) {
  return tried(setpriority(PRIO_PGRP, (id_t)around.sibling, 0));
}
static int sets_affinity(void) {
  cpu_set_t set;
  if (sched_getaffinity(around.host, sizeof set, &set)) return errno;
  return tried(sched_setaffinity(around.host, sizeof set, &set));
}
static int sets_scheduler(void) {
  struct sched_param none = { 0 };
  return tried(sched_setscheduler(around.host, SCHED_OTHER, &none));
}
static int sets_io_priority(void) { return tried(syscall(SYS_ioprio_set, 1, around.host, 0)); }
static int sets_limit(void) {
  struct rlimit now;
  if (prlimit(around.host, RLIMIT_NOFILE, NULL, &now)) return errno;
  return tried(prlimit(around.host, RLIMIT_NOFILE, &now, NULL));
}
static int joins_group(void) {
  return tried(setpgid(0, getpgid(around.sibling)));
}
static int makes_group(void) { return tried(setpgid(0, 0)); }
static int makes_session(void) { return tried(setsid()); }
static int unties(void) {
  int result = tried(prctl(PR_SET_PDEATHSIG, 0));
  if (!result) prctl(PR_SET_PDEATHSIG, SIGKILL);
  return result;
}
static int hides(void) {
  int result = tried(prctl(PR_SET_DUMPABLE, 0));
  if (!result) prctl(PR_SET_DUMPABLE, 1);
  return result;
}
static int becomes_reaper(void) { return tried(prctl(PR_SET_CHILD_SUBREAPER, 1)); }
static int invites_tracer(void) { return tried(prctl(0x59616d61 /* PR_SET_PTRACER */, -1)); }

const attempt process_attempts[] = {
  { "fork", forks }, { "clone", vforks }, { "clone with a namespace", clones_namespace },
  { "clone a child of the host", clones_sibling }, { "clone3", clones3 },
  { "a thread with descriptors of its own", clones_descriptors },
  { "close_range of descriptors of one's own", unshares_descriptors }, { "execve", executes },
  { "execute /bin/ls", executes_list },
  { "signal the host", signals_host }, { "signal a sibling", signals_sibling },
  { "signal everybody", signals_all }, { "signal a sibling's group", signals_group },
  { "tgkill the host", signals_thread }, { "tkill the host", signals_old },
  { "queue a signal to the host", queues_signal }, { "pidfd_send_signal", opens_process },
  { "pidfd_getfd", takes_descriptor }, { "F_SETOWN", sets_owner }, { "F_SETSIG", sets_signal },
  { "FIOSETOWN", sets_owner_ioctl }, { "ptrace a sibling", traces },
  { "process_vm_readv", reads_memory }, { "kcmp", compares },
  { "setpriority of the host", sets_priority }, { "setpriority of all", sets_all_priorities },
  { "setpriority of a group", sets_group_priority }, { "sched_setaffinity", sets_affinity },
  { "sched_setscheduler", sets_scheduler }, { "ioprio_set", sets_io_priority },
  { "prlimit64 of the host", sets_limit }, { "join a sibling's group", joins_group },
  { "make a group", makes_group }, { "make a session", makes_session },
  { "untie from the host", unties }, { "hide from the host", hides },
  { "become a subreaper", becomes_reaper }, { "invite a tracer", invites_tracer }, { 0 },
};
