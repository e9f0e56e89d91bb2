/* The machine: privileged calls, calls that few know, calls of other kinds. Each would be refused for
 * its arguments even to root, so that only the number decides: an errno of the arguments is "it got
 * through". */
#define _GNU_SOURCE
#include "attempts.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whether the number alone is refused. */
static int passes(long number) {
  errno = 0;
  long result = syscall(number, -1, -1, -1, -1, -1, -1);
  return result < 0 && (errno == EPERM || errno == ENOSYS) ? errno : 0;
}

#define PASSES(name, number) static int name(void) { return passes(number); }
PASSES(mounts, SYS_mount) PASSES(unmounts, SYS_umount2) PASSES(pivots, SYS_pivot_root)
PASSES(chroots, SYS_chroot) PASSES(unshares, SYS_unshare) PASSES(enters, SYS_setns)
PASSES(opens_tree, 428) PASSES(moves_mount, 429) PASSES(opens_fs, 430) PASSES(configures_fs, 431)
PASSES(mounts_fs, 432) PASSES(picks_fs, 433) PASSES(sets_mount, 442) PASSES(opens_tree_attr, 467)
PASSES(quotas, SYS_quotactl) PASSES(quotas_fd, 443) PASSES(fanotifies, SYS_fanotify_init)
PASSES(marks, SYS_fanotify_mark) PASSES(opens_handle, SYS_open_by_handle_at)
PASSES(loads_bpf, SYS_bpf) PASSES(profiles, SYS_perf_event_open) PASSES(faults, SYS_userfaultfd)
PASSES(adds_key, SYS_add_key) PASSES(requests_key, SYS_request_key) PASSES(keys, SYS_keyctl)
PASSES(loads_module, SYS_init_module) PASSES(loads_module_fd, SYS_finit_module)
PASSES(unloads_module, SYS_delete_module) PASSES(loads_kernel, SYS_kexec_load)
PASSES(swaps_on, SYS_swapon) PASSES(swaps_off, SYS_swapoff) PASSES(accounts, SYS_acct)
PASSES(reads_kernel_log, SYS_syslog) PASSES(sets_time, SYS_settimeofday)
PASSES(sets_clock, SYS_clock_settime) PASSES(adjusts_time, SYS_adjtimex)
PASSES(names_host, SYS_sethostname) PASSES(names_domain, SYS_setdomainname)
PASSES(hangs_up, SYS_vhangup) PASSES(ring, 425) PASSES(aio, SYS_io_setup) PASSES(secret, 447)
PASSES(personality_of, SYS_personality) PASSES(locks_all, SYS_mlockall)
PASSES(moves_pages, SYS_move_pages) PASSES(advises, 440) PASSES(reaps_memory, 448)
PASSES(filters, SYS_seccomp) PASSES(lists_modules, 461) PASSES(looks_at_mounts, 457)
PASSES(sets_user, SYS_setresuid) PASSES(sets_group, SYS_setresgid) PASSES(sets_groups, SYS_setgroups)
PASSES(syncs, SYS_sync) PASSES(robust_list, SYS_get_robust_list)
PASSES(first_unknown, 470) PASSES(unknown, 511) PASSES(far_unknown, 4000)
#ifdef __x86_64__
PASSES(ports, SYS_iopl) PASSES(port, SYS_ioperm) PASSES(segments, SYS_modify_ldt)
PASSES(of_x32, 0x40000000 | SYS_getppid)
/* The other entrance, with the numbers of 32 bits: 64 is getppid there. */
static int of_i386(void) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(64L) : "memory", "r8", "r9", "r10", "r11");
  return result < 0 ? (int)-result : 0;
}
#endif

static int has_capabilities(void) {
  struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
  struct __user_cap_data_struct now[2];
  if (syscall(SYS_capget, &header, now)) return errno;
  uint32_t any = 0;
  for (int i = 0; i < 2; i++) any |= now[i].effective | now[i].permitted | now[i].inheritable;
  return any ? 0 : EPERM;
}
/* Only root's can be narrowed; nobody else has what it bounds. */
static int has_bounding_set(void) {
  if (getuid()) return EPERM;
  for (int number = 0; number < 64; number++)
    if (prctl(PR_CAPBSET_READ, number) == 1) return 0;
  return EPERM;
}

const attempt kernel_attempts[] = {
  { "mount", mounts }, { "umount2", unmounts }, { "pivot_root", pivots }, { "chroot", chroots },
  { "unshare", unshares }, { "setns", enters }, { "open_tree", opens_tree },
  { "move_mount", moves_mount }, { "fsopen", opens_fs }, { "fsconfig", configures_fs },
  { "fsmount", mounts_fs }, { "fspick", picks_fs }, { "mount_setattr", sets_mount },
  { "open_tree_attr", opens_tree_attr }, { "quotactl", quotas }, { "quotactl_fd", quotas_fd },
  { "fanotify_init", fanotifies }, { "fanotify_mark", marks },
  { "open_by_handle_at", opens_handle }, { "bpf", loads_bpf }, { "perf_event_open", profiles },
  { "userfaultfd", faults }, { "add_key", adds_key }, { "request_key", requests_key },
  { "keyctl", keys }, { "init_module", loads_module }, { "finit_module", loads_module_fd },
  { "delete_module", unloads_module }, { "kexec_load", loads_kernel }, { "swapon", swaps_on },
  { "swapoff", swaps_off }, { "acct", accounts }, { "syslog", reads_kernel_log },
  { "settimeofday", sets_time }, { "clock_settime", sets_clock }, { "adjtimex", adjusts_time },
  { "sethostname", names_host }, { "setdomainname", names_domain }, { "vhangup", hangs_up },
  { "io_uring_setup", ring }, { "io_setup", aio }, { "memfd_secret", secret },
  { "personality", personality_of }, { "mlockall", locks_all }, { "move_pages", moves_pages },
  { "process_madvise", advises }, { "process_mrelease", reaps_memory }, { "seccomp", filters },
  { "lsm_list_modules", lists_modules }, { "statmount", looks_at_mounts },
  { "setresuid", sets_user }, { "setresgid", sets_group }, { "setgroups", sets_groups },
  { "sync", syncs }, { "get_robust_list", robust_list },
  { "call 470", first_unknown }, { "call 511", unknown }, { "call 4000", far_unknown },
#ifdef __x86_64__
  { "iopl", ports }, { "ioperm", port }, { "modify_ldt", segments },
  { "a call of x32", of_x32 }, { "a call of i386", of_i386 },
#endif
  { "have capabilities", has_capabilities }, { "have a bounding set", has_bounding_set }, { 0 },
};
