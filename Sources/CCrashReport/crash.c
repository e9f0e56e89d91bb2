/* Only what signal-safety(7) allows runs in the handler. The unwinder isn't on that list, but with
 * _dl_find_object (glibc 2.35) it takes no lock; should it fault, the second signal ends it. */
#define _GNU_SOURCE
#include "crash.h"
#include "crash_images.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

enum { MOST_FRAMES = 128, STACK = 64 << 10 };

static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP };
static int report = -1;
static atomic_flag reporting = ATOMIC_FLAG_INIT;
static volatile sig_atomic_t walking;
static pid_t walker;
static sigjmp_buf walked;

typedef struct trace {
  uintptr_t at;
  int found;
  int count;
  uintptr_t pcs[MOST_FRAMES];
} trace;

static trace frames;
static char line[8192];
static size_t used;

static void text(const char *string) {
  size_t length = strlen(string);
  if (used + length > sizeof line) return;
  memcpy(line + used, string, length);
  used += length;
}

static void number(uintptr_t value, unsigned base) {
  char digits[24];
  size_t start = sizeof digits - 1;
  digits[start] = 0;
  do digits[--start] = "0123456789abcdef"[value % base]; while (value /= base);
  text(digits + start);
}

static void put(const char *bytes, size_t length) {
  while (length) {
    ssize_t written = write(report, bytes, length);
    if (written <= 0) return;
    bytes += written;
    length -= (size_t)written;
  }
}

static uintptr_t program_counter(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
  return (uintptr_t)context->uc_mcontext.pc;
#endif
}

static uintptr_t frame_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
#else
  return (uintptr_t)context->uc_mcontext.regs[29];
#endif
}

/* Frames before the faulting one are the handler's own. */
static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *argument) {
  trace *t = argument;
  uintptr_t pc = _Unwind_GetIP(context);
  if (pc == t->at) t->found = 1;
  else if (t->found && pc && t->count < MOST_FRAMES) t->pcs[t->count++] = pc;
  return t->count == MOST_FRAMES ? _URC_END_OF_STACK : _URC_NO_REASON;
}

/* Where there is no unwind information, code with frame pointers can still be followed. */
static void follow_frame_pointers(uintptr_t fp) {
  uintptr_t last = fp;
  while (fp && fp % sizeof fp == 0 && fp >= last && frames.count < MOST_FRAMES) {
    const uintptr_t *record = (const uintptr_t *)fp;
    if (!record[1]) return;
    frames.pcs[frames.count++] = record[1];
    last = fp + 1;
    fp = record[0];
  }
}

static void walk(const ucontext_t *context) {
  frames.at = program_counter(context);
  walker = (pid_t)syscall(SYS_gettid);
  walking = 1;
  if (!sigsetjmp(walked, 1)) _Unwind_Backtrace(frame, &frames);
  if (frames.count == 0 && !sigsetjmp(walked, 1)) follow_frame_pointers(frame_pointer(context));
  walking = 0;
}

static void describe(int signal, const siginfo_t *info) {
  text("{\"signal\":"); number((uintptr_t)signal, 10);
  text(",\"code\":");
  if (info->si_code < 0) text("-");
  number((uintptr_t)labs((long)info->si_code), 10);
  text(",\"address\":\"0x"); number((uintptr_t)info->si_addr, 16);
  text("\",\"thread\":"); number((uintptr_t)syscall(SYS_gettid), 10);
  text(",\"pcs\":[\"0x"); number(frames.at, 16); text("\"");
  for (int i = 0; i < frames.count; i++) { text(",\"0x"); number(frames.pcs[i], 16); text("\""); }
  text("],\"images\":[");
}

static void handle(int signal, siginfo_t *info, void *context) {
  if (walking && walker == (pid_t)syscall(SYS_gettid)) siglongjmp(walked, 1);
  if (!atomic_flag_test_and_set(&reporting)) {
    walk(context);
    describe(signal, info);
    put(line, used);
    const crash_images *images = crash_noted_images();
    if (images) put(images->text, images->length);
    put("]}\n", 3);
  } else {
    /* Another thread is reporting: it ends the process when it is done. */
    for (int i = 0; i < 100; i++) usleep(10000);
  }
  struct sigaction usual = { .sa_handler = SIG_DFL };
  sigaction(signal, &usual, NULL);
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
}

void crash_cover_thread(void) {
  stack_t stack = { .ss_size = STACK, .ss_flags = 0 };
  stack.ss_sp = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack.ss_sp != MAP_FAILED) sigaltstack(&stack, NULL);
}

void crash_report_to(int descriptor) {
  report = descriptor;
  /* Nobody reads the pipe before the process has ended: what doesn't fit is lost, and waiting for
   * space would keep the process from ending. */
  int flags = fcntl(descriptor, F_GETFL);
  if (flags >= 0) fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
  crash_cover_thread();
  crash_note_images();
  struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
  action.sa_sigaction = handle;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction(signals[i], &action, NULL);
}
