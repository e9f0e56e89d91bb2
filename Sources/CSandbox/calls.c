/* The table of system calls. Whatever isn't named here is refused. */
#define _GNU_SOURCE
#include "calls.h"

#include <string.h>
#include <sys/syscall.h>

/* Numbers from 424 on are the same on every processor; headers are often older than kernels. */
enum {
  NR_PIDFD_SEND_SIGNAL = 424, NR_IO_URING_SETUP = 425, NR_IO_URING_ENTER = 426,
  NR_IO_URING_REGISTER = 427, NR_PIDFD_OPEN = 434, NR_CLONE3 = 435, NR_CLOSE_RANGE = 436,
  NR_OPENAT2 = 437, NR_FACCESSAT2 = 439, NR_EPOLL_PWAIT2 = 441, NR_LANDLOCK_CREATE = 444,
  NR_LANDLOCK_ADD = 445, NR_LANDLOCK_RESTRICT = 446, NR_FUTEX_WAITV = 449, NR_CACHESTAT = 451,
  NR_MAP_SHADOW_STACK = 453, NR_FUTEX_WAKE = 454, NR_FUTEX_WAIT = 455, NR_FUTEX_REQUEUE = 456,
  NR_MSEAL = 462, NR_GETXATTRAT = 464, NR_LISTXATTRAT = 465
};

/* The process itself: memory, time, its own signals and statistics, waiting. */
static const short itself[] = {
  SYS_brk, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_msync, SYS_madvise, SYS_mincore,
  SYS_mlock, SYS_mlock2, SYS_munlock, SYS_pkey_alloc, SYS_pkey_free, SYS_pkey_mprotect,
  SYS_get_mempolicy, SYS_memfd_create, SYS_membarrier, NR_MAP_SHADOW_STACK, NR_MSEAL,
  SYS_exit, SYS_exit_group, SYS_set_tid_address, SYS_set_robust_list, SYS_rseq, SYS_futex,
  NR_FUTEX_WAITV, NR_FUTEX_WAKE, NR_FUTEX_WAIT, NR_FUTEX_REQUEUE, SYS_restart_syscall,
  SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
  SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_getpgid, SYS_getsid, SYS_capget, SYS_capset,
  SYS_getrlimit, SYS_getrusage, SYS_times, SYS_uname, SYS_sysinfo, SYS_umask,
  SYS_getcpu, SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getparam, SYS_sched_getscheduler,
  SYS_sched_getattr, SYS_sched_get_priority_max, SYS_sched_get_priority_min,
  SYS_sched_rr_get_interval, SYS_getpriority, SYS_ioprio_get, SYS_getrandom,
  SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
  SYS_getitimer, SYS_setitimer, SYS_timer_create, SYS_timer_settime, SYS_timer_gettime,
  SYS_timer_getoverrun, SYS_timer_delete, SYS_timerfd_create, SYS_timerfd_settime,
  SYS_timerfd_gettime, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending,
  SYS_rt_sigtimedwait, SYS_rt_sigsuspend, SYS_sigaltstack, SYS_signalfd4, SYS_wait4, SYS_waitid,
  SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, NR_EPOLL_PWAIT2,
  SYS_eventfd2, NR_LANDLOCK_CREATE, NR_LANDLOCK_ADD, NR_LANDLOCK_RESTRICT,
#ifdef __x86_64__
  SYS_arch_prctl, SYS_getpgrp, SYS_time, SYS_alarm, SYS_pause, SYS_signalfd, SYS_poll, SYS_select,
  SYS_epoll_create, SYS_epoll_wait, SYS_eventfd,
#endif
};

/* Files: landlock says which. None of these changes a mode, an owner, a time or an attribute. */
static const short files[] = {
  SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv, SYS_pwritev,
  SYS_preadv2, SYS_pwritev2, SYS_lseek, SYS_openat, NR_OPENAT2, SYS_close, NR_CLOSE_RANGE, SYS_dup,
  SYS_dup3, SYS_pipe2, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_statfs, SYS_fstatfs,
  SYS_faccessat, NR_FACCESSAT2, SYS_readlinkat, SYS_getdents64, SYS_getcwd, SYS_chdir, SYS_fchdir,
  SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr, SYS_llistxattr, SYS_flistxattr,
  NR_GETXATTRAT, NR_LISTXATTRAT, SYS_mkdirat, SYS_mknodat, SYS_unlinkat, SYS_renameat,
  SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_truncate, SYS_ftruncate, SYS_fallocate, SYS_fsync,
  SYS_fdatasync, SYS_sync_file_range, SYS_copy_file_range, SYS_sendfile, SYS_splice, SYS_tee,
  SYS_vmsplice, SYS_readahead, SYS_fadvise64, SYS_flock, NR_CACHESTAT,
#ifdef __x86_64__
  SYS_open, SYS_creat, SYS_dup2, SYS_pipe, SYS_stat, SYS_lstat, SYS_access, SYS_readlink,
  SYS_getdents, SYS_mkdir, SYS_rmdir, SYS_mknod, SYS_unlink, SYS_rename, SYS_link, SYS_symlink,
#endif
};

/* Descriptors that are sockets already: the one to the host, pairs. */
static const short talking[] = {
  SYS_sendto, SYS_recvfrom, SYS_sendmsg, SYS_recvmsg, SYS_sendmmsg, SYS_recvmmsg, SYS_shutdown,
  SYS_getsockname, SYS_getpeername, SYS_getsockopt,
};

static const short networking[] = {
  SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
};

/* Names of files as they come and go: landlock doesn't look at these, so they need a permission. */
static const short watching[] = {
  SYS_inotify_init1, SYS_inotify_add_watch, SYS_inotify_rm_watch,
#ifdef __x86_64__
  SYS_inotify_init,
#endif
};

