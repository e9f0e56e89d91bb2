#define _GNU_SOURCE
#include "csupervision.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Descriptors to hand over are first moved out of the way of the numbers they go to. */
enum { LIFTED = 64, CHILD_STACK = 8 * 1024 };

/* A child's way to its own program. The last is written by the kernel, at execve or its end. */
enum { SHARES_DESCRIPTORS = 2, SHARES_MEMORY = 1, SHARES_NOTHING = 0 };

/* What the child works with. It lies on the heap, because the caller goes on meanwhile. */
struct cs_spawning {
  cs_request request;                  /* all it points to lies behind this struct */
  cs_result result;
  pid_t parent;
  int state;                           /* a futex: one of the above */
  char stack[CHILD_STACK] __attribute__((aligned(64)));
};

/* The child has the calling thread's thread-local storage as well as its memory: glibc's wrappers
 * would write to that thread's errno. Therefore: system calls as they are, which return -errno. */
static long call(long number, long a, long b, long c, long d) {
  long result;
#if defined(__x86_64__)
  register long r10 __asm__("r10") = d;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                   : "rcx", "r11", "memory");
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
  result = x0;
#else
#error "The system call of this processor is missing here."
#endif
  return result;
}

/* The kernel's own struct: glibc's sigaction refuses its two internal signals. */
typedef struct kernel_action {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)(void);
  uint64_t mask;
} kernel_action;

/* Until here the child has shared the host's table of descriptors; from here on it has one of its
 * own, without those behind the last that is handed over.
 *
 * Rationale: a host has four descriptors for each worker. Copying 6,000 and closing them again
 * takes 1.1 ms, this way it is 0.04 ms. */
static long own_descriptors(cs_spawning *spawning) {
  int last = 2;
  for (size_t i = 0; i < spawning->request.descriptor_count; i++)
    if (spawning->request.descriptors[i].source > last)
      last = spawning->request.descriptors[i].source;
  long outcome = call(SYS_close_range, last + 1, (long)~0u, CLOSE_RANGE_UNSHARE, 0);
  if (outcome < 0) return outcome;
  __atomic_store_n(&spawning->state, SHARES_MEMORY, __ATOMIC_RELEASE);
  call(SYS_futex, (long)&spawning->state, FUTEX_WAKE, 1, 0);
  return 0;
}

/* Waits until the child is past `state`, or this moment of the monotonic clock; NULL: for ever.
 * Returns whether it is past. */
static int wait_until_past(const cs_spawning *spawning, int state, const struct timespec *moment) {
  for (int now; (now = __atomic_load_n(&spawning->state, __ATOMIC_ACQUIRE)) >= state;) {
    /* With FUTEX_WAIT the time would begin anew after each signal. */
    long outcome = syscall(SYS_futex, &spawning->state, FUTEX_WAIT_BITSET, now, moment, NULL,
                           FUTEX_BITSET_MATCH_ANY);
    if (outcome != 0 && errno == ETIMEDOUT) return 0;
  }
  return 1;
}

/* The child shares the host's memory, so a handler of the host must never run in it. */
static void default_handlers(void) {
  static const kernel_action action;
  for (int signal = 1; signal <= 64; signal++)
    if (signal != SIGKILL && signal != SIGSTOP)
      call(SYS_rt_sigaction, signal, (long)&action, 0, sizeof action.mask);
}

static long place_descriptors(const cs_request *request) {
  int lifted[CS_DESCRIPTORS_MAX], greatest = -1;
  uint64_t kept = 0;
  for (size_t i = 0; i < request->descriptor_count; i++) {
    int source = request->descriptors[i].source, target = request->descriptors[i].target;
    if (target < 0 || target >= LIFTED) return -EBADF;
    long moved = source < LIFTED ? call(SYS_fcntl, source, F_DUPFD_CLOEXEC, LIFTED, 0) : source;
    if (moved < 0) return moved;
    lifted[i] = (int)moved;
    if (target > greatest) greatest = target;
    kept |= UINT64_C(1) << target;
  }
  for (size_t i = 0; i < request->descriptor_count; i++) {
    long placed = call(SYS_dup3, lifted[i], request->descriptors[i].target, 0, 0);
    if (placed < 0) return placed;
  }
  for (int i = 0; i < greatest; i++)
    if (!(kept >> i & 1)) call(SYS_close, i, 0, 0, 0);
  return call(SYS_close_range, greatest + 1, (long)~0u, 0, 0);
}

