#define _GNU_SOURCE
#include "csupervision.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

/* Descriptors to hand over are first moved out of the way of the numbers they go to. */
enum { LIFTED = 64, CHILD_STACK = 32 * 1024 };

typedef struct child {
  const cs_request *request;
  cs_result *result;
  pid_t parent;
} child;

/* The kernel's own struct: glibc's sigaction refuses its two internal signals. */
typedef struct kernel_action {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
} kernel_action;

/* The child shares the host's memory, so a handler of the host must never run in it. */
static void default_handlers(void) {
  kernel_action action;
  memset(&action, 0, sizeof action);
  for (int signal = 1; signal <= 64; signal++) {
    if (signal == SIGKILL || signal == SIGSTOP) continue;
    syscall(SYS_rt_sigaction, signal, &action, NULL, sizeof action.mask);
  }
}

static int place_descriptors(const cs_request *request) {
  int lifted[CS_DESCRIPTORS_MAX], greatest = -1;
  uint64_t kept = 0;
  for (size_t i = 0; i < request->descriptor_count; i++) {
    int source = request->descriptors[i].source, target = request->descriptors[i].target;
    if (target < 0 || target >= LIFTED) return errno = EBADF, -1;
    lifted[i] = source < LIFTED ? fcntl(source, F_DUPFD_CLOEXEC, LIFTED) : source;
    if (lifted[i] < 0) return -1;
    if (target > greatest) greatest = target;
    kept |= UINT64_C(1) << target;
  }
  for (size_t i = 0; i < request->descriptor_count; i++)
    if (dup2(lifted[i], request->descriptors[i].target) < 0) return -1;
  for (int i = 0; i < greatest; i++)
    if (!(kept >> i & 1)) close(i);
  return (int)syscall(SYS_close_range, (unsigned)(greatest + 1), ~0u, 0);
}

static int set_limit(pid_t pid, int resource, uint64_t value) {
  struct rlimit limit = {value, value};
  return prlimit(pid, resource, &limit, NULL);
}

int cs_limit(pid_t pid, uint64_t files, uint64_t data) {
  if (files && set_limit(pid, RLIMIT_NOFILE, files)) return -1;
  if (data && set_limit(pid, RLIMIT_DATA, data)) return -1;
  return 0;
}

static int end_child(child *c, int stage) {
  c->result->error = errno;
  c->result->stage = stage;
  _exit(127);
}

/* Runs on a stack of its own in the host's memory while the calling thread stands still: only
 * plain system calls, nothing that allocates, locks or logs. */
static int run_child(void *argument) {
  child *c = argument;
  const cs_request *request = c->request;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != c->parent) return errno = ESRCH, end_child(c, CS_STAGE_PARENT);
  default_handlers();
  if (setpgid(0, 0)) return end_child(c, CS_STAGE_GROUP);
  if (place_descriptors(request)) return end_child(c, CS_STAGE_DESCRIPTORS);
  set_limit(0, RLIMIT_CORE, 0);
  if (cs_limit(0, request->files, request->data)) return end_child(c, CS_STAGE_LIMITS);
  if (request->directory && chdir(request->directory)) return end_child(c, CS_STAGE_DIRECTORY);
  uint64_t none = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
  execve(request->executable, request->arguments, request->environment);
  return end_child(c, CS_STAGE_EXEC);
}

int cs_spawn(const cs_request *request, cs_result *result) {
  char stack[CHILD_STACK] __attribute__((aligned(64)));
  child c = {request, result, getpid()};
  uint64_t all = ~UINT64_C(0), before = 0;
  memset(result, 0, sizeof *result);
  result->pidfd = -1;
  if (request->descriptor_count > CS_DESCRIPTORS_MAX) {
    result->stage = CS_STAGE_DESCRIPTORS;
    return result->error = EINVAL, -1;
  }
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
  pid_t pid = clone(run_child, stack + sizeof stack,
                    CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &c, &result->pidfd);
  int error = errno;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
  if (pid < 0) {
    result->stage = CS_STAGE_CLONE;
    return result->error = error, -1;
  }
  result->pid = pid;
  if (result->stage == CS_STAGE_NONE) return 0;
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
  close(result->pidfd);
  result->pidfd = -1;
  return -1;
}

static int reap(idtype_t type, id_t id, int *code, int *status) {
  siginfo_t info;
  int outcome;
  memset(&info, 0, sizeof info);
  do outcome = waitid(type, id, &info, WEXITED | WNOHANG);
  while (outcome < 0 && errno == EINTR);
  if (outcome < 0) return -1;
  if (info.si_pid == 0) return 0;
  *code = info.si_code;
  *status = info.si_status;
  return 1;
}

int cs_reap(int pidfd, int *code, int *status) {
  return reap((idtype_t)P_PIDFD, (id_t)pidfd, code, status);
}

int cs_reap_pid(pid_t pid, int *code, int *status) {
  return reap(P_PID, (id_t)pid, code, status);
}

int cs_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

int cs_pidfd_signal(int pidfd, int signal) {
  return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

int cs_become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int cs_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int cs_epoll_control(int epoll, int operation, int descriptor, uint32_t interest, uint64_t token) {
  static const int operations[] = {0, EPOLL_CTL_ADD, EPOLL_CTL_DEL, EPOLL_CTL_MOD};
  struct epoll_event event = {.data.u64 = token};
  if (interest & CS_READABLE) event.events |= EPOLLIN;
  if (interest & CS_WRITABLE) event.events |= EPOLLOUT;
  return epoll_ctl(epoll, operations[operation & 3], descriptor, &event);
}

int cs_epoll_wait(int epoll, cs_event *events, int64_t nanoseconds) {
  struct epoll_event found[CS_EVENTS_MAX];
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  int count = epoll_pwait2(epoll, found, CS_EVENTS_MAX, nanoseconds < 0 ? NULL : &time, NULL);
  for (int i = 0; i < count; i++) {
    uint32_t mask = found[i].events, both = mask & (EPOLLERR | EPOLLHUP);
    events[i].token = found[i].data.u64;
    events[i].events = (mask & EPOLLIN || both ? CS_READABLE : 0) |
                       (mask & EPOLLOUT || both ? CS_WRITABLE : 0);
  }
  return count < 0 ? 0 : count;
}

int cs_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cs_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int cs_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
