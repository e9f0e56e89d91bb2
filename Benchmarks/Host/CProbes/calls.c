#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "probes.h"

static int pin_thread(int thread) {
  cpu_set_t allowed, one;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return -errno;
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE; core++)
    if (CPU_ISSET(core, &allowed)) {
      CPU_SET(core, &one);
      break;
    }
  return sched_setaffinity(thread, sizeof one, &one) == 0 ? 0 : -errno;
}

/* Calls `visit` for each thread of `pid`; stops at the first that returns less than 0. */
static int64_t each_thread(int pid, int64_t (*visit)(int pid, int thread)) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *threads = opendir(path);
  if (threads == NULL) return -errno;
  int64_t sum = 0;
  for (struct dirent *entry; sum >= 0 && (entry = readdir(threads)) != NULL;) {
    int thread = atoi(entry->d_name);
    if (thread == 0) continue;
    int64_t value = visit(pid, thread);
    sum = value < 0 ? value : sum + value;
  }
  closedir(threads);
  return sum;
}

static int64_t pin_one(int pid, int thread) {
  (void)pid;
  return pin_thread(thread);
}

int probe_pin(int pid) { return (int)each_thread(pid, pin_one); }

static int64_t unpin_one(int pid, int thread) {
  cpu_set_t all;
  (void)pid;
  CPU_ZERO(&all);
  for (int core = 0; core < CPU_SETSIZE; core++) CPU_SET(core, &all);
  return sched_setaffinity(thread, sizeof all, &all) == 0 ? 0 : -errno;
}

void probe_unpin(void) { (void)each_thread(getpid(), unpin_one); }

int64_t probe_cpu(int pid) {
  clockid_t clock;
  struct timespec used;
  int error = clock_getcpuclockid(pid, &clock);
  if (error != 0) return -error;
  if (clock_gettime(clock, &used) != 0) return -errno;
  return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
}

static void echo(int socket, char *buffer, size_t bytes) {
  while (recv(socket, buffer, bytes, MSG_WAITALL) == (ssize_t)bytes)
    if (send(socket, buffer, bytes, MSG_NOSIGNAL) != (ssize_t)bytes) break;
  _exit(0);
}

static int64_t exchange(int socket, char *buffer, size_t bytes, int count) {
  int64_t begin = probe_now();
  for (int i = 0; i < count; i++) {
    if (send(socket, buffer, bytes, MSG_NOSIGNAL) != (ssize_t)bytes) return -EPIPE;
    if (recv(socket, buffer, bytes, MSG_WAITALL) != (ssize_t)bytes) return -EPIPE;
  }
  return (probe_now() - begin) / count;
}

int64_t probe_round_trip(int count, size_t bytes, int pinned) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -errno;
  char *buffer = calloc(1, bytes);
  if (buffer == NULL) return -ENOMEM;
  cpu_set_t before;
  sched_getaffinity(0, sizeof before, &before);
  if (pinned) pin_thread(0);
  pid_t pid = fork();
  if (pid == 0) {
    close(pair[0]);
    echo(pair[1], buffer, bytes);
  }
  close(pair[1]);
  exchange(pair[0], buffer, bytes, count / 10 + 1);
  int64_t result = pid < 0 ? -EAGAIN : exchange(pair[0], buffer, bytes, count);
  close(pair[0]);
  if (pid > 0) waitpid(pid, NULL, 0);
  sched_setaffinity(0, sizeof before, &before);
  free(buffer);
  return result;
}

__attribute__((noinline)) int64_t probe_plain_call(void *instance, const uint8_t *input,
                                                   size_t length, uint8_t *out, size_t capacity) {
  (void)instance;
  if (length > capacity) return -1;
  memcpy(out, input, length);
  return (int64_t)length;
}

int64_t probe_calls(probe_function function, void *instance, int count) {
  static const uint8_t input[] = "{\"n\":1}";
  uint8_t out[64];
  probe_function volatile call = function;
  int64_t begin = probe_now();
  for (int i = 0; i < count; i++)
    if (call(instance, input, sizeof input - 1, out, sizeof out) < 0) return -EINVAL;
  return (probe_now() - begin) * 1000 / count;
}