static long set_limit(pid_t pid, int resource, uint64_t value) {
  const struct rlimit limit = {value, value};
  return call(SYS_prlimit64, pid, resource, (long)&limit, 0);
}

static long set_limits(pid_t pid, uint64_t files, uint64_t data) {
  long outcome = files ? set_limit(pid, RLIMIT_NOFILE, files) : 0;
  return outcome == 0 && data ? set_limit(pid, RLIMIT_DATA, data) : outcome;
}

static _Noreturn void end_child(cs_spawning *spawning, int stage, long outcome) {
  spawning->result.error = (int)-outcome;
  spawning->result.stage = stage;
  for (;;) call(SYS_exit_group, 127, 0, 0, 0);
}

/* Asked by the child and not by the host: a file system may not answer. */
static int may_access(const char *path, int mode) {
  return call(SYS_faccessat, AT_FDCWD, (long)path, mode, 0) == 0;
}

static _Noreturn void execute(cs_spawning *spawning) {
  char *const *paths = spawning->request.executables;
  size_t place = 0;
  if (spawning->request.searches) {
    while (paths[place] && !may_access(paths[place], X_OK)) place++;
    if (!paths[place]) end_child(spawning, CS_STAGE_SEARCH, -ENOENT);
  }
  const char *path = paths[place];
  spawning->result.executable = place;
  /* The list is the spawn's own. */
  ((char **)spawning->request.arguments)[0] = paths[place];
  long outcome = call(SYS_execve, (long)path, (long)spawning->request.arguments,
                      (long)spawning->request.environment, 0);
  int stage = CS_STAGE_EXEC;
  if (outcome == -ENOENT && may_access(path, F_OK)) stage = CS_STAGE_INTERPRETER;
  if (outcome == -EACCES && !may_access(path, X_OK)) stage = CS_STAGE_MODE;
  end_child(spawning, stage, outcome);
}

/* Runs on a stack of its own in the host's memory, beside the thread that called: only plain
 * system calls, nothing that allocates, locks, logs or knows errno. */
static int run_child(void *argument) {
  cs_spawning *spawning = argument;
  const cs_request *request = &spawning->request;
  long outcome;
  call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0);
  if (call(SYS_getppid, 0, 0, 0, 0) != spawning->parent)
    end_child(spawning, CS_STAGE_PARENT, -ESRCH);
  if ((outcome = own_descriptors(spawning)) < 0)
    end_child(spawning, CS_STAGE_DESCRIPTORS, outcome);
  default_handlers();
  if ((outcome = call(SYS_setpgid, 0, 0, 0, 0)) < 0)
    end_child(spawning, CS_STAGE_GROUP, outcome);
  if ((outcome = place_descriptors(request)) < 0)
    end_child(spawning, CS_STAGE_DESCRIPTORS, outcome);
  set_limit(0, RLIMIT_CORE, 0);
  /* May fail below a host that bears a smaller mark itself: then only the environment tells. */
  if (request->mark) set_limit(0, RLIMIT_LOCKS, request->mark);
  if ((outcome = set_limits(0, request->files, request->data)) < 0)
    end_child(spawning, CS_STAGE_LIMITS, outcome);
  if (request->directory && (outcome = call(SYS_chdir, (long)request->directory, 0, 0, 0)) < 0)
    end_child(spawning, CS_STAGE_DIRECTORY, outcome);
  uint64_t none = 0;
  call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0, sizeof none);
  execute(spawning);
}

static size_t size_of_strings(char *const *strings, size_t *bytes) {
  size_t count = 0;
  for (; strings[count]; count++) *bytes += strlen(strings[count]) + 1;
  return count + 1;
}

static const char *copy_string(const char *string, char **next) {
  const char *copy = *next;
  *next = stpcpy(*next, string) + 1;
  return copy;
}

