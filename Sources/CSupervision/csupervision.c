#define _GNU_SOURCE
#include "csupervision.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

static int reap(idtype_t type, id_t id, int options, int *code, int *status) {
  siginfo_t info;
  int outcome;
  memset(&info, 0, sizeof info);
  do outcome = waitid(type, id, &info, WEXITED | WNOHANG | options);
  while (outcome < 0 && errno == EINTR);
  if (outcome < 0) return -1;
  if (info.si_pid == 0) return 0;
  *code = info.si_code;
  *status = info.si_status;
  return 1;
}

int cs_reap(int pidfd, int *code, int *status) {
  return reap((idtype_t)P_PIDFD, (id_t)pidfd, 0, code, status);
}

int cs_peek(int pidfd, int *code, int *status) {
  return reap((idtype_t)P_PIDFD, (id_t)pidfd, WNOWAIT, code, status);
}

int cs_reap_pid(pid_t pid, int *code, int *status) {
  return reap(P_PID, (id_t)pid, 0, code, status);
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

void cs_unblock_child_signal(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}
