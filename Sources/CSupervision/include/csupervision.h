/* csupervision.h: the system calls of supervision that Swift can't make safely by itself: what
 * runs between clone and execve, and pidfds. Nothing here keeps state. */
#ifndef CSUPERVISION_H
#define CSUPERVISION_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The child gets the host's descriptor `source` under the number `target`. */
typedef struct cs_descriptor {
  int source;
  int target;
} cs_descriptor;

enum { CS_DESCRIPTORS_MAX = 16 };

typedef struct cs_request {
  char *const *executables;            /* paths, ends with NULL */
  int searches;                        /* 0: the first path is executed, and there is one; else the
                                          first that is executable, as for PATH */
  char *const *arguments;              /* argv, ends with NULL; the path replaces the first, and
                                          there is one */
  char *const *environment;            /* envp, ends with NULL */
  const char *directory;               /* NULL: the host's */
  const cs_descriptor *descriptors;    /* every other descriptor is closed */
  size_t descriptor_count;             /* at most CS_DESCRIPTORS_MAX */
  uint64_t files;                      /* RLIMIT_NOFILE, 0: as in the host */
  uint64_t data;                       /* RLIMIT_DATA in bytes, 0: as in the host */
  uint64_t mark;                       /* RLIMIT_LOCKS, which limits nothing; 0: as in the host */
} cs_request;

/* Where a spawn went wrong. */
enum {
  CS_STAGE_NONE = 0,
  CS_STAGE_CLONE = 1,
  CS_STAGE_PARENT = 2,                 /* the host ended meanwhile */
  CS_STAGE_GROUP = 3,
  CS_STAGE_DESCRIPTORS = 4,
  CS_STAGE_LIMITS = 5,
  CS_STAGE_DIRECTORY = 6,
  CS_STAGE_EXEC = 7,
  CS_STAGE_SEARCH = 8,                 /* none of the paths is executable */
  CS_STAGE_INTERPRETER = 9,            /* execve: the file is there, its interpreter isn't */
  CS_STAGE_MODE = 10                   /* execve: the file isn't executable */
};

typedef struct cs_result {
  pid_t pid;
  int pidfd;                           /* close-on-exec; the caller's */
  int stage;
  int error;                           /* errno at that stage */
  size_t executable;                   /* which path was executed; valid at the stages of execve */
} cs_result;

/* A spawn under way. */
typedef struct cs_spawning cs_spawning;

/* Starts a process in a process group of its own, which dies with the calling *thread*
 * (PR_SET_PDEATHSIG). Returns at once, with `pid` and `pidfd` set and nothing of the request needed
 * any more; the child loads its program beside the caller. Call cs_spawn_finish for it, once, when
 * it doesn't load any more.
 * NULL: it could not be started; `stage` and `error` say why.
 *
 * Rationale: with CLONE_VFORK, as posix_spawn does it, the caller stands still until execve is
 * done, and often longer, because it is put on the child's processor. */
cs_spawning *cs_spawn_begin(const cs_request *request, cs_result *result);

/* Waits until the child has loaded its program or has ended, at most `nanoseconds`; 0 doesn't wait.
 * Returns whether it still loads. It may do so for ever, on a file system that doesn't answer. */
int cs_spawn_is_loading(const cs_spawning *spawning, int64_t nanoseconds);

/* Gives the memory of a spawn back that isn't loading any more: the child has used it until then.
 * Returns 0 when the program is loaded, or the child was ended before. Returns -1 with `stage` and
 * `error` set when the program couldn't be loaded: the child ends then, and isn't reaped yet. */
int cs_spawn_finish(cs_spawning *spawning, cs_result *result);

/* How a process ended: `code` is CLD_EXITED, CLD_KILLED or CLD_DUMPED. Reaps it. Returns 1, 0 when
 * it still runs, -1 with errno. */
int cs_reap(int pidfd, int *code, int *status);
/* The same without reaping it. */
int cs_peek(int pidfd, int *code, int *status);
/* The same for a child known by its pid only. */
int cs_reap_pid(pid_t pid, int *code, int *status);

int cs_pidfd_open(pid_t pid);
int cs_pidfd_signal(int pidfd, int signal);

/* Makes this process the one that orphans below it are re-parented to. */
int cs_become_subreaper(void);

/* Sets RLIMIT_NOFILE and RLIMIT_DATA of a running process; 0 leaves one as it is. */
int cs_limit(pid_t pid, uint64_t files, uint64_t data);

/* epoll, whose struct is packed and unknown to Swift's Glibc. */
enum { CS_READABLE = 1, CS_WRITABLE = 2 };
enum { CS_ADD = 1, CS_REMOVE = 2, CS_CHANGE = 3 };
typedef struct cs_event {
  uint64_t token;
  uint32_t events;                     /* CS_READABLE | CS_WRITABLE; an end or error sets both */
} cs_event;

enum { CS_EVENTS_MAX = 128 };

int cs_epoll_create(void);
int cs_epoll_control(int epoll, int operation, int descriptor, uint32_t interest, uint64_t token);
/* Waits at most `nanoseconds`, negative: for ever. Returns how many of `events` (space for
 * CS_EVENTS_MAX) were filled in; 0 also after a signal. */
int cs_epoll_wait(int epoll, cs_event *events, int64_t nanoseconds);

/* Wakes a loop: a counter that is readable once it was written to. */
int cs_eventfd(void);

/* Called on a thread that starts children: lets SIGCHLD be ignored. While the parent thread of a
 * child blocks the signal, each end of a child wakes the host's main thread, too. */
void cs_unblock_child_signal(void);

#endif