static char *const *copy_strings(char *const *strings, char ***list, char **next) {
  char **copy = *list;
  while (*strings) *(*list)++ = (char *)copy_string(*strings++, next);
  *(*list)++ = NULL;
  return copy;
}

/* A request of the child's own: struct, lists of pointers, descriptors, bytes. */
static cs_spawning *copy_request(const cs_request *request) {
  size_t bytes = request->directory ? strlen(request->directory) + 1 : 0;
  size_t pointers = size_of_strings(request->executables, &bytes);
  pointers += size_of_strings(request->arguments, &bytes);
  pointers += size_of_strings(request->environment, &bytes);
  size_t descriptors = request->descriptor_count * sizeof *request->descriptors;
  cs_spawning *spawning = NULL;
  size_t size = sizeof *spawning + pointers * sizeof(char *) + descriptors + bytes;
  if (posix_memalign((void **)&spawning, 64, size)) return NULL;
  memset(&spawning->result, 0, sizeof spawning->result);
  char **list = (char **)(spawning + 1);
  cs_descriptor *places = (cs_descriptor *)(list + pointers);
  char *next = (char *)(places + request->descriptor_count);
  spawning->request = *request;
  memcpy(places, request->descriptors, descriptors);
  spawning->request.descriptors = places;
  spawning->request.arguments = copy_strings(request->arguments, &list, &next);
  spawning->request.environment = copy_strings(request->environment, &list, &next);
  spawning->request.executables = copy_strings(request->executables, &list, &next);
  if (request->directory) spawning->request.directory = copy_string(request->directory, &next);
  return spawning;
}

static cs_spawning *refuse(cs_spawning *spawning, cs_result *result, int stage, int error) {
  free(spawning);
  memset(result, 0, sizeof *result);
  result->pidfd = -1;
  result->stage = stage;
  result->error = error;
  return NULL;
}

cs_spawning *cs_spawn_begin(const cs_request *request, cs_result *result) {
  if (request->descriptor_count > CS_DESCRIPTORS_MAX)
    return refuse(NULL, result, CS_STAGE_DESCRIPTORS, EINVAL);
  cs_spawning *spawning = copy_request(request);
  if (!spawning) return refuse(NULL, result, CS_STAGE_CLONE, ENOMEM);
  spawning->parent = getpid();
  spawning->state = SHARES_DESCRIPTORS;
  uint64_t all = ~UINT64_C(0), before = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
  pid_t pid = clone(run_child, spawning->stack + CHILD_STACK,
                    CLONE_VM | CLONE_FILES | CLONE_PIDFD | CLONE_CHILD_CLEARTID | SIGCHLD,
                    spawning, &result->pidfd, NULL, &spawning->state);
  int error = errno;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
  if (pid < 0) return refuse(spawning, result, CS_STAGE_CLONE, error);
  /* No file system is asked for anything until then. */
  wait_until_past(spawning, SHARES_DESCRIPTORS, NULL);
  result->pid = pid;
  result->stage = CS_STAGE_NONE;
  result->error = 0;
  return spawning;
}

int cs_spawn_is_loading(const cs_spawning *spawning, int64_t nanoseconds) {
  if (nanoseconds <= 0)
    return __atomic_load_n(&spawning->state, __ATOMIC_ACQUIRE) >= SHARES_MEMORY;
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  int64_t sum = moment.tv_nsec + nanoseconds % 1000000000;
  moment.tv_sec += nanoseconds / 1000000000 + sum / 1000000000;
  moment.tv_nsec = sum % 1000000000;
  return !wait_until_past(spawning, SHARES_MEMORY, &moment);
}

int cs_spawn_finish(cs_spawning *spawning, cs_result *result) {
  result->stage = spawning->result.stage;
  result->error = spawning->result.error;
  result->executable = spawning->result.executable;
  free(spawning);
  return result->stage == CS_STAGE_NONE ? 0 : -1;
}

int cs_limit(pid_t pid, uint64_t files, uint64_t data) {
  long outcome = set_limits(pid, files, data);
  if (outcome == 0) return 0;
  errno = (int)-outcome;
  return -1;
}
