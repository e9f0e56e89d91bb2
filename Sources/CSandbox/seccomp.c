/* seccomp: which system calls may be made. A refused call gets an errno and no signal, so that
 * libraries that only try something go on without it. */
#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#else
#error "The sandbox knows x86_64 and aarch64."
#endif

#define X32_BIT 0x40000000u
#define ARGUMENT(n) ((uint32_t)(offsetof(struct seccomp_data, args) + 8 * (n)))  /* low half */
#define REFUSE(e) (SECCOMP_RET_ERRNO | (e))

typedef struct program {
  struct sock_filter code[256];
  unsigned short length;
} program;

static void emit(program *p, uint16_t code, uint32_t k, uint8_t yes, uint8_t no) {
  if (p->length < sizeof p->code / sizeof *p->code)
    p->code[p->length++] = (struct sock_filter){ code, yes, no, k };
}

static void load(program *p, uint32_t offset) { emit(p, BPF_LD | BPF_W | BPF_ABS, offset, 0, 0); }
static void give(program *p, uint32_t verdict) { emit(p, BPF_RET | BPF_K, verdict, 0, 0); }
static void equal(program *p, uint32_t value, uint8_t yes, uint8_t no) {
  emit(p, BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
}

static void refuse(program *p, long call, int error) {
  equal(p, (uint32_t)call, 0, 1);
  give(p, REFUSE(error));
}

/* One instruction a call and one refusal for all: the kernel runs the filter for every system call
 * when it is installed, so its length is paid at each start of a worker. */
static void refuse_all(program *p, const long *calls, size_t count, int error) {
  for (size_t i = 0; i < count; i++) equal(p, (uint32_t)calls[i], (uint8_t)(count - i), 0);
  emit(p, BPF_JMP | BPF_JA, 1, 0, 0);
  give(p, REFUSE(error));
}

/* Allows a call when an argument is one of two values. */
static void refuse_unless(program *p, long call, int argument, uint32_t one, uint32_t other) {
  equal(p, (uint32_t)call, 0, 5);
  load(p, ARGUMENT(argument));
  equal(p, one, 2, 0);
  equal(p, other, 1, 0);
  give(p, REFUSE(EPERM));
  give(p, SECCOMP_RET_ALLOW);
}

static void check_architecture(program *p) {
  load(p, offsetof(struct seccomp_data, arch));
  equal(p, THIS_ARCH, 1, 0);
  give(p, REFUSE(ENOSYS));
  load(p, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
  emit(p, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
  give(p, REFUSE(ENOSYS));
#endif
}

/* What no module needs: other processes' memory, the kernel's own matters, the system's state. */
static void refuse_dangerous(program *p) {
  static const long calls[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_add_key,
    SYS_request_key, SYS_keyctl, SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_mount,
    SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare, SYS_open_by_handle_at,
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon,
    SYS_swapoff, SYS_acct, SYS_quotactl, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
    SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname, SYS_syslog, SYS_vhangup,
#ifdef __x86_64__
    SYS_iopl, SYS_ioperm, SYS_kexec_file_load,
#endif
    428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */,
    432 /* fsmount */, 433 /* fspick */, 438 /* pidfd_getfd */, 442 /* mount_setattr */,
  };
  refuse_all(p, calls, sizeof calls / sizeof *calls, EPERM);
  /* io_uring passes by every check; ENOSYS makes libraries take the older way. */
  static const long rings[] = { 425, 426, 427 };
  refuse_all(p, rings, sizeof rings / sizeof *rings, ENOSYS);
}

/* A process of its own, and no other: no fork, no signal elsewhere, no leaving the parent. */
static void refuse_processes(program *p) {
  uint32_t self = (uint32_t)getpid();
#ifdef __x86_64__
  refuse(p, SYS_fork, EPERM);
  refuse(p, SYS_vfork, EPERM);
#endif
  equal(p, SYS_clone, 0, 4);
  load(p, ARGUMENT(0));
  emit(p, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
  give(p, REFUSE(EPERM));
  give(p, SECCOMP_RET_ALLOW);
  refuse(p, 435 /* clone3: its flags are out of a filter's reach */, ENOSYS);
  refuse(p, 424 /* pidfd_send_signal */, EPERM);
  refuse(p, SYS_tkill, EPERM);
  refuse_unless(p, SYS_kill, 0, self, self);
  refuse_unless(p, SYS_tgkill, 0, self, self);
  refuse_unless(p, SYS_rt_sigqueueinfo, 0, self, self);
  refuse_unless(p, SYS_rt_tgsigqueueinfo, 0, self, self);
  refuse_unless(p, SYS_prlimit64, 0, 0, self);
  equal(p, SYS_prctl, 0, 4);
  load(p, ARGUMENT(0));
  equal(p, PR_SET_PDEATHSIG, 0, 1);
  give(p, REFUSE(EPERM));
  give(p, SECCOMP_RET_ALLOW);
}

int sandbox_seccomp(const sandbox_request *request) {
  program p = { .length = 0 };
  check_architecture(&p);
  refuse_dangerous(&p);
  if (!request->fork) refuse_processes(&p);
  if (!request->exec) {
    refuse(&p, SYS_execve, EPERM);
    refuse(&p, SYS_execveat, EPERM);
  }
  /* Unix sockets too: they lead to the host's own management socket. socketpair stays. */
  if (!request->network) refuse(&p, SYS_socket, EPERM);
  give(&p, SECCOMP_RET_ALLOW);
  struct sock_fprog filter = { p.length, p.code };
  long failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
  return failed ? errno : 0;
}