static const short children[] = {
  SYS_setsid, NR_PIDFD_OPEN,
#ifdef __x86_64__
  SYS_fork, SYS_vfork,
#endif
};

/* io_uring passes by every check, clone3 keeps its flags out of a filter's reach, and the requests
 * of io_setup are counted for the whole machine. */
static const short absent[] = {
  NR_CLONE3, NR_IO_URING_SETUP, NR_IO_URING_ENTER, NR_IO_URING_REGISTER, SYS_io_setup,
  SYS_io_submit, SYS_io_getevents, SYS_io_cancel, SYS_io_destroy,
};

static const struct { short number; unsigned char rule; } checked[] = {
  { SYS_mmap, CHECK_MAPPING }, { SYS_socketpair, CHECK_SOCKETPAIR }, { SYS_setsockopt, CHECK_SOCKET_OPTION },
  { SYS_fcntl, CHECK_FCNTL }, { SYS_ioctl, CHECK_IOCTL },
  { SYS_prctl, CHECK_PRCTL }, { SYS_clone, CHECK_CLONE_THREAD }, { NR_CLOSE_RANGE, CHECK_CLOSE_RANGE },
  { SYS_kill, CHECK_OWN_PID }, { SYS_tgkill, CHECK_OWN_PID }, { SYS_tkill, CHECK_OWN_PID },
  { SYS_rt_sigqueueinfo, CHECK_OWN_PID }, { SYS_rt_tgsigqueueinfo, CHECK_OWN_PID },
  { SYS_prlimit64, CHECK_OWN_LIMIT }, { SYS_setrlimit, CHECK_SET_LIMIT },
  { SYS_sched_setaffinity, CHECK_OWN_OR_ZERO },
  { SYS_sched_setparam, CHECK_OWN_OR_ZERO }, { SYS_sched_setscheduler, CHECK_OWN_OR_ZERO },
  { SYS_sched_setattr, CHECK_OWN_OR_ZERO }, { SYS_setpriority, CHECK_PRIORITY },
  { SYS_ioprio_set, CHECK_IO_PRIORITY },
};

#define SET(rules, list, rule) set(rules, list, sizeof(list) / sizeof *(list), rule)

static void set(unsigned char *rules, const short *list, size_t count, call_rule rule) {
  for (size_t i = 0; i < count; i++)
    if (list[i] >= 0 && list[i] < CALLS_COUNT) rules[list[i]] = (unsigned char)rule;
}

/* Messages that may hold descriptors go to the host only, and nothing takes the place of the socket
 * to it. A descriptor that waits in a pair of the worker's own is in no list: neither the host nor
 * the kernel counts the memory behind it, and 1,024 of them of one user keep that user's other
 * processes from sending any. */
static void fill_messages(unsigned char *rules) {
  rules[SYS_sendmsg] = rules[SYS_sendmmsg] = CHECK_TO_HOST;
  rules[SYS_close] = CHECK_CLOSE;
  rules[NR_CLOSE_RANGE] = CHECK_CLOSE_RANGE_HOST;
  rules[SYS_dup3] = CHECK_TARGET;
#ifdef __x86_64__
  rules[SYS_dup2] = CHECK_TARGET;
#endif
  rules[SYS_fcntl] = CHECK_FCNTL_HOST;
  /* What may write devices may send them any request: landlock has no say in FIOCLEX. */
  rules[SYS_ioctl] = rules[SYS_ioctl] == CHECK_IOCTL ? CHECK_IOCTL_HOST : CHECK_IOCTL_DEVICES_HOST;
}

static int is_empty(const char *const *list) { return !list || !*list; }

/* With `run`: children, their groups and sessions, and signals to them. */
static void fill_children(unsigned char *rules, int landlock) {
  static const short signals[] = {
    SYS_kill, SYS_tgkill, SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo,
  };
  SET(rules, children, CALL_ALLOWED);
  /* Parents and children share memory in this way. */
  rules[SYS_mmap] = CALL_ALLOWED;
  /* From version 6 on landlock keeps them inside the sandbox; this holds before, too. */
  SET(rules, signals, CHECK_NOT_HOST);
  if (landlock >= 6) rules[NR_PIDFD_SEND_SIGNAL] = CALL_ALLOWED;
  rules[SYS_clone] = CHECK_CLONE;
  rules[SYS_setpgid] = CHECK_GROUP;
  rules[SYS_prctl] = CHECK_PRCTL_CHILDREN;
}

void calls_fill(unsigned char rules[CALLS_COUNT], const sandbox_request *request, int landlock) {
  memset(rules, CALL_REFUSED, CALLS_COUNT);
  SET(rules, itself, CALL_ALLOWED);
  SET(rules, files, CALL_ALLOWED);
  SET(rules, talking, CALL_ALLOWED);
  SET(rules, absent, CALL_ABSENT);
  for (size_t i = 0; i < sizeof checked / sizeof *checked; i++)
    rules[checked[i].number] = checked[i].rule;
  if (request->exec) rules[SYS_execve] = rules[SYS_execveat] = CALL_ALLOWED;
  if (request->fork) fill_children(rules, landlock);
  if (request->watch) SET(rules, watching, CALL_ALLOWED);
  if (!is_empty(request->write)) rules[SYS_ioctl] = CHECK_IOCTL_DEVICES;
  /* Resolvers send their questions by sendmmsg, and programs pass descriptors to their children. */
  if (!request->network && !request->fork) fill_messages(rules);
  if (!request->network) return;
  SET(rules, networking, CALL_ALLOWED);
  rules[SYS_socket] = CHECK_SOCKET;
}
