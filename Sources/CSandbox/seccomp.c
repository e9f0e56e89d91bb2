/* seccomp: which system calls may be made. A refused call gets an errno and no signal, so that
 * libraries that only try something go on without it. */
#define _GNU_SOURCE
#include "calls.h"
#include "checks.h"
#include "filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#else
#error "The sandbox knows x86_64 and aarch64."
#endif

/* Adjacent numbers with one rule. */
typedef struct range { uint32_t first; call_rule rule; } range;

typedef struct tree {
  range ranges[CALLS_COUNT + 1];
  size_t count;
  uint32_t own, host;
} tree;

static void make_ranges(tree *t, const sandbox_request *request, int landlock) {
  unsigned char rules[CALLS_COUNT];
  calls_fill(rules, request, landlock);
  t->count = 0;
  for (uint32_t number = 0; number < CALLS_COUNT; number++) {
    call_rule rule = (call_rule)rules[number];
    if (number == 0 || t->ranges[t->count - 1].rule != rule)
      t->ranges[t->count++] = (range){ number, rule };
  }
  /* Later calls, and those of x32, whose numbers have a high bit set. */
  t->ranges[t->count++] = (range){ CALLS_COUNT, CALL_ABSENT };
}

/* Rationale: a tree, because the kernel runs the filter for each number when it is installed, so
 * the way to a verdict is paid at each start of a worker. With jumps of one kind it remembers which
 * numbers are allowed whatever their arguments, and asks no more for them. */
static void emit_tree(filter *f, const tree *t, size_t first, size_t last) {
  if (first == last) return checks_emit(f, t->ranges[first].rule, t->own, t->host);
  size_t middle = first + (last - first + 1) / 2;
  filter_emit(f, BPF_JMP | BPF_JGE | BPF_K, t->ranges[middle].first, 0, 1);
  unsigned short jump = f->length;
  filter_emit(f, BPF_JMP | BPF_JA, 0, 0, 0);
  emit_tree(f, t, first, middle - 1);
  if (!f->overflowed) f->code[jump].k = (uint32_t)(f->length - jump - 1);
  emit_tree(f, t, middle, last);
}

static void check_architecture(filter *f) {
  filter_load(f, offsetof(struct seccomp_data, arch));
  filter_equal(f, THIS_ARCH, 1, 0);
  filter_give(f, FILTER_REFUSE(ENOSYS));
  filter_load(f, offsetof(struct seccomp_data, nr));
}

int sandbox_has_seccomp(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0; }

int sandbox_seccomp(const sandbox_request *request, int landlock) {
  static filter program;
  static tree calls;
  program.length = 0;
  program.overflowed = 0;
  calls.own = (uint32_t)getpid();
  calls.host = (uint32_t)getppid();
  make_ranges(&calls, request, landlock);
  check_architecture(&program);
  emit_tree(&program, &calls, 0, calls.count - 1);
  if (program.overflowed) return ENOBUFS;
  struct sock_fprog raw = { program.length, program.code };
  long failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &raw);
  /* A positive number is a thread that couldn't be brought in. */
  return failed > 0 ? ESRCH : failed ? errno : 0;
}
